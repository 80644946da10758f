"""Read a packet back from its file, whatever somebody made of it; pure."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from gitmem.memory.frontmatter.read import read as read_document
from gitmem.memory.load import tags_of
from gitmem.packets import kinds
from gitmem.packets.check import is_inside
from gitmem.packets.packet import Origin, Packet, Told

_HEADING: Final = "## "
_CUT: Final = re.compile(r"^(?=## )", re.MULTILINE)
_ESCAPED: Final = re.compile(r"^\\(?=\\*## )", re.MULTILINE)


def read(data: bytes) -> Packet | None:
    """Read a packet; None for a file that is none."""
    document = read_document(data)
    return of_fields(document.fields, document.body_text)


def of_fields(fields: Mapping[str, Any], body: str = "") -> Packet | None:
    """Read a packet from its frontmatter, and from its text where that is given."""
    kind, at = _text(fields, "packet"), moment(_text(fields, "timestamp"))
    if kind not in kinds.KINDS or at is None:
        return None
    sections = _sections(body)
    parts = {
        part.name: _items(sections.get(part.heading, ""))
        if part.is_list
        else _ESCAPED.sub("", sections.get(part.heading, ""))
        for part in kinds.PARTS[kind]
    }
    told = Told(
        kind=kind,
        topic=_text(fields, "title"),
        summary=_text(fields, "summary"),
        tags=tags_of(fields),
        files=tuple(filter(is_inside, _texts(fields, "files"))),
        **parts,  # type: ignore[arg-type]
    )
    return Packet(at, told, _origin(fields))


def moment(text: str) -> datetime | None:
    """Read a moment; without a zone it is one of UTC."""
    try:
        found = datetime.fromisoformat(text)
        aware = found if found.tzinfo else found.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _origin(fields: Mapping[str, Any]) -> Origin:
    return Origin(
        host=_text(fields, "host"),
        session=_text(fields, "session"),
        thread=_text(fields, "thread"),
        node=_text(fields, "node"),
        parent=_text(fields, "parent"),
        repo=_text(fields, "repo"),
        branch=_text(fields, "branch"),
        commit=_text(fields, "commit"),
        cwd=_text(fields, "cwd"),
    )


def _sections(body: str) -> dict[str, str]:
    """Cut a text at its headings; of two alike the first counts."""
    found: dict[str, str] = {}
    for section in _CUT.split(body.replace("\r\n", "\n")):
        heading, _, text = section.partition("\n")
        if heading.startswith(_HEADING):
            found.setdefault(heading.removeprefix(_HEADING).strip(), text.strip("\n"))
    return found


def _items(text: str) -> tuple[str, ...]:
    items: list[str] = []
    for line in text.split("\n"):
        if line.startswith("- "):
            items.append(line[2:])
        elif items:
            items[-1] += f"\n{line.removeprefix('  ')}"
    return tuple(item.strip() for item in items if item.strip())


def _text(fields: Mapping[str, Any], name: str) -> str:
    found = fields.get(name)
    return found if isinstance(found, str) else ""


def _texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = fields.get(name)
    listed = found if isinstance(found, list) else [found]
    return tuple(each for each in listed if isinstance(each, str) and each)
