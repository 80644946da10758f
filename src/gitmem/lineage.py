"""Tell processes apart: which still lives, and from which others it descends."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gitmem.errors import DeadlineExceeded, ToolMissing
from gitmem.process import environment, run

# No system numbers its processes higher.
LARGEST_PID: Final = 2**31 - 1


def birth(pid: int) -> str:
    """Tell a process from a later one with the same id; empty where that is unknown."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            # The name, in brackets, may hold anything.
            return stat.read().rpartition(b")")[2].split()[19].decode("ascii")
    except (OSError, IndexError, ValueError):
        return ""


def is_alive(pid: int, born: str = "") -> bool:
    """Say whether a process still runs, and is the one that was born then."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return not born or birth(pid) == born
    except (ProcessLookupError, OverflowError):
        return False
    return not born or birth(pid) == born


def ancestors() -> Iterator[int]:
    """Name the processes that this one descends from, the nearest first."""
    pid = os.getppid()
    while pid > 1:
        yield pid
        pid = _parent(pid)


def _parent(pid: int) -> int:
    """Say which process started another; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (IndexError, ValueError):
        return 0
    except OSError:
        pass
    with contextlib.suppress(ToolMissing, DeadlineExceeded, ValueError):
        command = ("ps", "-o", "ppid=", "-p", str(pid))
        asked = run(
            command, cwd=Path("/"), environment=environment(), timeout_seconds=1
        )
        return int(asked.stdout)
    return 0
