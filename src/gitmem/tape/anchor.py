"""An anchor: a named checkpoint that points at an entry of a session; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from gitmem.tape.record import Draft, Record

SESSION: Final = "session"
HANDOFF: Final = "handoff"
THREAD: Final = "thread"
TYPES: Final = (SESSION, HANDOFF, THREAD)
# Who wanted an anchor: the agent, a keyword, the person.
DIRECT: Final = "direct"
KEYWORD: Final = "keyword"
MANUAL: Final = "manual"


@dataclass(frozen=True, slots=True)
class Meta:
    """What an anchor says of itself; `more` is what this gitmem has no word for."""

    trigger: str = ""
    keywords: tuple[str, ...] = ()
    summary: str = ""
    purpose: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A named place in a session; `entry` is empty where no entry was known."""

    id: str
    at: datetime
    name: str
    type: str
    meta: Meta = Meta()
    session: str = ""
    entry: str = ""


def of_record(record: Record) -> Anchor | None:
    """Read an anchor; None for an event."""
    return read(record) if record.type in TYPES else None


def read(record: Record) -> Anchor:
    """Read a record as an anchor."""
    known = {"trigger", "keywords", "summary", "purpose"}
    meta = Meta(
        trigger=text(record.meta, "trigger"),
        keywords=texts(record.meta, "keywords"),
        summary=text(record.meta, "summary"),
        purpose=text(record.meta, "purpose"),
        more={key: value for key, value in record.meta.items() if key not in known},
    )
    return Anchor(
        record.id,
        record.at,
        record.name,
        record.type,
        meta,
        record.session,
        record.entry,
    )


def draft(
    name: str,
    kind: str,
    meta: Meta,
    *,
    session: str = "",
    entry: str = "",
    key: str = "",
) -> Draft:
    """Prepare an anchor for the journal; what is empty is left out."""
    said = {
        "trigger": meta.trigger,
        "keywords": list(meta.keywords),
        "summary": meta.summary,
        "purpose": meta.purpose,
        **meta.more,
    }
    kept = {key: value for key, value in said.items() if value}
    return Draft(name, kind, kept, session, entry, key)


def text(meta: Mapping[str, Any], key: str) -> str:
    """Read a text of a record's meta; empty where there is none."""
    found = meta.get(key)
    return found if isinstance(found, str) else ""


def texts(meta: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Read a list of texts of a record's meta, without what is none."""
    found = meta.get(key)
    listed = found if isinstance(found, list) else []
    return tuple(each for each in listed if isinstance(each, str) and each)
