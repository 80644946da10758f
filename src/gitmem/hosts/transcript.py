"""Read the last turns of a session from its host's transcript, which stays its own."""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from gitmem.hosts import registry

# Among the last turns a host notes what it told the model: all tools, each time anew.
TAILS_BYTES: Final = (64 * 1024, 1024 * 1024)
TURNS: Final = 4
# Hosts wrap what is not the person's own words in tags.
_WRAPPED: Final = "<"
_TEXT: Final = ("text", "Text")
# No set: what stands in the place of a word may be a list, which has no hash.
_SPOKEN: Final = ("user", "assistant")


def last_turns(host: str, path: str) -> tuple[str, ...]:
    """Give what was said last, the latest last; nothing where it cannot be read.

    Only the end of the file is read, and a line that is not understood is none.
    """
    said = registry.said(host)
    if said is None or not path:
        return ()
    found: list[str] = []
    for limit in TAILS_BYTES:
        tail = _tail(path, limit)
        spoken = (said(entry).strip() for entry in _entries(tail))
        own = (text for text in spoken if text and not text.startswith(_WRAPPED))
        found = list(islice(own, TURNS))
        if len(found) == TURNS or len(tail) < limit:
            break
    return tuple(reversed(found))


def texts(content: object) -> str:
    """Join the texts of a message, without pictures, tools and thoughts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    said = (
        part.get("text")
        for part in parts
        if isinstance(part, Mapping) and part.get("type") in _TEXT
    )
    return "\n".join(text for text in said if isinstance(text, str))


def message(entry: Mapping[str, Any]) -> str:
    """Give what the person or the agent said in a message; nothing for a tool's."""
    found = entry.get("message")
    if not isinstance(found, Mapping) or found.get("role") not in _SPOKEN:
        return ""
    return texts(found.get("content"))


def _entries(tail: bytes) -> Iterator[dict[str, Any]]:
    """Read the lines of a transcript, the last one first."""
    for line in reversed(tail.split(b"\n")):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            yield entry


def _tail(path: str, limit: int) -> bytes:
    # A pipe in the place of a transcript must not hold the turn up.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return b""
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return b""
        start = max(0, status.st_size - limit)
        return os.pread(descriptor, limit, start)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
