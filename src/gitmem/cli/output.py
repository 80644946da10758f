"""Write to the terminal: the only module that prints.

Nothing heavy is imported here: `gitmem path` prints, too.
"""

import sys

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    from typing import TextIO


def line(text: str) -> None:
    """Print one answer on stdout."""
    _write(sys.stdout, text)


def complain(text: str) -> None:
    """Print one line on stderr."""
    _write(sys.stderr, text)


def raw(data: bytes) -> None:
    """Hand the bytes of a file on to a program that reads them."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _give_up(sys.stdout)


def redraw(text: str) -> None:
    """Draw a progress line over the one before."""
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def is_terminal() -> bool:
    """Say whether a person reads stdout."""
    return sys.stdout.isatty()


def shows_progress() -> bool:
    """Say whether a person watches stderr."""
    return sys.stderr.isatty()


def _write(stream: "TextIO", text: str) -> None:
    try:
        _print(stream, text)
    except BrokenPipeError:
        _give_up(stream)


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
