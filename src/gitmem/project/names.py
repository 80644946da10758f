"""Turn any folder's name into one that a layer may carry; pure."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from gitmem.files.names import refusal

RESERVED: Final = frozenset({"global", "tape"})
LIMIT_BYTES: Final = 100
NAMELESS: Final = "unnamed"
SAFE_PREFIX: Final = "project-"
# What some file system, or an unquoted shell line, would take for something else.
_UNSAFE: Final = frozenset('/\\<>:"|?*$`')


def layer_name(text: str, *, reserved: Iterable[str] = ()) -> str:
    """Make a name for a layer; every script stays, what a file system dislikes goes.

    `reserved` adds names that a project may not have, such as the shared layer's.
    """
    plain = "".join(
        "-" if _is_unsafe(c) else c for c in unicodedata.normalize("NFC", text)
    )
    name = re.sub(r"-{2,}", "-", plain).lstrip(".-~ ").rstrip("-. ") or NAMELESS
    taken = RESERVED.union(folded(each) for each in reserved)
    name = _bounded(name)
    if folded(name) in taken or refusal(name):
        return _bounded(SAFE_PREFIX + name)
    return name


def folded(name: str) -> str:
    """Spell a name the way two of them are compared."""
    return unicodedata.normalize("NFC", name).casefold()


def digest(text: str) -> str:
    """Stand for a text that is too long, or not to be told."""
    import hashlib  # rare: 2 ms

    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _is_unsafe(character: str) -> bool:
    category = unicodedata.category(character)
    # Persian, Indic scripts and emoji need the two zero-width joiners.
    is_invisible = category in {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"}
    return character in _UNSAFE or (is_invisible and character not in " \u200c\u200d")


def _bounded(name: str) -> str:
    """Shorten a long name, keeping two different ones apart."""
    data = name.encode()
    if len(data) <= LIMIT_BYTES:
        return name
    mark = "-" + digest(name)[:8]
    head = data[: LIMIT_BYTES - len(mark)].decode(errors="ignore")
    return head.rstrip("-. ") + mark
