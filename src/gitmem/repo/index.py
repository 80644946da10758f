"""Read Git's index without Git: whether it is sound, and what is marked in it.

Git itself looks at the checksum only in `git fsck`: of one bit that a bad disk turned
it makes a tree that no other Git takes. The format is told in gitformat-index(5).
"""

import hashlib
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

NAME: Final = "index"
_HEADER: Final = struct.Struct(">4sII")
_ENTRY: Final = struct.Struct(">24xI12x20sH")
_SIGNATURE: Final = b"DIRC"
_CHECKSUM_BYTES: Final = 20
_PADDING: Final = 8
# In this version names are written in another way, and only Git reads the entries.
_COMPRESSED: Final = 4
_VERSIONS: Final = frozenset({2, 3, _COMPRESSED})
_MODES: Final = frozenset({0o100644, 0o100755, 0o120000, 0o160000, 0o040000})
_NO_OBJECT: Final = bytes(20)
_ASSUMED, _EXTENDED, _STAGE, _SKIPPED = 0x8000, 0x4000, 0x3000, 0x4000


@dataclass(frozen=True, slots=True)
class Index:
    """What an index tells about itself.

    Where `may_assume`, Git was told to take files for unchanged; where `may_skip`, not
    to look for some of them at all.
    """

    is_sound: bool = False
    may_assume: bool = False
    may_skip: bool = False


def read(git_folder: Path) -> Index | None:
    """Look at the index of a repository; None where there is none.

    One without a checksum counts as damaged: nothing says that it is not.
    """
    path = git_folder / NAME
    try:
        found = path.stat()
        return _look(path, found.st_ino, found.st_mtime_ns, found.st_ctime_ns)
    except FileNotFoundError:
        return None
    except OSError:
        return Index()


@lru_cache(maxsize=4)
def _look(path: Path, *_version: int) -> Index:
    """Read an index once: a cycle asks several times, for thousands of entries."""
    data = path.read_bytes()
    body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    if hashlib.sha1(body, usedforsecurity=False).digest() != checksum:
        return Index()
    try:
        return _parse(body)
    except (struct.error, ValueError):
        return Index()


def _parse(body: bytes) -> Index:
    signature, version, count = _HEADER.unpack_from(body)
    if signature != _SIGNATURE or version not in _VERSIONS:
        return Index()
    if version == _COMPRESSED:
        return Index(is_sound=True, may_assume=True, may_skip=True)
    at, last, marks = _HEADER.size, (b"", -1), 0
    for _ in range(count):
        mode, oid, flags = _ENTRY.unpack_from(body, at)
        begin = at + _ENTRY.size
        if flags & _EXTENDED:
            marks |= int.from_bytes(body[begin : begin + 2]) & _SKIPPED
            begin += 2
        end = body.index(b"\0", begin)
        this = (body[begin:end], flags & _STAGE)
        if this <= last or mode not in _MODES or oid == _NO_OBJECT:
            return Index()
        marks |= flags & _ASSUMED
        at, last = at + ((end - at) // _PADDING + 1) * _PADDING, this
    return Index(
        is_sound=True,
        may_assume=bool(marks & _ASSUMED),
        may_skip=bool(marks & _SKIPPED),
    )
