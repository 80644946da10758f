"""Measure what a hook adds to a turn, beside the bare interpreter in the same run.

Everything is timed from outside, from the start of a process to its end.
"""

import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import corpus
from table import seconds, show

import gitmem
from gitmem.app import connect
from gitmem.daemon import door
from gitmem.service.service import Service

CLIENT = Path(gitmem.__file__).with_name("hook") / "client.py"
BARE = "python -I -S -c pass"
HEAD = ("what", "p50, ms", "p99, ms", "p50 / bare")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000, help="memories")
    parser.add_argument("--runs", type=int, default=300, help="of each")
    wish = parser.parse_args()
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with made as folder:
        host = Host(Path(folder), wish.size)
        load = os.getloadavg()[0]
        door.start(host.service())
        host.run("SessionStart", "s1", source="startup")
        title = f"A turn with {wish.size} memories, load {load:.1f}"
        with_daemon = {
            "a turn, with a daemon": host.turn,
            "a turn that tells of memories, with a daemon": host.asking,
        }
        rows = timed(host, with_daemon, wish.runs)
        show(title, HEAD, rows)
        door.stop(host.service())
        several = {
            "a turn, without a daemon": host.turn,
            "a turn that tells of memories, without a daemon": host.asking,
            "a session's start, without a daemon": host.start,
        }
        few = max(wish.runs // 10, 1)
        show("Without a daemon", HEAD, timed(host, several, few))


class Host:
    """Claude Code, as far as its hooks go, on a machine of its own."""

    def __init__(self, folder: Path, size: int) -> None:
        """Make a memory of so many files, committed and indexed."""
        for name in [name for name in os.environ if name.startswith("GITMEM_")]:
            del os.environ[name]
        os.environ["GITMEM_HOME"] = str(folder / "g")
        os.environ["GITMEM_MEMORY_DIR__GLOBAL_MEMORY"] = "global"
        os.environ["GITMEM_DAEMON__AUTOSTART"] = "false"
        os.environ["CLAUDE_PID"] = str(os.getpid())
        self.project = folder / "project-1"
        self.project.mkdir()
        self.started = 0
        self.prompts = itertools.cycle(corpus.prompts(1_000))
        self.service().init(None)
        corpus.write(self.service().rooms.root, size)
        self.service().commit()
        self.service().index()

    def service(self) -> Service:
        """Connect for the project."""
        return connect(self.project)

    def turn(self) -> None:
        """Run the hook of a turn in a session that was told its start text."""
        self.run("UserPromptSubmit", "s1", prompt="how do we deploy " * 20)

    def asking(self) -> None:
        """Run it with a prompt that is about some of the memories."""
        self.run("UserPromptSubmit", "s1", prompt=next(self.prompts))

    def start(self) -> None:
        """Run the hook of a new session."""
        self.started += 1
        self.run("SessionStart", f"new {self.started}", source="startup")

    def run(self, event: str, session: str, **more: str) -> None:
        """Run one hook."""
        said = {"session_id": session, "cwd": str(self.project), **more}
        done = subprocess.run(
            [sys.executable, "-I", "-S", CLIENT, "claude-code", event],
            input=json.dumps(said).encode(),
            cwd=self.project,
            stdout=subprocess.PIPE,
            check=True,
        )
        if event == "SessionStart" and not done.stdout:
            sys.stderr.write("a session's start said nothing\n")


def timed(
    host: Host, hooks: Mapping[str, Callable[[], object]], runs: int
) -> list[tuple[str, float, float, float]]:
    """Time each in turn with the bare programs, so that all meet the same load."""
    node = shutil.which("node")
    several: dict[str, Callable[[], object]] = {
        BARE: lambda: bare(sys.executable, "-I", "-S", "-c", "pass"),
        **({"node -e 0": lambda: bare(node, "-e", "0")} if node else {}),
        **hooks,
    }
    host.turn()
    times: dict[str, list[float]] = {name: [] for name in several}
    for _ in range(runs):
        for name, action in several.items():
            times[name].append(seconds(action) * 1e3)
    base = statistics.median(times[BARE])
    return [row(name, found, base) for name, found in times.items()]


def row(name: str, found: list[float], base: float) -> tuple[str, float, float, float]:
    """Sum up what was measured."""
    ordered = sorted(found)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    middle = statistics.median(ordered)
    return name, middle, late, middle / base


def bare(*command: str | None) -> None:
    """Run a program that does nothing."""
    subprocess.run([str(part) for part in command], input=b"", check=True)


if __name__ == "__main__":
    sys.exit(main())
