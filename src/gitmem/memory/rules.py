"""Decide whether the text of a memory may be written; pure."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal

from gitmem import secrets
from gitmem.errors import InvalidMemory, SecretRefused
from gitmem.files.names import shown
from gitmem.memory import tags
from gitmem.memory.conflicts import marker_line
from gitmem.memory.frontmatter.read import Document, read
from gitmem.memory.layout import is_claim, is_daily, is_packet, is_profile
from gitmem.memory.load import DESCRIPTION_LIMIT, tags_of
from gitmem.memory.memory import Severity

WHOLE_LIMIT_BYTES: Final = 8 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the settings ask of a memory that is written."""

    tag_contract: Literal["free", "strict"] = "free"
    secrets: Literal["block", "warn", "off"] = "block"
    max_file_bytes: int = 1_000_000


def accept(
    path: PurePosixPath,
    data: bytes,
    rules: Rules,
    *,
    is_new: bool,
    layer_tags: Collection[str] = (),
    had_tags: Collection[str] = (),
) -> tuple[str, ...]:
    """Give what a person should be warned of; raise what stands against the text.

    `layer_tags` are the tags of the layer's other memories, `had_tags` those that the
    memory had; only the strict contract asks for them. Raises InvalidMemory or
    SecretRefused.
    """
    _check_size(path, data, rules.max_file_bytes)
    check_text(path, data)
    document = read(data)
    check_document(path, document)
    _check_description(path, document, is_required=is_new)
    _check_tags(path, document, rules, layer_tags, had_tags)
    spelled = tags.respelled(tags_of(document.fields), layer_tags)
    return (*spelled, *_check_secrets(path, data, rules))


def is_strict(path: PurePosixPath, rules: Rules) -> bool:
    """Say whether a memory's tags are held to the strict contract.

    A claim needs none, and a packet has as many as its own limits allow.
    """
    is_index = not is_claim(path) and not is_packet(path)
    return rules.tag_contract == "strict" and is_index


def size_limit(path: PurePosixPath, max_file_bytes: int) -> int:
    """Say how large a file may be; what is given whole must be short."""
    is_given_whole = is_profile(path) or is_daily(path)
    return min(WHOLE_LIMIT_BYTES, max_file_bytes) if is_given_whole else max_file_bytes


def _check_size(path: PurePosixPath, data: bytes, max_file_bytes: int) -> None:
    limit = size_limit(path, max_file_bytes)
    if len(data) <= limit:
        return
    raise InvalidMemory(
        f"{shown(str(path))} would have {len(data):,} bytes; {limit:,} is the most.",
        "Move a part of it to a memory of its own, and name that in the text.",
    )


def check_text(path: PurePosixPath, data: bytes) -> None:
    """Refuse what is no text, or half a merge. Raises InvalidMemory."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidMemory(
            f"{shown(str(path))}:{line} is not UTF-8.",
            "Save the text as UTF-8 and write it again.",
        ) from error
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InvalidMemory(
            f"{shown(str(path))}:{line} has a NUL byte; it is not text.",
            "Write Markdown text only.",
        )
    if line := marker_line(data):
        raise InvalidMemory(
            f"{shown(str(path))}:{line} has the markers of an unsettled conflict.",
            "Settle it first. To write about markers, indent them by a space.",
        )


def check_document(path: PurePosixPath, document: Document) -> None:
    """Refuse frontmatter that hides a part of the file. Raises InvalidMemory."""
    for problem in document.problems:
        if problem.severity is Severity.ERROR:
            raise InvalidMemory(
                f"{shown(str(path))}:{problem.line} {problem.message}",
                "Mend the frontmatter and write it again.",
            )


def _check_description(
    path: PurePosixPath, document: Document, *, is_required: bool
) -> None:
    value = document.fields.get("description", "")
    if not isinstance(value, str) or len(value.strip().splitlines()) > 1:
        raise InvalidMemory(
            f"The description of {shown(str(path))} is not one line of text.",
            "Say in one line what the memory holds and when to read it.",
        )
    if len(value) > DESCRIPTION_LIMIT:
        raise InvalidMemory(
            f"The description of {shown(str(path))} has {len(value)} characters; at "
            f"most {DESCRIPTION_LIMIT} are delivered.",
            "Shorten it, and keep the details in the text.",
        )
    if is_required and not value.strip():
        raise InvalidMemory(
            f"{shown(str(path))} is new and has no description.",
            "Say in one line what it holds and when to read it.",
        )


def _check_tags(
    path: PurePosixPath,
    document: Document,
    rules: Rules,
    layer_tags: Collection[str],
    had_tags: Collection[str],
) -> None:
    written = tags.unique(tags_of(document.fields))
    if is_strict(path, rules):
        complaints = tags.check_strict(written, layer_tags, had_tags)
    else:
        complaints = tags.check_free(written, layer_tags)
    if complaints:
        raise InvalidMemory(
            f"The tags of {shown(str(path))} cannot be used: {'; '.join(complaints)}.",
            "Change the tags and write it again.",
        )


def _check_secrets(path: PurePosixPath, data: bytes, rules: Rules) -> tuple[str, ...]:
    if rules.secrets == "off":
        return ()
    hidden, found = secrets.in_name(str(path)), secrets.find(data)
    if not hidden and not found:
        return ()
    name = secrets.conceal(shown(str(path)))
    warnings = (
        *(
            f"The name {name} seems to hold a credential: {each.kind}"
            for each in hidden
        ),
        *(
            f"{name}:{each.line} seems to hold a credential: {each.kind}"
            for each in found
        ),
    )
    if rules.secrets == "block":
        raise SecretRefused(
            f"{'; '.join(warnings[:5])}.",
            "Leave the value out and say where it is kept. If it is none, set "
            "security.secrets to warn in your config.toml.",
        )
    return warnings
