"""Read pi's session files: a header, and a tree of entries."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from gitmem.hosts.entry import (
    COMPACTION,
    CUSTOM,
    EDIT,
    MESSAGE,
    OTHER,
    TOOL_RESULT,
    Call,
    Entry,
    Session,
    Touch,
    moment,
)
from gitmem.hosts.lines import lines
from gitmem.hosts.place import Where
from gitmem.hosts.touches import numbered, tool_calls
from gitmem.hosts.transcript import message, texts

_SPOKEN: Final = ("user", "assistant")
_SUMMARIES: Final = frozenset({"compaction", "branch_summary"})


def said(entry: Mapping[str, Any]) -> str:
    """Give what was said in a message; other entries say nothing."""
    return message(entry) if entry.get("type") == "message" else ""


def roots(where: Where) -> tuple[Path, ...]:
    """Name the folders that hold sessions, or folders of them."""
    agent = where.folder("PI_CODING_AGENT_DIR", ".pi", "agent")
    usual = agent / "sessions"
    return usual, where.folder("PI_CODING_AGENT_SESSION_DIR", *usual.parts)


def root_of(transcript: Path) -> Path:
    """Name the root that a session's file lies in."""
    folder = transcript.parent
    return folder.parent if _is_of_folder(folder.name) else folder


def files(root: Path, folder: str) -> Iterator[Path]:
    """Find the sessions that may have been begun in a folder or below it."""
    slug = folder.lstrip("/").replace("/", "-").replace(":", "-")
    for found in root.glob("--*--"):
        if found.name.startswith((f"--{slug}-", f"--{slug}--")) or not slug:
            yield from found.glob("*.jsonl")
    yield from root.glob("*.jsonl")


def header(path: str) -> Session | None:
    """Read whose session a file is; None where it is none of pi's."""
    first = next(lines(path), None)
    found = first.read() if first else {}
    if found.get("type") != "session" or not isinstance(found.get("id"), str):
        return None
    parent = found.get("parentSession")
    return Session(
        host="pi",
        id=found["id"],
        path=path,
        cwd=str(found.get("cwd", "")),
        started=moment(found.get("timestamp")),
        # The file is named after its time and its session.
        parent=Path(parent).stem.rpartition("_")[2] if isinstance(parent, str) else "",
    )


def is_silent(line: bytes) -> bool:
    """Say of a line at a glance that it holds no entry."""
    return line.startswith(b'{"type":"session"')


def parse(line: Mapping[str, Any], session: str, position: int) -> Entry | None:
    """Read an entry; None for what is none, as the header."""
    kind, found = line.get("type"), line.get("id")
    if kind == "session" or not isinstance(kind, str) or not isinstance(found, str):
        return None
    kind, role, text, calls = _content(kind, line)
    parent = line.get("parentId")
    return Entry(
        id=found,
        session=session,
        at=moment(line.get("timestamp")),
        kind=kind,
        role=role,
        text=text,
        calls=calls,
        parent=parent if isinstance(parent, str) else "",
        position=position,
    )


def _content(
    kind: str, line: Mapping[str, Any]
) -> tuple[str, str, str, tuple[Call, ...]]:
    if kind in _SUMMARIES:
        return COMPACTION, "system", str(line.get("summary", "")), ()
    if kind == "custom_message":
        return CUSTOM, "system", texts(line.get("content")), ()
    if kind == "custom":
        return CUSTOM, "system", str(line.get("customType", "")), ()
    found = line.get("message")
    if kind != "message" or not isinstance(found, Mapping):
        return OTHER, "system", "", ()
    role, text = found.get("role"), texts(found.get("content"))
    if role == "toolResult":
        return TOOL_RESULT, "tool", text, (_answered(found),)
    if role in _SPOKEN:
        made = tool_calls(found.get("content"), kind="toolCall", given="arguments")
        return MESSAGE, str(role), text, tuple(made)
    return OTHER, "system", text, ()


def _answered(found: Mapping[str, Any]) -> Call:
    details, tool = found.get("details"), str(found.get("toolName", ""))
    changed = None
    if tool == "edit" and isinstance(details, Mapping):
        diff = details.get("diff")
        shown = diff if isinstance(diff, str) else ""
        several = numbered(shown, details.get("firstChangedLine"))
        changed = Touch("", EDIT, several)
    return Call(str(found.get("toolCallId", "")), tool, touch=changed)


def _is_of_folder(name: str) -> bool:
    return name.startswith("--") and name.endswith("--")
