"""Answer one hook in a whole gitmem, where no daemon answered in time.

Run by `light` in a process group of its own, with one socket as standard input and
output. It may outlive the hook: what a session wrote is committed to the end.
"""

import gc
import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gitmem.daemon.stand_in import StandIn

# Nobody waits for this process; it must not wait for ever either.
LIFE_SECONDS: Final = 120
# Modules are no garbage: to look through them as they come in took 10 ms.
COLLECTED_OBJECTS: Final = 100_000
# More than any hook has.
CONFIRM_SECONDS: Final = 15


def main() -> None:
    """Read a request, answer it, and see that the next one finds a daemon."""
    signal.alarm(LIFE_SECONDS)
    gc.set_threshold(COLLECTED_OBJECTS)
    os.umask(0o077)
    with socket.socket(fileno=os.dup(0)) as connection:
        arguments = _request(connection)
        work, stdout = _answer(arguments)
        has_arrived = _say(connection, stdout)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if work is not None:
        if stdout and not has_arrived:
            work.missed()
        _prepare(work)


def _request(connection: socket.socket) -> dict[str, Any]:
    from gitmem.daemon.protocol import read_request

    with connection.makefile("rb") as stream:
        return read_request(stream.readline()).arguments


def _answer(arguments: dict[str, Any]) -> "tuple[StandIn | None, str]":
    """Do the work; the boundary of the fall-back."""
    from gitmem.errors import NoRepository, UsageError

    try:
        from gitmem.daemon.stand_in import StandIn
        from gitmem.hook import light

        work = StandIn(arguments)
        was_asked = light.pointed(dict(os.environb)) == os.fsencode(work.socket)
        return work, work.answer(was_asked=was_asked)
    except NoRepository:
        # Nobody made a memory yet: nothing is wrong, and nothing is told.
        return None, ""
    except UsageError as error:
        # How a host was set up is nothing that an agent could mend.
        _log(arguments, error.message)
        return None, ""
    except Exception as error:  # noqa: BLE001  the boundary of the fall-back
        _note(arguments, error)
        return None, ""


def _say(connection: socket.socket, stdout: str) -> bool:
    """Answer, and say whether the hook lived to print all of it."""
    from gitmem.daemon.protocol import answer_line

    try:
        connection.settimeout(CONFIRM_SECONDS)
        connection.sendall(answer_line({"stdout": stdout}))
        return bool(connection.recv(1))
    except OSError:
        # The host's time was over; the hook has said so.
        return False


def _prepare(work: "StandIn") -> None:
    from gitmem.hook import light, pointer

    try:
        path = os.fsencode(work.socket)
        if light.pointed(dict(os.environb)) != path:
            pointer.keep(dict(os.environb), path)
        work.prepare()
    except Exception as error:  # noqa: BLE001  the boundary of the fall-back
        _note({"event": "a daemon for the next hook"}, error)


def _note(arguments: dict[str, Any], error: Exception) -> None:
    """Keep what went wrong, for the log and for the next status line."""
    import traceback

    from gitmem.process import environment
    from gitmem.secrets import mask
    from gitmem.sessions import trouble
    from gitmem.settings.folders import folders

    _log(arguments, "".join(traceback.format_exception(error)))
    state = folders(environment()).state
    what = f"{_named(arguments)}: {error or type(error).__name__}"
    trouble.note(state, mask(what))


def _log(arguments: dict[str, Any], story: str) -> None:
    from datetime import UTC, datetime

    from gitmem import log
    from gitmem.process import environment
    from gitmem.settings.folders import folders

    state = folders(environment()).state
    log.record(state, f"hook {_named(arguments)}\n{story}", now=datetime.now(UTC))


def _named(arguments: dict[str, Any]) -> str:
    return " ".join(str(arguments.get(name, "")) for name in ("host", "event"))


if __name__ == "__main__":
    # -I keeps everything out that a project could have put in the way.
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    main()
