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
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def redraw(text: str) -> None:
    """Draw a progress line over the one before."""
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def is_terminal() -> bool:
    """Say whether a person reads stdout."""
    return sys.stdout.isatty()


def shows_progress() -> bool:
    """Say whether a person watches stderr."""
    return sys.stderr.isatty()


def close_quietly() -> None:
    """Let nobody be told that the reader of a pipe went away."""
    import os  # rarely needed

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _write(stream: "TextIO", text: str) -> None:
    try:
        print(text, file=stream, flush=True)
    except UnicodeEncodeError:
        stream.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        stream.flush()
