"""Write to the terminal: the only module that prints.

Nothing heavy is imported here: `gitmem path` prints, too.
"""

import sys

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from gitmem.errors import GitmemError


def line(text: str) -> None:
    """Print one answer on stdout."""
    _answer(lambda: _print(sys.stdout, text))


def complain(text: str) -> None:
    """Print one line on stderr; who closed it wants no complaint."""
    if sys.stderr is None:
        return
    try:
        _print(sys.stderr, text)
    except OSError:
        _give_up(sys.stderr)


def raw(data: bytes) -> None:
    """Hand the bytes of a file on to a program that reads them."""
    _answer(lambda: _hand_on(data))


def end() -> None:
    """Let go of stdout, so that nothing is left to fail when Python ends."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        _give_up(sys.stdout)


def hears() -> bool:
    """Say whether there is a stdout at all."""
    return sys.stdout is not None


def redraw(text: str) -> None:
    """Draw a progress line over the one before."""
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def is_terminal() -> bool:
    """Say whether a person reads stdout."""
    return sys.stdout is not None and sys.stdout.isatty()


def shows_progress() -> bool:
    """Say whether a person watches stderr."""
    return sys.stderr is not None and sys.stderr.isatty()


def _answer(write: "Callable[[], None]") -> None:
    """Write to stdout, or raise what says that nobody can hear it."""
    if sys.stdout is None:
        raise _unheard("it is closed")
    try:
        write()
    except BrokenPipeError:
        _give_up(sys.stdout)
    except OSError as error:
        _give_up(sys.stdout)
        raise _unheard(error.strerror or str(error), error.errno) from error


def _hand_on(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _unheard(reason: str, number: int | None = None) -> "GitmemError":
    import errno  # rarely needed

    from gitmem.errors import DiskFull, UsageError  # rarely needed

    kind = DiskFull if number in {errno.ENOSPC, errno.EDQUOT} else UsageError
    message = f"The answer could not be written to standard output: {reason}."
    return kind(message, "What the command does was done; only its answer is lost.")


def _print(stream: "TextIO", text: str) -> None:
    try:
        print(text, file=stream, flush=True)
    except UnicodeEncodeError:
        stream.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        stream.flush()


def _give_up(stream: "TextIO") -> None:
    """Say nothing more to a reader that went away, and do not complain of it."""
    import os  # rarely needed

    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
