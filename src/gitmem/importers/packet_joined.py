"""Make one packet of what its text, its index lines and its name say; pure."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Final

from gitmem.importers.days import clock, day
from gitmem.importers.packet_index import Reference
from gitmem.importers.packet_text import Filled
from gitmem.memory.tags import unique
from gitmem.packets import kinds, room
from gitmem.packets.check import is_inside
from gitmem.packets.packet import Origin, Packet, Told
from gitmem.packets.read import moment
from gitmem.packets.render import draft

_NAME: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:T(?P<h>\d\d)-(?P<m>\d\d)-(?P<s>\d\d(?:\.\d{1,6})?)Z?)?"
    r"(?:-(?P<kind>handoff|checkpoint))?-?(?P<topic>.*)"
)
_REPO: Final = re.compile(r"(?P<repo>[^()]*?)\s*(?:\((?P<cwd>[^()]*)\))?")
# More than a packet of ours may have; what is beyond stands in the notes.
_TAGS_AT_MOST: Final = 100
_OF_THE_INDEX: Final = frozenset({"version", "kind", "packetKind", "path", "files"})
_WORD: Final = re.compile(r"\w+")
_TOPIC: Final = "topic"
_SUMMARY: Final = "summary"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a packet is known from: its file's name and day, its text, its lines."""

    path: PurePosixPath
    day: str
    form: Filled
    lines: Sequence[Reference]

    @property
    def name(self) -> re.Match[str] | None:
        """Return what the file's name says."""
        return _NAME.fullmatch(self.path.stem)

    def indexed(self, name: str) -> tuple[str, ...]:
        """Return what the lines say of a field, the newest first."""
        found = (line.text(name) for line in reversed(self.lines))
        return tuple(dict.fromkeys(text for text in found if text))

    def best(self, name: str, key: str) -> str:
        """Return a line of the text, or what the index says in its place."""
        return self.form.line(name) or next(iter(self.indexed(key)), "")


def joined(known: Sources) -> tuple[Packet, str]:
    """Give the packet, and what is said beside its fields; of both nothing is lost."""
    form, kind = known.form, _kind(known)
    topic = known.best(_TOPIC, _TOPIC) or _topic(known)
    summary = form.text(_SUMMARY) or next(iter(known.indexed(_SUMMARY)), topic)
    inside, others = form.files()
    listed = [name for line in known.lines for name in line.texts("files")]
    tags = [*form.tags(), *(tag for line in known.lines for tag in line.texts("tags"))]
    parts: dict[str, Any] = {
        part.name: form.items(part.name) if part.is_list else form.text(part.name)
        for part in kinds.PARTS[kind]
    }
    told = Told(
        kind=kind,
        topic=topic,
        summary=summary,
        tags=unique(tags)[:_TAGS_AT_MOST],
        **parts,
    )
    bare = Packet(_moment(known), told, _origin(known))
    packet = room.with_files(bare, [*inside, *filter(is_inside, listed)])
    kept = frozenset(packet.told.files)
    left = dict.fromkeys(name for name in (*inside, *listed) if name not in kept)
    return packet, _notes(known, packet, (*others, *left))


def _kind(known: Sources) -> str:
    named = known.name["kind"] if known.name else ""
    wanted = (known.form.kind, *known.indexed("packetKind"), named)
    return next((kind for kind in wanted if kind in kinds.KINDS), kinds.HANDOFF)


def _topic(known: Sources) -> str:
    named = (known.name["topic"] if known.name else "") or known.path.stem
    return known.form.line("task") or " ".join(named.replace("-", " ").split())


def _moment(known: Sources) -> datetime:
    """Find when it was made; the last resort is the day of its file."""
    written = (known.form.line("timestamp"), *known.indexed("timestamp"))
    found = (clock(text) or moment(text) for text in (*written, _named(known)) if text)
    days = (day(text) for text in (*written, known.path.stem, known.day))
    at = next((each for each in found if each), None)
    at = at or next((moment(each) for each in days if each), None)
    return at or datetime.fromtimestamp(0, UTC)


def _named(known: Sources) -> str:
    found = known.name
    if not found or not found["h"]:
        return ""
    return f"{found['day']}T{found['h']}:{found['m']}:{found['s']}+00:00"


def _origin(known: Sources) -> Origin:
    written = _REPO.fullmatch(known.form.line("repo"))
    repo = (written["repo"] if written else known.form.line("repo")).strip()
    cwd = (written["cwd"] or "" if written else "").strip()
    if "/" in repo:
        repo, cwd = PurePosixPath(repo).name, cwd or repo
    return Origin(
        session=known.best("session", "threadId"),
        parent=known.best("parent", "parentThreadId"),
        repo=next(iter(known.indexed("repo")), repo),
        branch=known.best("branch", "branch"),
        commit=known.best("commit", "commit"),
        cwd=next(iter(known.indexed("cwd")), known.form.line("cwd") or cwd),
    )


def _notes(known: Sources, packet: Packet, files: Sequence[str]) -> str:
    """Give what has no field, and whatever else the packet does not say."""
    other = "\n".join(known.form.others).strip("\n")
    named = "\n".join(["Files, as they were named:", "", *(f"- {f}" for f in files)])
    blocks = [other, named if files else ""]
    written = draft(packet)
    has = _words("\n".join([str(written.fields), written.body or "", *blocks]))
    for block, text in _told(known, packet):
        if not _words(text) <= has:
            blocks.append(block)
            has |= _words(text)
    return "\n\n".join(block for block in blocks if block.strip())


def _told(known: Sources, packet: Packet) -> Iterator[tuple[str, str]]:
    """Give all that text and index say, each as it would be noted."""
    for name in known.form.said:
        text = known.form.text(name)
        if name != "timestamp" or moment(text) != packet.at:
            yield f"{name.capitalize()}: {text}", text
    for line in known.lines:
        for name, value in line.said.items():
            text = (
                value
                if isinstance(value, str)
                else json.dumps(value, ensure_ascii=False)
            )
            if name not in _OF_THE_INDEX and (clock(text) or moment(text)) != packet.at:
                yield f"In the index, {name}: {text}", text


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))
