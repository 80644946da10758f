"""Decide whether what was said may become a packet; pure."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import Final, TypeGuard

from gitmem import secrets
from gitmem.errors import InvalidMemory, PathRefused, SecretRefused, UsageError
from gitmem.memory import tags as labels
from gitmem.packets import kinds, room
from gitmem.packets.packet import Told
from gitmem.packets.quoting import quoted

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_JOINERS: Final = frozenset("\u200c\u200d")
_DRIVE: Final = re.compile(r"[A-Za-z]:")


def told(kind: str, said: Mapping[str, object]) -> Told:
    """Take what an agent says by the names of the fields; nothing is cut.

    Raises UsageError for an unknown kind or field, PathRefused for a file that is not
    named relative to the project, and InvalidMemory for all that is too long.
    """
    wanted = kinds.kind(kind)
    known = kinds.names(wanted)
    for name in said:
        if name not in known:
            raise UsageError(
                f"A {wanted} has no field {quoted(str(name))}.",
                f"Its fields are {', '.join(known)}.",
            )
    task = _text(said, "task", kinds.TEXT_LIMIT)
    topic = _line(said, "topic", kinds.TOPIC_LIMIT) or _topic_of(task)
    parts = {
        part.name: _list(said, part.name)
        if part.is_list
        else _text(said, part.name, kinds.TEXT_LIMIT)
        for part in kinds.PARTS[wanted]
    }
    found = Told(
        kind=wanted,
        topic=_needed(topic, "task" if wanted == kinds.CHECKPOINT else "topic"),
        summary=_needed(_text(said, "summary", kinds.SUMMARY_LIMIT), "summary"),
        tags=_tags(said),
        files=files(_given(said, "files", kinds.FILES_AT_MOST)),
        **parts,  # type: ignore[arg-type]
    )
    room.check(found)
    return found


def files(names: Sequence[str]) -> tuple[str, ...]:
    """Take names of a project's files, each once. Raises PathRefused."""
    return tuple(dict.fromkeys(map(_file, names)))


def day(text: str) -> date:
    """Read a day. Raises UsageError for another form, and for none of the calendar."""
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise UsageError(
        f"{quoted(text)} is not a date.", "Write a day such as 2026-04-30."
    )


def is_inside(name: str) -> bool:
    """Say whether a file is named relative to its project, with plain slashes."""
    parts = name.split("/")
    return not (
        set(parts) <= {"", "."}
        or name.startswith(("/", "~"))
        or _DRIVE.match(name)
        or "\\" in name
        or ".." in parts
        or not all(map(_is_in_names, name))
    )


def refuse_credentials(said: Mapping[str, object]) -> None:
    """Name the field that seems to hold a credential, and never say it back.

    Raises SecretRefused. Ask before a file is named after what was said.
    """
    for name, value in said.items():
        texts = value if _is_list(value) else (value,)
        for text in (name, *(each for each in texts if isinstance(each, str))):
            for found in secrets.find(text):
                raise SecretRefused(
                    f"The packet's field {quoted(name)} seems to hold a credential: "
                    f"{found.kind}.",
                    "Leave the value out and say where it is kept. If it is none, set "
                    "security.secrets to warn in your config.toml.",
                )


def _is_in_names(character: str) -> bool:
    # Persian, Indic scripts and emoji need the two zero-width joiners.
    return character.isprintable() or character in _JOINERS


def _file(name: str) -> str:
    if not is_inside(name):
        raise PathRefused(
            f"{quoted(name)} is not a path inside the project.",
            "Name files relative to the project's root, such as src/auth.ts.",
        )
    return _item(str(PurePosixPath(name)), "files")


def _tags(said: Mapping[str, object]) -> tuple[str, ...]:
    found = labels.unique(_list(said, "tags", kinds.TAGS_AT_MOST))
    if complaints := labels.check_free(found):
        holds_secret = any(map(secrets.find, found))
        why = "one seems to hold a credential" if holds_secret else complaints[0]
        raise InvalidMemory(
            f"The packet's tags cannot be used: {why}.",
            "Give each tag as one or a few words.",
        )
    return found


def _list(
    said: Mapping[str, object], name: str, most: int = kinds.ITEMS_AT_MOST
) -> tuple[str, ...]:
    found = (_item(_clean(each), name) for each in _given(said, name, most))
    return tuple(item for item in found if item)


def _given(said: Mapping[str, object], name: str, most: int) -> list[str]:
    given = said.get(name)
    items = [given] if isinstance(given, str) else given or ()
    texts = [each for each in items if isinstance(each, str)] if _is_list(items) else []
    if not _is_list(items) or len(texts) < len(items):
        raise InvalidMemory(
            f"The packet's {name} is no list of texts.", "Give one text for each."
        )
    if len(texts) > most:
        raise InvalidMemory(
            f"The packet's {name} has {len(texts)} items; {most} is the most.",
            "Keep those that whoever goes on will need.",
        )
    return texts


def _is_list(given: object) -> TypeGuard[Sequence[object]]:
    return isinstance(given, list | tuple)


def _item(text: str, name: str) -> str:
    return _bounded(text, f"list of {name} has an item that", kinds.ITEM_LIMIT)


def _line(said: Mapping[str, object], name: str, most: int) -> str:
    return " ".join(_text(said, name, most).split())


def _text(said: Mapping[str, object], name: str, most: int) -> str:
    given = said.get(name)
    if not isinstance(given, str | None):
        raise InvalidMemory(f"The packet's {name} is no text.", "Give it as one text.")
    return _bounded(_clean(given or ""), name, most)


def _bounded(text: str, what: str, most: int) -> str:
    if len(text) > most:
        raise InvalidMemory(
            f"The packet's {what} has {len(text):,} characters; {most:,} is the most.",
            "Say it shorter; what is longer belongs into a memory of its own.",
        )
    return text


def _clean(text: str) -> str:
    """Spell line breaks one way, and drop what no text has."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    shown_lines = ("".join(c if _is_text(c) else " " for c in line) for line in lines)
    return "\n".join(line.rstrip() for line in shown_lines).strip()


def _is_text(character: str) -> bool:
    return character == "\t" or _is_in_names(character)


def _needed(text: str, name: str) -> str:
    if not text:
        raise InvalidMemory(
            f"The packet has no {name}.", f"Say the {name} in a few words."
        )
    return text


def _topic_of(task: str) -> str:
    """Name a checkpoint after its task."""
    line = " ".join(task.partition("\n")[0].split())
    if len(line) <= kinds.TOPIC_LIMIT:
        return line
    return line[: kinds.TOPIC_LIMIT - 1].rstrip() + "…"
