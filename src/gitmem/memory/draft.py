"""Work out the bytes of a memory from what it holds and what is to change; pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gitmem.errors import InvalidMemory
from gitmem.memory import tags
from gitmem.memory.frontmatter.edit import edit, render
from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.requote import requote
from gitmem.memory.frontmatter.split import Parts, join, split
from gitmem.memory.memory import Severity


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be written: some fields, and a text that takes the old one's place.

    Fields that are not named stay as they are; a body of None leaves the old text.
    """

    fields: Mapping[str, object] = field(default_factory=dict)
    body: str | None = None


def of_document(data: bytes) -> Draft:
    """Take a whole file for a draft; without frontmatter it is a text alone.

    Raises InvalidMemory for what is not UTF-8, and for frontmatter that hides a part
    of the file, before anything would replace it.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidMemory(
            f"Line {line} of the text is not UTF-8.",
            "Save the text as UTF-8 and write it again.",
        ) from error
    document = read(data)
    for problem in document.problems:
        if problem.severity is Severity.ERROR:
            raise InvalidMemory(
                f"Line {problem.line} of the text: {problem.message}",
                "Mend the frontmatter and write it again.",
            )
    return Draft(document.fields, document.body_text)


def created(draft: Draft, day: str) -> bytes:
    """Give the bytes of a new memory."""
    fields = {"description": "", "tags": [], **_fields(draft)}
    fields.setdefault("created", day)
    fields.setdefault("updated", day)
    return _ended(render(fields, draft.body or ""), b"\n")


def created_from(document: bytes, draft: Draft, day: str) -> bytes:
    """Give the bytes of a new memory whose file somebody wrote already.

    The fields of the draft are laid over the document's own, and a text that YAML
    would reject is put into quotes.
    """
    document = requote(document)
    if not split(document).opening:
        return created(draft, day)
    known = read(document).fields
    dates = {key: day for key in ("created", "updated") if not known.get(key)}
    changes = {**dates, **_changes(known, draft)}
    return _ended(edit(document, changes), split(document).newline)


def updated(data: bytes, draft: Draft, day: str) -> bytes:
    """Give a memory's new bytes, the same ones when the draft changes nothing.

    Every byte that the draft does not speak of stays, and so does the file's own way
    to end a line. A new `updated` goes with every change.
    """
    changes = _changes(read(data).fields, draft)
    changes.pop("updated", None)
    parts = split(data)
    body = parts.body if draft.body is None else _body(parts, draft.body)
    if not changes and body == parts.body:
        return data
    text = join(replace(parts, body=body))
    return _ended(edit(text, {**changes, "updated": day}), parts.newline)


def _changes(known: Mapping[str, object], draft: Draft) -> dict[str, object]:
    return {
        key: value
        for key, value in _fields(draft).items()
        if key not in known or known[key] != value
    }


def _fields(draft: Draft) -> dict[str, object]:
    """Give the fields as reading them back does, each tag in one spelling."""
    fields = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in draft.fields.items()
    }
    written = draft.fields.get("tags")
    if isinstance(written, list | tuple):
        fields["tags"] = list(tags.unique(written))
    # Half a character is refused here, before anything would replace it.
    json.dumps([fields, draft.body], ensure_ascii=False, default=str).encode()
    return fields


def _body(parts: Parts, text: str) -> bytes:
    """Spell a text like the file it goes into, a blank line below the frontmatter kept.

    Whoever gives a text alone rarely begins it with the blank line that stood there.
    """
    lines = text.replace("\r\n", "\n").encode()
    if parts.newline == b"\r\n":
        lines = lines.replace(b"\n", b"\r\n")
    had_gap = parts.body.startswith((b"\n", b"\r\n"))
    has_gap = not lines or lines.startswith((b"\n", b"\r\n"))
    return parts.newline + lines if had_gap and not has_gap else lines


def _ended(data: bytes, newline: bytes) -> bytes:
    return data if data.endswith((b"\n", b"\r")) else data + newline
