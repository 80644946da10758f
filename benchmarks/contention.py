"""Let machines write to one repository at once, and compare with the plain Git loop.

Every machine is a process with a clone of its own. It writes a file, exchanges, and
writes the next. The plain loop beside it is what a script would do: add, commit, and
pull with a rebase until a push gets through. Both write the same files, in one run.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from table import show

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder
from gitmem.sync.author import Author
from gitmem.sync.check import Rules
from gitmem.sync.create import create
from gitmem.sync.engine import Engine
from gitmem.sync.options import Options

TEXT = """\
---
description: what machine {machine} learned in its turn {number}
tags: [bench]
created: 2026-01-01
---
# Turn {number}

Written by machine {machine}: token-{machine}-{number}.
"""
MARKERS = ("<<<<<<<", ">>>>>>>")
PATIENCE_SECONDS = 7200.0
QUIET_ROUNDS = 20


@dataclass(frozen=True)
class Played:
    """What one machine saw: the seconds of each exchange, and the pushes it lost."""

    exchanges: list[float]
    lost: int
    failed: int
    ended: float


@dataclass(frozen=True)
class Outcome:
    """One way to exchange, over all machines."""

    name: str
    exchanges: list[float]
    lost: int
    failed: int
    until_pushed: float
    until_converged: float
    commits: int
    problems: list[str]


def text(machine: int, number: int) -> str:
    return TEXT.format(machine=machine, number=number)


def place(machine: int, number: int) -> str:
    return f"project/notes/m{machine:02}-{number:04}.md"


def git(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run git as a person on a machine of its own would."""
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    command = ["git", *who, "-c", "init.defaultBranch=main", *arguments]
    return subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)


def options(folder: Path, remote: Path, machine: int) -> Options:
    return Options(
        root=folder / "memory",
        state=private_folder(folder / "state"),
        branch="main",
        url=str(remote),
        author=Author(f"machine-{machine}"),
        rules=Rules(1_000_000, "block"),
        now=lambda: datetime.now(UTC),
        timeout_seconds=30,
        fetch_ttl=timedelta(hours=12),
    )


# What a machine does


def play_gitmem(folder: Path, remote: Path, machine: int, writes: int) -> Played:
    """Write, and sync until it is pushed; after a cycle that failed comes another."""
    engine = Engine(options(folder, remote, machine))
    lost = _count_lost_pushes()
    failed = 0

    def exchange() -> None:
        nonlocal failed
        while True:
            try:
                engine.cycle()
            except GitmemError as error:
                sys.stderr.write(f"machine {machine}: {error}\n")
                failed += 1
            else:
                return

    times = _turns(folder, machine, writes, exchange)
    return Played(times, lost(), failed, time.time())


def play_loop(folder: Path, _: Path, machine: int, writes: int) -> Played:
    """Write and run the loop that everybody writes first."""
    root, lost = folder / "memory", 0

    def exchange() -> None:
        nonlocal lost
        git("add", "-A", cwd=root)
        git("commit", "--quiet", "-m", f"machine {machine}", cwd=root)
        while True:
            pulled = git("pull", "--quiet", "--rebase", "origin", "main", cwd=root)
            if not pulled.returncode:
                pushed = git("push", "--quiet", "origin", "HEAD:main", cwd=root)
                if not pushed.returncode:
                    return
            lost += 1

    times = _turns(folder, machine, writes, exchange)
    return Played(times, lost, 0, time.time())


def _turns(
    folder: Path, machine: int, writes: int, exchange: Callable[[], None]
) -> list[float]:
    times = []
    for number in range(writes):
        path = folder / "memory" / place(machine, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(machine, number), encoding="utf-8")
        begun = time.perf_counter()
        exchange()
        times.append(time.perf_counter() - begun)
    return times


def _count_lost_pushes() -> Callable[[], int]:
    """Count the pushes that found the remote moved, as the remote's answers say."""
    from gitmem.errors import PushRejected
    from gitmem.repo.remote import Remote

    lost, push = 0, Remote.push

    def counted(self: Remote, *given: object, **named: object) -> None:
        nonlocal lost
        try:
            push(self, *given, **named)  # type: ignore[arg-type]
        except PushRejected:
            lost += 1
            raise

    Remote.push = counted  # type: ignore[method-assign]
    return lambda: lost


PLAYERS = {"gitmem": play_gitmem, "git loop": play_loop}


# All machines


def run(name: str, base: Path, machines: int, writes: int) -> Outcome:
    """Begin, let all machines play at once, and let them meet."""
    remote = base / "remote.git"
    folders = [base / f"machine-{number}" for number in range(machines)]
    base.mkdir()
    git("init", "--quiet", "--bare", "--initial-branch=main", str(remote), cwd=base)
    create(options(folders[0], remote, 0))
    Engine(options(folders[0], remote, 0)).push()
    for number, folder in enumerate(folders[1:], start=1):
        if name == "gitmem":
            create(options(folder, remote, number))
        else:
            folder.mkdir()
            git("clone", "--quiet", str(remote), str(folder / "memory"), cwd=base)
    start = time.time() + 1.0
    with ThreadPoolExecutor(machines) as pool:
        waiting = [
            pool.submit(_machine, name, folder, remote, number, writes, start)
            for number, folder in enumerate(folders)
        ]
        played = [each.result() for each in waiting]
    pushed = max(each.ended for each in played) - start
    meeting = time.time()
    _meet(name, folders, remote)
    return Outcome(
        name=name,
        exchanges=[seconds for each in played for seconds in each.exchanges],
        lost=sum(each.lost for each in played),
        failed=sum(each.failed for each in played),
        until_pushed=pushed,
        until_converged=pushed + time.time() - meeting,
        commits=int(git("rev-list", "--count", "main", cwd=remote).stdout),
        problems=_problems(folders, remote, writes),
    )


def _machine(
    name: str, folder: Path, remote: Path, machine: int, writes: int, start: float
) -> Played:
    command = [sys.executable, __file__, "--play", name, str(folder), str(remote)]
    done = subprocess.run(
        [*command, str(machine), str(writes), str(start)],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    sys.stderr.write(done.stderr)
    if done.returncode:
        sys.exit(f"machine {machine} ended with {done.returncode}")
    return Played(**json.loads(done.stdout))


def _meet(name: str, folders: Sequence[Path], remote: Path) -> None:
    """Exchange once more on each machine, as long as any of them is behind."""
    for _ in range(QUIET_ROUNDS):
        if len({_tree(folder / "memory") for folder in folders}) == 1:
            return
        for number, folder in enumerate(folders):
            if name == "gitmem":
                Engine(options(folder, remote, number)).cycle()
            else:
                root = folder / "memory"
                git("pull", "--quiet", "--rebase", "origin", "main", cwd=root)


def _tree(root: Path) -> str:
    return git("rev-parse", "HEAD^{tree}", cwd=root).stdout


def _problems(folders: Sequence[Path], remote: Path, writes: int) -> list[str]:
    """Look whether everything is on every machine, once, and the same."""
    wanted = {
        place(machine, number): text(machine, number)
        for machine in range(len(folders))
        for number in range(writes)
    }
    tip = git("rev-parse", "main^{tree}", cwd=remote).stdout
    found = []
    for folder in folders:
        root = folder / "memory"
        files = {
            str(file.relative_to(root)): file.read_text(encoding="utf-8")
            for file in root.rglob("*.md")
        }
        missing = [path for path in wanted if files.get(path) != wanted[path]]
        extra = sorted(files.keys() - wanted.keys())
        marked = [path for path in files if any(m in files[path] for m in MARKERS)]
        if missing or extra or marked:
            found.append(
                f"{folder.name}: {len(missing)} missing, {len(extra)} too many,"
                f" {len(marked)} with a marker"
            )
        if _tree(root) != tip:
            found.append(f"{folder.name}: another tree than the remote's")
        if git("status", "--porcelain", cwd=root).stdout:
            found.append(f"{folder.name}: not clean")
    return found


def row(outcome: Outcome) -> tuple[object, ...]:
    times = sorted(outcome.exchanges)
    return (
        outcome.name,
        len(times),
        outcome.lost,
        outcome.failed,
        1e3 * statistics.median(times),
        1e3 * times[min(len(times) - 1, len(times) * 99 // 100)],
        outcome.until_pushed,
        outcome.until_converged,
        len(times) / outcome.until_pushed,
        outcome.commits,
        "; ".join(outcome.problems) or "none",
    )


def measure(machines: int, writes: int, names: Sequence[str]) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            run(name, Path(folder, name.replace(" ", "-")), machines, writes)
            for name in names
        ]


def main() -> None:
    """Measure, or be one machine of a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=4)
    parser.add_argument("--writes", type=int, default=5, help="of each machine")
    parser.add_argument("--only", choices=PLAYERS, action="append")
    parser.add_argument("--play", nargs=6, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.play:
        name, folder, remote, machine, writes, start = given.play
        time.sleep(max(0.0, float(start) - time.time()))
        player = PLAYERS[name]
        played = player(Path(folder), Path(remote), int(machine), int(writes))
        sys.stdout.write(json.dumps(asdict(played)))
        return
    os.environ["GIT_CONFIG_GLOBAL"] = os.environ["GIT_CONFIG_SYSTEM"] = os.devnull
    outcomes = measure(given.machines, given.writes, given.only or list(PLAYERS))
    head = ("way", "exchanges", "pushes lost", "errors", "p50 ms", "p99 ms")
    rest = ("all pushed s", "converged s", "per second", "commits", "problems")
    title = f"{given.machines} machines x {given.writes} writes at once"
    show(title, (*head, *rest), map(row, outcomes))
    if any(outcome.problems for outcome in outcomes):
        sys.exit(1)


if __name__ == "__main__":
    main()
