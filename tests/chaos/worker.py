"""Run cycles in processes that may be killed: `python -m tests.chaos.worker`.

Each line on standard input is a job; a process is forked for it, with everything
imported already, and one line says how it ended.
"""

import contextlib
import ctypes
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import git
import yaml
from tests.chaos import faults, plants

from gitmem.errors import GitmemError, SyncError
from gitmem.files.tree import Tree
from gitmem.repo import locks
from gitmem.repo.command import Command
from gitmem.sync import (
    advance,
    exchange,
    heal,
    litter,
    pending,
    revert,
    settle,
    standing,
    together,
    upkeep,
)
from gitmem.sync.apply import present
from gitmem.sync.author import Author
from gitmem.sync.check import Rules
from gitmem.sync.create import create
from gitmem.sync.engine import Engine
from gitmem.sync.options import Options
from gitmem.sync.plan import Decision

PRELOADED = (
    git,
    yaml,
    advance,
    exchange,
    heal,
    litter,
    settle,
    standing,
    upkeep,
    pending,
    revert,
    together,
)
PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 60.0


def serve() -> None:
    # Whoever is orphaned by a kill comes here, and can be waited for.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            run(job)
        sys.stdout.write(json.dumps(attend(pid, job)) + "\n")
        sys.stdout.flush()


def attend(pid: int, job: dict[str, Any]) -> dict[str, Any]:
    """Wait for a cycle, or kill it after a while."""
    began = time.monotonic()
    limit = job.get("kill_after") or PATIENCE_SECONDS
    status = None
    while status is None and time.monotonic() - began < limit:
        done, found = os.waitpid(pid, os.WNOHANG)
        status = found if done else None
        time.sleep(0.001)
    if status is None:
        doomed = family(pid) if job.get("with_children", True) else [pid]
        for each in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    if job.get("wait_for_orphans", True):
        reap()
    return {"status": status, "seconds": time.monotonic() - began}


def family(pid: int) -> list[int]:
    """List a process and all that descend from it, the eldest first."""
    found = [pid]
    for each in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{each}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def reap() -> None:
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        try:
            done, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not done:
            time.sleep(0.002)


def options(machine: dict[str, Any]) -> Options:
    return Options(
        root=Path(machine["root"]),
        state=Path(machine["state"]),
        branch="main",
        url=machine["url"],
        author=Author(machine=machine["name"]),
        rules=Rules(max_file_bytes=1_000_000, secrets="block"),
        now=lambda: datetime.now(UTC),
        timeout_seconds=float(machine.get("patience", "20")),
        fetch_ttl=timedelta(hours=12),
    )


def run(job: dict[str, Any]) -> None:
    """Run one cycle with its faults, and leave."""
    os.setsid()
    os.environ.update(job["environment"], CHAOS_GROUP=str(os.getpid()))
    tempfile.tempdir = None
    locks.WAIT_SECONDS = 0.2  # type: ignore[misc]
    if seconds := job.get("local_seconds"):
        for each in (Command.run, Command.check):
            each.__kwdefaults__ = {
                **(each.__kwdefaults__ or {}),
                "timeout_seconds": seconds,
            }
    settle.LEAST_FREE_BYTES = job.get("least_free", settle.LEAST_FREE_BYTES)  # type: ignore[misc]
    if plant := job.get("plant"):
        getattr(plants, plant)()
    chosen = options(job["machine"])
    agent = faults.Agent(chosen.root, job.get("deeds", []))
    harm = faults.Faults(
        job.get("at", 0), job.get("what", ""), agent, job.get("span", 0)
    )
    engine = Engine(chosen)
    faults.install(harm)
    outcome: dict[str, Any] = {"error": "", "message": "", "kind": ""}
    try:
        act(engine, job)
    except BaseException as error:  # noqa: BLE001  told, not handled
        kind = error.error_class if isinstance(error, SyncError) else ""
        told = error.message if isinstance(error, GitmemError) else str(error)
        outcome = {"error": type(error).__name__, "message": told, "kind": kind}
        outcome["trace"] = traceback.format_exc()
    agent.let_go()
    faults.note(job["result"], **outcome, seen=harm.seen, done=agent.done)
    os._exit(0)


def act(engine: Engine, job: dict[str, Any]) -> None:
    """Do what a job is about: a cycle if it says nothing."""
    match job.get("verb", "cycle"):
        case "cycle":
            engine.cycle(decision=Decision(job.get("decision", "ask")))
        case "commit":
            engine.commit()
        case "undo":
            engine.undo(job["revision"])
        case "restore":
            engine.restore(PurePosixPath(job["path"]), job["revision"])
        case "together":
            engine.together("memory(*): tidy", edits(engine, job["edits"]))
        case "create":
            create(engine.options, may_adopt=True)


def edits(engine: Engine, wanted: dict[str, str | None]) -> list[together.Edit]:
    """Say what files are to hold, over what is on the disk now."""
    files = Tree(engine.options.root)
    return [
        together.Edit(path, present(files, path), text.encode() if text else None)
        for path, text in ((PurePosixPath(name), wanted[name]) for name in wanted)
    ]


if __name__ == "__main__":
    serve()
