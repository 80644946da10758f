"""Read Claude Code's transcripts: messages among much that is its own."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from gitmem.hosts.entry import (
    COMPACTION,
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
from gitmem.hosts.lines import opened
from gitmem.hosts.place import Where
from gitmem.hosts.touches import hunks, tool_calls
from gitmem.hosts.transcript import message, texts

_SPOKEN: Final = ("user", "assistant")
# Before the first prompt may stand what hooks and the program itself had to say.
_HEADS_BYTES: Final = (16 * 1024, 512 * 1024)
# A name longer than this is cut, and ends in a hash.
_LONGEST_SLUG: Final = 190
_NOT_IN_SLUG: Final = re.compile(r"[^A-Za-z0-9]")
_CWD: Final = re.compile(rb'"cwd":\s*("(?:[^"\\]|\\.)*")')
_TIME: Final = re.compile(rb'"timestamp":\s*"([^"\\]{1,40})"')
# The program wraps what is not the person's own words in tags.
_WRAPPED: Final = "<"
_PROGRAM: Final = "<synthetic>"
# The folder of what a session's subagents did.
_PARTS: Final = "subagents"


def said(entry: Mapping[str, Any]) -> str:
    """Give what was said; what a subagent or the program itself said is nothing."""
    if entry.get("type") not in _SPOKEN:
        return ""
    return "" if entry.get("isMeta") or entry.get("isSidechain") else message(entry)


def roots(where: Where) -> tuple[Path, ...]:
    """Name the folders that hold folders of sessions."""
    return (where.folder("CLAUDE_CONFIG_DIR", ".claude") / "projects",)


def root_of(transcript: Path) -> Path:
    """Name the root that a session's file lies in."""
    if transcript.parent.name == _PARTS:
        transcript = transcript.parent.parent
    return transcript.parent.parent


def files(root: Path, folder: str) -> Iterator[Path]:
    """Find the sessions that may have been begun in a folder or below it."""
    slug = _NOT_IN_SLUG.sub("-", folder)[:_LONGEST_SLUG]
    for found in root.iterdir() if root.is_dir() else ():
        if found.name == slug or found.name.startswith(f"{slug.rstrip('-')}-"):
            yield from found.glob("*.jsonl")
            yield from found.glob(f"*/{_PARTS}/*.jsonl")


def header(path: str) -> Session | None:
    """Read whose session a file is; None where nothing was said in it yet."""
    about = _about(path)
    if about is None:
        return None
    cwd, time = about
    started = moment(time.decode("ascii", "replace"))
    is_part = Path(path).parent.name == _PARTS
    return Session(
        "claude-code", Path(path).stem, path, _text(cwd), started, is_part=is_part
    )


def is_silent(line: bytes) -> bool:
    """Say of most lines at a glance that nothing is said in them."""
    return b'"user"' not in line and b'"assistant"' not in line


def parse(line: Mapping[str, Any], session: str, position: int) -> Entry | None:
    """Read an entry; None for what is the program's own."""
    role, found = line.get("type"), line.get("uuid")
    if role not in _SPOKEN or not isinstance(found, str):
        return None
    content = _content(line)
    kind, text = MESSAGE, texts(content)
    calls = tuple(tool_calls(content, kind="tool_use", given="input"))
    if results := tuple(_results(content, line.get("toolUseResult"))):
        kind, role = TOOL_RESULT, "tool"
        text = "\n".join(each for each, _ in results)
        calls = tuple(call for _, call in results)
    if line.get("isCompactSummary"):
        kind, role = COMPACTION, "system"
    elif _is_aside(line) or (role == "user" and text.lstrip().startswith(_WRAPPED)):
        kind = OTHER
    parent = line.get("parentUuid")
    return Entry(
        id=found,
        session=session,
        at=moment(line.get("timestamp")),
        kind=kind,
        role=str(role),
        text=text,
        calls=calls,
        parent=parent if isinstance(parent, str) else "",
        position=position,
    )


def _about(path: str) -> tuple[bytes, bytes] | None:
    """Find where and when a session was, which its first entries say."""
    head = b""
    with opened(path) as file:
        if file is None:
            return None
        for size in _HEADS_BYTES:
            head += file.read(size - len(head))
            cwd, time = _CWD.search(head), _TIME.search(head)
            if cwd is not None and time is not None:
                return cwd[1], time[1]
    return None


def _is_aside(line: Mapping[str, Any]) -> bool:
    found = line.get("message")
    by = found.get("model") if isinstance(found, Mapping) else None
    is_program = by == _PROGRAM
    return bool(line.get("isMeta") or line.get("isSidechain") or is_program)


def _content(line: Mapping[str, Any]) -> object:
    found = line.get("message")
    return found.get("content") if isinstance(found, Mapping) else None


def _results(content: object, told: object) -> Iterator[tuple[str, Call]]:
    patch = told.get("structuredPatch") if isinstance(told, Mapping) else None
    changed = Touch("", EDIT, several) if (several := hunks(patch)) else None
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == "tool_result":
            call = Call(str(part.get("tool_use_id", "")), "", touch=changed)
            yield texts(part.get("content")), call


def _text(quoted: bytes) -> str:
    try:
        return str(json.loads(quoted.decode("utf-8", "replace")))
    except ValueError:
        return ""
