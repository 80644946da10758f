"""One line of a tape: a JSON object, its keys in one order; pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

EVENT: Final = "event"
# Longer ones are not gitmem's, and would only cost whoever reads them.
LINE_LIMIT_BYTES: Final = 256 * 1024
NAME_LIMIT: Final = 300
ID_LIMIT: Final = 1_000
_ID_DIGITS: Final = 16
# Nothing that is said of an anchor is so deep; who writes it would run out of stack.
_DEEPEST: Final = 32


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be written; the journal gives it its moment, and so its id.

    With a `key` its id follows from that: it is written once, whoever tries again.
    """

    name: str
    type: str
    meta: Mapping[str, Any] = field(default_factory=dict)
    session: str = ""
    entry: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A line as it was written: an anchor, or an event about anchors and threads."""

    id: str
    at: datetime
    name: str
    type: str
    meta: Mapping[str, Any] = field(default_factory=dict)
    session: str = ""
    entry: str = ""


def made(draft: Draft, at: datetime, machine: str) -> Record:
    """Give a draft its moment, and the id that follows from it."""
    own = draft.key or f"{draft.entry}:{stamp(at)}"
    key = f"{own}:{draft.name}:{machine}"
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return Record(
        digest[:_ID_DIGITS],
        at,
        draft.name,
        draft.type,
        draft.meta,
        draft.session,
        draft.entry,
    )


def written(record: Record) -> bytes:
    """Write a record as one line."""
    document = {
        "id": record.id,
        "timestamp": stamp(record.at),
        "name": record.name,
        "type": record.type,
        "meta": dict(record.meta),
        "sessionId": record.session,
        "sessionEntryId": record.entry,
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def read(line: bytes) -> Record | None:
    """Read a line; None for one that is torn, or that is no record.

    pi-memory-md calls the type `kind` in its older files, and leaves out the id.
    """
    if len(line) > LINE_LIMIT_BYTES:
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or _is_deep(line, found):
        return None
    name, at = _text(found, "name"), moment(_text(found, "timestamp"))
    kind = _text(found, "type") or _text(found, "kind")
    if not name or len(name) > NAME_LIMIT or at is None or not kind:
        return None
    entry, meta = _text(found, "sessionEntryId"), found.get("meta")
    own = _text(found, "id") or f"{entry}:{_text(found, 'timestamp')}:{name}"
    if len(own) > ID_LIMIT:
        return None
    return Record(
        id=own,
        at=at,
        name=name,
        type=kind,
        meta=meta if isinstance(meta, dict) else {},
        session=_text(found, "sessionId"),
        entry=entry,
    )


def stamp(at: datetime) -> str:
    """Write a moment so that the order of texts is the order of time."""
    text = at.astimezone(UTC).isoformat(timespec="microseconds")
    return text.replace("+00:00", "Z")


def moment(text: str) -> datetime | None:
    """Read a moment, or a day as its beginning; without a zone it is one of UTC."""
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        return found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _is_deep(line: bytes, found: Mapping[str, Any]) -> bool:
    """Say whether values lie in one another too often to be written again."""
    if line.count(b"[") + line.count(b"{") <= _DEEPEST:
        return False
    level: list[Any] = [found]
    for _ in range(_DEEPEST):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return bool(level)


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""
