"""Measure an idle daemon, a thousand cycles of it, and a session's start in trouble.

Run it for a minute and more: an idle daemon is watched for `--idle` seconds.
"""

import argparse
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table import seconds, show

from gitmem.app import Caller, connect
from gitmem.daemon import client, door, guard
from gitmem.daemon.protocol import socket_path
from gitmem.service.answers import Visit
from gitmem.service.service import Service

STARTS = 3
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=float, default=60, help="seconds of idling")
    parser.add_argument("--cycles", type=int, default=1000, help="session ends")
    parser.add_argument("--runs", type=int, default=9, help="pairs of session starts")
    wish = parser.parse_args()
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with made as folder, socket.socket() as hole:
        hole.bind(("127.0.0.1", 0))
        hole.listen(200)
        machine = Machine(Path(folder))
        machine.begin()
        show("An idle daemon", ("what", "measured", "must"), idle(machine, wish.idle))
        show(
            f"{wish.cycles} cycles",
            ("what", "measured", "must"),
            many(machine, wish.cycles),
        )
        rows = starts(machine, hole.getsockname()[1], wish.runs)
        ways = ("no remote, ms", "black hole, ms")
        head = ("a session's start", *ways, "added, ms", "at most, ms")
        show("A remote that never answers (must add 200 ms at most)", head, rows)


@dataclass
class Machine:
    """A memory with a remote next door, and at most one daemon."""

    folder: Path

    @property
    def state(self) -> Path:
        """Say where the state of the repository is."""
        return self.service().rooms.state

    def service(self, session: str = "") -> Service:
        """Connect for one session."""
        return connect(self.folder, caller=Caller("pi", session))

    def begin(self) -> None:
        """Make the memory, with settings of its own."""
        for name in [name for name in os.environ if name.startswith("GITMEM_")]:
            del os.environ[name]
        os.environ["GITMEM_HOME"] = str(self.folder / "g")
        os.environ["GITMEM_DAEMON__AUTOSTART"] = "false"
        remote = self.folder / "remote.git"
        subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
        self.service().init(str(remote))
        core = self.service().rooms.root / "beacon" / "core"
        core.mkdir(parents=True)
        (core / "deploy.md").write_text("---\ndescription: how to deploy\n---\n")
        self.service().sync()

    def start(self) -> int:
        """Start a daemon and wait until it answers."""
        return door.start(self.service())[0].pid

    def end_session(self, number: int) -> None:
        """Have the daemon commit, as at the end of a session."""
        (self.service().rooms.root / "note.md").write_text(f"{number}\n")
        own = {k: v for k, v in os.environ.items() if k.startswith("GITMEM_")}
        given = {"host": "pi", "id": str(number), "cwd": str(self.folder)}
        client.call(
            socket_path(self.state),
            "session_end",
            {**given, "variables": own},
            timeout_seconds=30,
        )


def idle(machine: Machine, wait_seconds: float) -> list[tuple[str, str, str]]:
    """Leave a daemon alone, and look what it used."""
    pid = machine.start()
    time.sleep(5)
    before = cpu_seconds(pid)
    time.sleep(wait_seconds)
    used = (cpu_seconds(pid) - before) * 60 / wait_seconds
    return [
        ("CPU in a minute, with children, s", f"{used:.3f}", "< 0.1"),
        ("resident memory, MB", f"{resident(pid):.0f}", "< 80"),
        ("descriptors", str(descriptors(pid)), ""),
    ]


def many(machine: Machine, cycles: int) -> list[tuple[str, str, str]]:
    """Let the daemon commit and push again and again."""
    pid = machine.start()
    for number in range(20):
        machine.end_session(number)
    time.sleep(3)
    before = descriptors(pid), resident(pid)
    took = seconds(lambda: [machine.end_session(n) for n in range(20, 20 + cycles)])
    time.sleep(3)
    after = descriptors(pid), resident(pid)
    left = seconds(lambda: end(machine, pid))
    return [
        (
            f"descriptors, {cycles} cycles later",
            f"{before[0]}, {after[0]}",
            "no growth",
        ),
        ("memory before and after, MB", f"{before[1]:.0f}, {after[1]:.0f}", ""),
        ("one commit at a session's end, ms", f"{took / cycles * 1e3:.0f}", ""),
        ("SIGTERM to its end, s", f"{left:.2f}", "< 2"),
    ]


def end(machine: Machine, pid: int) -> None:
    """End a daemon, and wait until it is gone."""
    os.kill(pid, signal.SIGTERM)
    while guard.holder(machine.state) is not None:
        time.sleep(0.01)


def starts(
    machine: Machine, port: int, runs: int
) -> list[tuple[str, float, float, float, float]]:
    """Time session starts with and without a remote that never answers."""
    rows = []
    os.environ["GITMEM_SYNC__TIMEOUT"] = "2"
    hole = f"http://127.0.0.1:{port}/x"
    for name, begin in (("with a daemon", machine.start), ("without one", lambda: 0)):
        # In turn, so that both see the same machine.
        pairs = [
            (timed(machine, begin, STARTS, ""), timed(machine, begin, STARTS, hole))
            for _ in range(runs)
        ]
        added = [dark - calm for calm, dark in pairs]
        calm, dark = (statistics.median(each) for each in zip(*pairs, strict=True))
        rows.append((name, calm, dark, statistics.median(added), max(added)))
    return rows


def timed(machine: Machine, begin: Callable[[], int], runs: int, url: str) -> float:
    """Give the median of session starts, in milliseconds."""
    config = machine.service().rooms.root / ".git" / "config"
    lines = [line for line in config.read_text().splitlines() if "url =" not in line]
    config.write_text("\n".join(lines) + "\n")
    (machine.state / "sync.json").unlink(missing_ok=True)
    os.environ["GITMEM_MEMORY_DIR__REPO_URL"] = url
    if not url:
        del os.environ["GITMEM_MEMORY_DIR__REPO_URL"]
    begin()
    times = [
        seconds(lambda n=n: door.session_start(machine.service(n), Visit("pi", n)))
        for n in map(str, range(runs + 1))
    ]
    door.stop(machine.service())
    return statistics.median(times[1:]) * 1e3


def cpu_seconds(pid: int) -> float:
    """Add up what a process and its ended children used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def resident(pid: int) -> float:
    """Say how much memory a process has, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(x.split()[1]) for x in lines if x.startswith("VmRSS")) / 1024


def descriptors(pid: int) -> int:
    """Count what a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


if __name__ == "__main__":
    sys.exit(main())
