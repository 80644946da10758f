"""Compare what a sync costs with the Git commands that it cannot do without.

Every row is of one run on one machine, its two sides in turn; the ratios are what
counts. Each figure is the quickest of its runs: what else a machine does can only add.
The ratio of work compares the time of processors, children included: it says the same
on a busy machine, and nothing of waiting for the disk.
"""

import argparse
import contextlib
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import corpus
from contention import git, options
from table import seconds, show

from gitmem.sync.create import create
from gitmem.sync.engine import Engine

LOUD_GIT = '#!/bin/sh\necho "$*" >> "{log}"\nexec "{git}" "$@"\n'
ENGINE_ALONE = """\
from datetime import UTC, datetime, timedelta
from pathlib import Path
from gitmem.sync.author import Author
from gitmem.sync.engine import Engine
from gitmem.sync.options import Options
report = Engine(Options(
    root=Path({root!r}), state=Path({state!r}), branch="main", url={url!r},
    author=Author("bench"), rules=None, now=lambda: datetime.now(UTC),
    timeout_seconds=30, fetch_ttl=timedelta(hours=12),
)).pull()
assert report.skipped
"""
Row = tuple[object, ...]


@dataclass(frozen=True)
class Spent:
    """The seconds that something took, and those that processors worked for it."""

    wall: float
    work: float


def row(name: str, ours: list[Spent], bare: list[Spent], note: str = "") -> Row:
    one, other = (1e3 * min(each.wall for each in side) for side in (ours, bare))
    work = min(each.work for each in ours) / min(each.work for each in bare)
    return name, one, other, one / other, work, one - other, note


def in_turn(
    ours: Callable[[], object], bare: Callable[[], object], runs: int
) -> tuple[list[Spent], list[Spent]]:
    """Time both, one after the other, so that both see the same machine."""
    pairs = [(spent(ours), spent(bare)) for _ in range(runs)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def spent(action: Callable[[], object]) -> Spent:
    """Measure one action, with the processes that it starts."""
    before = _work()
    wall = seconds(action)
    return Spent(wall, _work() - before)


def _work() -> float:
    mine, children = map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime


# A pull that is throttled


def throttled(folder: Path, runs: int) -> Iterator[Row]:
    """Pull while the last fetch is recent: in this process, alone, and by the CLI."""
    own = options(folder / "machine", _remote(folder), 0)
    create(own)
    Engine(own).cycle()
    started: list[object] = []
    sys.addaudithook(lambda event, _: event == _POPEN and started.append(event))
    pulls = [seconds(Engine(own).pull) for _ in range(runs)]
    started_by_pull = len(started)
    alone = ENGINE_ALONE.format(
        root=str(own.root), state=str(own.state), url=str(own.url)
    )
    environment = _environment(folder)
    loud = {**environment, "PATH": f"{_loud(folder)}:{environment['PATH']}"}
    _gitmem("init", str(own.url), environment=environment)
    _gitmem("sync", environment=loud)
    before = _calls(folder)
    if not before:
        sys.exit("The Git that counts was not called; nothing would be measured.")
    _gitmem("sync", "pull", environment=loud)
    heard = f"python -c pass; Git ran {_calls(folder) - before} times"

    def bare() -> object:
        return _python("pass", environment)

    engine = in_turn(lambda: _python(alone, environment), bare, runs)
    cli = in_turn(lambda: _gitmem("sync", "pull", environment=environment), bare, runs)
    note = f"{started_by_pull} processes"
    yield "throttled pull, in this process", 1e3 * min(pulls), "", "", "", "", note
    yield row("throttled pull, a program of its own", *engine, "python -c pass")
    yield row("throttled gitmem sync pull", *cli, heard)


_POPEN = "subprocess.Popen"


# A session that starts while the remote is a black hole


def black_hole(folder: Path, runs: int) -> Iterator[Row]:
    """Start sessions: while no pull is due, and while the remote never answers.

    Goes on with the memory of the throttled pulls.
    """
    environment = {
        **_environment(folder),
        "GITMEM_DAEMON__AUTOSTART": "false",
        "GITMEM_SYNC__TIMEOUT": "1",
    }
    numbers = iter(range(1_000_000))

    def start() -> object:
        each = ("--host", "bench", "--id", str(next(numbers)))
        return _gitmem("session", "start", *each, environment=environment)

    root = Path(_gitmem("path", environment=environment).strip())
    address = git("remote", "get-url", "origin", cwd=root).stdout.strip()

    def point(url: str) -> None:
        git("config", "remote.origin.url", url, cwd=root)
        environment["GITMEM_MEMORY_DIR__REPO_URL"] = url
        _gitmem("path", environment=environment)

    start()
    pairs = []
    with _hole() as hole:
        for _ in range(runs):
            _gitmem("sync", environment=environment)
            calm = seconds(start)
            point(hole)
            pairs.append((seconds(start), calm))
            point(address)
    added = statistics.median(dark - calm for dark, calm in pairs)
    one, other = (1e3 * statistics.median(each) for each in zip(*pairs, strict=True))
    name = "session start, remote never answers"
    yield (
        name,
        one,
        other,
        one / other,
        "",
        1e3 * added,
        "no pull due; medians",
    )


@contextlib.contextmanager
def _hole() -> Iterator[str]:
    """Offer an address that takes a connection and says nothing."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(64)
        yield f"http://127.0.0.1:{deaf.getsockname()[1]}/memory.git"


# Many memories


def many(folder: Path, count: int, runs: int) -> Iterator[Row]:
    """Sync a whole memory first, then without changes, then clone it."""
    own = options(folder / "machine", _remote(folder), 0)
    create(own)
    engine = Engine(own)
    engine.push()
    corpus.write(own.root, count)
    plain = folder / "plain"
    other = _remote(folder, "plain.git")
    git("clone", "--quiet", str(other), str(plain), cwd=folder)
    for layer in corpus.LAYERS:
        shutil.copytree(own.root / layer, plain / layer)
    name, beside = f"first sync of {count}", "add, commit, push"
    yield row(name, *in_turn(engine.cycle, lambda: _all(plain), 1), beside)

    def look() -> None:
        git("status", "--porcelain=v2", "-uall", cwd=own.root)
        git("rev-parse", "HEAD", cwd=own.root)
        git("ls-remote", str(own.url), cwd=own.root)

    engine.cycle()
    look()
    name, beside = f"cycle without changes, {count}", "status, rev-parse, ls-remote"
    yield row(name, *in_turn(engine.cycle, look, runs), beside)
    copies = iter(range(1_000_000))

    def clone() -> None:
        place = folder / f"clone-{next(copies)}"
        git("clone", "--quiet", str(own.url), str(place), cwd=folder)

    def ours() -> None:
        create(options(folder / f"machine-{next(copies)}", Path(str(own.url)), 1))

    yield row(f"clone of {count}", *in_turn(ours, clone, 1), "git clone")


def _all(plain: Path) -> None:
    git("add", "-A", cwd=plain)
    git("commit", "--quiet", "-m", "all", cwd=plain)
    git("push", "--quiet", "origin", "HEAD:main", cwd=plain)


# What they share


def _remote(folder: Path, name: str = "remote.git") -> Path:
    folder.mkdir(exist_ok=True)
    place = folder / name
    git("init", "--quiet", "--bare", "--initial-branch=main", str(place), cwd=folder)
    return place


def _environment(folder: Path) -> dict[str, str]:
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    own = {"HOME": str(home), "GITMEM_HOME": str(home / "gitmem")}
    return {**os.environ, **own}


def _loud(folder: Path) -> Path:
    """Put a git first that writes down when it is called."""
    place = folder / "loud"
    place.mkdir()
    script = LOUD_GIT.format(log=folder / "git.log", git=shutil.which("git"))
    (place / "git").write_text(script, encoding="utf-8")
    (place / "git").chmod(0o755)
    return place


def _calls(folder: Path) -> int:
    return len((folder / "git.log").read_text("utf-8").splitlines())


def _python(script: str, environment: dict[str, str]) -> str:
    return _said([sys.executable, "-c", script], environment)


def _gitmem(*arguments: str, environment: dict[str, str]) -> str:
    program = "from gitmem.cli.main import main; main()"
    return _said([sys.executable, "-c", program, *arguments], environment)


def _said(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        cwd=environment["HOME"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1_000, help="memories")
    parser.add_argument("--runs", type=int, default=11)
    given = parser.parse_args()
    os.environ["GIT_CONFIG_GLOBAL"] = os.environ["GIT_CONFIG_SYSTEM"] = os.devnull
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        lines = [
            *throttled(Path(folder, "one"), given.runs),
            *black_hole(Path(folder, "one"), given.runs),
            *many(Path(folder, "many"), given.size, given.runs),
        ]
        # Whoever was asking the black hole leaves now.
        time.sleep(1)
    times = ("gitmem ms", "other ms", "ratio", "ratio of work", "more ms")
    head = ("what", *times, "beside it")
    show("Sync", head, lines)


if __name__ == "__main__":
    main()
