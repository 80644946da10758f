"""basic-memory: notes with observations and relations, written as Markdown."""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gitmem.importers.days import day
from gitmem.importers.foreign import File, Foreign
from gitmem.importers.source import Found, Item, left
from gitmem.memory.frontmatter.read import read as read_document
from gitmem.memory.load import tags_of
from gitmem.memory.tags import unique

ABOUT: Final = "a project of basic-memory"
_SAMPLE: Final = 50
# `- [category] text #tag (context)`; a box to tick is none.
_OBSERVATION: Final = re.compile(
    r"^\s{0,20}[-*+] \[(?!\s?\]|[xX-]\]|\[)(?P<category>[^\[\]\n]{1,100})\](?!\()"
    r"(?P<text>[^\n]*)$",
    re.MULTILINE,
)
_TAG: Final = re.compile(r"(?<![\w/#&])#(?P<tag>\w[\w/-]{0,80})")
_CODE: Final = re.compile(r"`[^`\n]*`")
_FENCED: Final = re.compile(
    r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL
)
_SHOWN: Final = 200
_HEAD: Final = 8_192


def looks(store: Foreign) -> bool:
    """Say whether most notes there have a permalink, which basic-memory gives each."""
    heads = (data for file, data in store.markdown() if not file.trouble)
    notes = [_is_note(data) for data in itertools.islice(heads, _SAMPLE)]
    return sum(notes) > len(notes) / 2


def read(store: Foreign) -> Iterator[Item]:
    """Take each note as it is, and the tags of its observations with it."""
    for file, data in store.markdown():
        if file.trouble:
            yield left(file, str(file.path))
        else:
            yield _note(file, data)


def _note(file: File, data: bytes) -> Found:
    document = read_document(data)
    fields, body = document.fields, document.body_text
    own, said = tags_of(fields), _observed(body)
    tags = unique([*own, *said])
    title = _text(fields, "title") or file.path.stem
    changed = day(_text(fields, "modified")) or day(_text(fields, "updated"))
    mapped = []
    more: dict[str, object] = {}
    if len(tags) > len(own):
        mapped.append("#tag in an observation -> tags")
    if not _text(fields, "title"):
        more["title"] = title
        mapped.append("name of the file -> title")
    if _text(fields, "modified"):
        mapped.append("modified -> updated")
    if not _text(fields, "description"):
        mapped.append("title and first line -> description")
    return Found(
        str(file.path),
        file.path,
        description=_described(title, body),
        tags=tuple(said),
        created=file.day,
        updated=changed or file.day,
        fields=more,
        raw=data,
        document=data,
        mapped=tuple(mapped),
    )


def _described(title: str, body: str) -> str:
    """Say what a note is called, and what it says first."""
    lines = (line.strip() for line in body.splitlines())
    plain = (
        line for line in lines if line and not line.startswith(("#", "```", "---"))
    )
    first = next(plain, "")
    observed = _OBSERVATION.match(first)
    words = observed["text"] if observed else first.lstrip("-*+> ")
    said = " ".join(words.split())
    return f"{title}: {said}"[:_SHOWN] if said and said != title else title


def _observed(body: str) -> list[str]:
    """List the tags in observations, in the order in which they stand."""
    prose = _FENCED.sub("", body)
    return [
        tag["tag"]
        for found in _OBSERVATION.finditer(prose)
        for tag in _TAG.finditer(_CODE.sub(" ", found["text"]))
    ]


def _is_note(data: bytes) -> bool:
    return bool(_text(read_document(data[:_HEAD]).fields, "permalink"))


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""
