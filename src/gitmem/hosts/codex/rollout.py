"""Read Codex's rollouts: what was said, and the calls of tools."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from gitmem.hosts.entry import (
    COMPACTION,
    MESSAGE,
    TOOL_RESULT,
    Call,
    Entry,
    Session,
    moment,
)
from gitmem.hosts.lines import lines
from gitmem.hosts.place import Where
from gitmem.hosts.touches import patched, touch

_DAYS: Final = 4
_SPOKEN: Final = {"UserMessage": "user", "AgentMessage": "assistant"}
_CALLS: Final = ("function_call", "custom_tool_call")
_RESULTS: Final = ("function_call_output", "custom_tool_call_output")
_PATCH: Final = "*** Begin Patch"


def roots(where: Where) -> tuple[Path, ...]:
    """Name the folder that holds the years of sessions."""
    return (where.folder("CODEX_HOME", ".codex") / "sessions",)


def root_of(transcript: Path) -> Path:
    """Name the root that a session's file lies in: above year, month and day."""
    parents = transcript.parents
    return parents[_DAYS - 1] if len(parents) > _DAYS else transcript.parent


def files(root: Path, folder: str) -> Iterator[Path]:  # noqa: ARG001  no name tells
    """Find all sessions: where one was begun stands only in it."""
    yield from root.glob("*/*/*/rollout-*.jsonl")


def header(path: str) -> Session | None:
    """Read whose session a file is; None where it is none of Codex's."""
    first = next(lines(path), None)
    found = first.read() if first else {}
    about = found.get("payload")
    if found.get("type") != "session_meta" or not isinstance(about, Mapping):
        return None
    return Session(
        host="codex",
        id=str(about.get("id", "")),
        path=path,
        cwd=str(about.get("cwd", "")),
        started=moment(about.get("timestamp")),
        parent=str(about.get("forked_from_id") or ""),
    )


def is_silent(line: bytes) -> bool:
    """Say of a line at a glance that it holds no entry."""
    return (
        b'"response_item"' not in line
        and b'"item_completed"' not in line
        and b'"compacted"' not in line
    )


def parse(line: Mapping[str, Any], session: str, position: int) -> Entry | None:
    """Read an entry; None for what is the program's own."""
    payload = line.get("payload")
    if not isinstance(payload, Mapping):
        return None
    read = _content(str(line.get("type")), payload)
    if read is None:
        return None
    found, kind, role, text, calls = read
    return Entry(
        id=found,
        session=session,
        at=moment(line.get("timestamp")),
        kind=kind,
        role=role,
        text=text,
        calls=calls,
        position=position,
    )


def _content(
    kind: str, payload: Mapping[str, Any]
) -> tuple[str, str, str, str, tuple[Call, ...]] | None:
    what, found = payload.get("type"), str(payload.get("id", ""))
    answered = str(payload.get("call_id", ""))
    if kind == "compacted":
        return "", COMPACTION, "system", str(payload.get("message", "")), ()
    if what == "item_completed":
        return _said(payload.get("item"))
    if kind == "response_item" and what in _CALLS:
        calls = tuple(_calls(answered, payload))
        return found or answered, MESSAGE, "assistant", "", calls
    if kind == "response_item" and what in _RESULTS:
        text = _texts(payload.get("output"))
        return found or answered, TOOL_RESULT, "tool", text, (Call(answered, ""),)
    return None


def _said(item: object) -> tuple[str, str, str, str, tuple[Call, ...]] | None:
    role = _SPOKEN.get(str(item.get("type"))) if isinstance(item, Mapping) else None
    if role is None or not isinstance(item, Mapping):
        return None
    return str(item.get("id", "")), MESSAGE, role, _texts(item.get("content")), ()


def _calls(call: str, payload: Mapping[str, Any]) -> Iterator[Call]:
    """Give a call, as often as it touches files: a patch may change several."""
    tool, namespace = str(payload.get("name", "")), payload.get("namespace")
    given = payload.get("arguments", payload.get("input"))
    text = given if isinstance(given, str) else ""
    arguments = _object(text)
    patch = _patch(arguments, text)
    name = f"{namespace}__{tool}" if isinstance(namespace, str) else tool
    touches = tuple(patched(patch)) or (touch(name, arguments),)
    for each in touches:
        yield Call(call, name, arguments, each)


def _patch(arguments: Mapping[str, Any], text: str) -> str:
    """Find the patch in a call, whichever tool it is given to."""
    several = (text, *(arguments.values()))
    for each in several:
        words = each if isinstance(each, list) else [each]
        for word in words:
            if isinstance(word, str) and _PATCH in word and "\n" in word:
                return word
    return ""


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {"input": text}
    return found if isinstance(found, dict) else {}


def _texts(content: object) -> str:
    """Join the texts of a message; each kind of Codex's has a name of its own."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    found = (part.get("text") for part in parts if isinstance(part, Mapping))
    return "\n".join(text for text in found if isinstance(text, str))
