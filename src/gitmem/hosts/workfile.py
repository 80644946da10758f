"""Keep what was read of transcripts, so that it need not be read again.

It is disposable: what cannot be understood is nothing, and is read anew.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from heapq import nlargest
from pathlib import Path, PurePosixPath
from typing import Any, Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.files.tree import Tree
from gitmem.hosts.entry import Session, moment
from gitmem.hosts.lines import Place
from gitmem.hosts.transcripts import File
from gitmem.hosts.work import Access, Read

FORMAT: Final = 1
LIMIT_BYTES: Final = 32 * 1024 * 1024
# So that a start need not wait for what nobody would be told of.
MOST_ACCESSES: Final = 3000
# Anchors are looked up in these, and matter for hours only.
WITH_IDS: Final = 20


def load(path: Path) -> dict[str, Read]:
    """Give what was kept, by path of the transcript."""
    try:
        tree = Tree(path.parent)
        data = tree.read(PurePosixPath(path.name), limit_bytes=LIMIT_BYTES)
        found = json.loads(data)
        if found["format"] != FORMAT:
            return {}
        return {each[0][1]: _read(each) for each in found["files"]}
    except (
        GitmemError,
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
    ):
        return {}


def save(path: Path, found: Mapping[str, Read]) -> None:
    """Keep it; where that cannot be, it is read once more."""
    files = [_written(each) for each in _cut(found.values())]
    data = json.dumps({"format": FORMAT, "files": files}, separators=(",", ":"))
    with suppress(GitmemError, OSError):
        private_folder(path.parent)
        write(path, data.encode("ascii"))


def _cut(found: Iterable[Read]) -> list[Read]:
    """Let go of the oldest accesses, and of the ids of the oldest sessions."""
    several = sorted(found, key=lambda each: -each.last)
    every = (access.at for each in several for access in each.accesses)
    newest = nlargest(MOST_ACCESSES, every)
    since = newest[-1] if len(newest) == MOST_ACCESSES else float("-inf")
    return [
        replace(
            each,
            ids=each.ids if number < WITH_IDS else (),
            accesses=tuple(access for access in each.accesses if access.at >= since),
        )
        for number, each in enumerate(several)
    ]


def _written(read: Read) -> list[Any]:
    file, owner = read.file, read.owner
    said = None if owner is None else {**asdict(owner), "started": str(owner.started)}
    return [
        [file.host, file.path, file.size, file.inode, file.changed_ns],
        said,
        [read.place.offset, read.place.position, read.check, read.count, read.last],
        list(read.ids),
        dict(read.pending),
        [
            [each.at, each.path, each.kind, each.ordinal, each.lines]
            for each in read.accesses
        ],
    ]


def _read(found: list[Any]) -> Read:
    file, said, place, ids, pending, several = found
    host, path, size, inode, changed = file
    owner = None if said is None else _owner(said)
    offset, position, check, count, last = place
    session = owner.id if owner else ""
    return Read(
        file=File(str(host), str(path), int(size), int(inode), int(changed)),
        owner=owner,
        place=Place(int(offset), int(position)),
        check=str(check),
        count=int(count),
        last=float(last),
        ids=tuple(map(str, ids)),
        pending={str(key): str(value) for key, value in pending.items()},
        accesses=tuple(
            Access(
                float(at),
                str(name),
                str(kind),
                session,
                int(ordinal),
                tuple((int(first), int(end)) for first, end in lines),
            )
            for at, name, kind, ordinal, lines in several
        ),
    )


def _owner(said: Mapping[str, Any]) -> Session:
    texts = {key: str(said[key]) for key in ("host", "id", "path", "cwd", "parent")}
    is_part = said["is_part"] is True
    return Session(started=moment(said["started"]), is_part=is_part, **texts)
