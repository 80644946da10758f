"""Set anchors: by the agent, by a keyword, by the person, and by the session itself.

A hook asks here: imports no more than a turn needs.
"""

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from gitmem.delivery.view import Wish
from gitmem.errors import GitmemError, NotGranted, SecretRefused, UsageError
from gitmem.sessions.grants import Grant
from gitmem.settings.report import OriginKind

if TYPE_CHECKING:
    from gitmem.service.answers import Visit
    from gitmem.service.rooms import Rooms
    from gitmem.tape.anchor import Anchor

ANCHOR: Final = "anchor"
THREAD: Final = "thread"
# Why a session began that is a server's own, and no conversation.
SERVER: Final = "mcp"
NAME_LIMIT: Final = 120
SUMMARY_WORDS: Final = 17
PURPOSE_WORDS: Final = 2
# Of a text without spaces, which no count of words bounds.
_TEXT_LIMIT: Final = 300
# How a host calls the beginning of a session, and how the tape does.
_BEGINNINGS: Final = {
    "startup": "startup",
    "clear": "new",
    "new": "new",
    "resume": "resume",
    "fork": "fork",
    "reload": "reload",
    "compact": "compact",
}
_COMMAND: Final = re.compile(r"\s*/(?:gitmem:)?memory-(anchor|thread)(?=\s|$)")
_RESERVED: Final = ("session/", "thread/")


def handoff(rooms: "Rooms", name: str, summary: str, purpose: str) -> "Anchor":
    """Set an anchor at the end of the session that asks, or refuse it.

    Raises NotGranted where only the person may set one, and has not.
    """
    from gitmem.tape import anchor as words

    tape = rooms.tape()
    tape.require()
    called = _name(name)
    check_secrets(rooms, called, summary, purpose)
    who = speaker(rooms)
    trigger, keywords = _leave(rooms, who, called)
    meta = words.Meta(
        trigger=trigger,
        keywords=keywords,
        summary=_words(summary, SUMMARY_WORDS),
        purpose=_words(purpose, PURPOSE_WORDS),
    )
    host, session = who or latest(rooms)
    entry = last_entry(rooms, host, session)
    made = words.draft(called, words.HANDOFF, meta, session=session, entry=entry)
    return tape.set(made)


def lifecycle(rooms: "Rooms", visit: "Visit", reason: str = "") -> None:
    """Note that a session began, went on, was compacted or ended.

    Whoever tries again at the same request of a visit notes nothing new. Where that
    cannot be noted, the session goes on all the same.
    """
    from gitmem.tape import anchor as words

    tape = rooms.tape()
    if not tape.is_open or not visit.id or visit.reason == SERVER:
        return
    name = f"session/{reason or _BEGINNINGS.get(visit.reason, 'startup')}"
    key = f"{visit.host}:{visit.id}:{visit.request}" if visit.request else ""
    with suppress(GitmemError, OSError):
        path = visit.transcript
        entry = last_entry(rooms, visit.host, visit.id, path) if path else ""
        kind, meta = words.SESSION, words.Meta()
        tape.add(words.draft(name, kind, meta, session=visit.id, entry=entry, key=key))


def begin_anew(rooms: "Rooms") -> "Anchor":
    """Note that the tape begins here."""
    from gitmem.tape import anchor as words

    host, session = speaker(rooms) or latest(rooms)
    entry = last_entry(rooms, host, session)
    meta = words.Meta()
    made = words.draft("session/new", words.SESSION, meta, session=session, entry=entry)
    return rooms.tape().set(made)


def asked(rooms: "Rooms", visit: "Visit", prompt: str) -> Wish | None:
    """Allow once what a prompt asks for, and say what the agent is told of it."""
    settings = rooms.loaded.settings.tape
    if not settings.enabled or not visit.id or not rooms.tape().is_open:
        return None
    command = _COMMAND.match(prompt)
    if command and (command[1] == ANCHOR or settings.thread):
        return _allow(rooms, visit, command[1], Grant())
    keywords = _keywords(rooms)
    if not keywords or prompt.lstrip().startswith("/"):
        return None
    from gitmem.tape.keywords import match

    found = match(prompt, keywords)
    if found is None:
        return None
    name = found.anchor_name(rooms.now())
    return _allow(rooms, visit, ANCHOR, Grant(name, found.keywords))


def require_leave(rooms: "Rooms", action: str) -> str:
    """Say who wants a thread changed, or refuse it.

    Raises NotGranted where only the person may change one, and has not.
    """
    from gitmem.tape import anchor as words

    who = speaker(rooms)
    if who is None:
        return words.MANUAL
    if rooms.grants().take(*who, THREAD, rooms.now()):
        return words.MANUAL
    if rooms.loaded.settings.tape.anchor.mode == "manual":
        raise NotGranted(
            f"Only the person may {action} here: tape.anchor.mode is manual.",
            "Go on without; the person allows one change with /memory-thread.",
        )
    return words.DIRECT


def speaker(rooms: "Rooms") -> tuple[str, str] | None:
    """Name the session whose agent asks; None where a person does.

    A server that does not know its session speaks for its host's that was seen last.
    """
    from gitmem.service.claiming import caller

    found = caller(rooms)
    if found is None or not found[1]:
        return None
    own = rooms.sessions().find(*found)
    if own is not None and own.reason != SERVER:
        return found
    known = latest(rooms, found[0])
    return known if known[1] else found


def latest(rooms: "Rooms", host: str = "") -> tuple[str, str]:
    """Name the session at work in this project that was seen last, if any is."""
    sessions = rooms.sessions()
    root = str(rooms.project.root)
    here = [
        each
        for each in sessions.live()
        if host in {"", each.host}
        and each.reason != SERVER
        and (each.cwd == root or each.cwd.startswith(f"{root}/"))
    ]
    if not here:
        return "", ""
    last = max(here, key=sessions.last_seen)
    return last.host, last.id


def last_entry(rooms: "Rooms", host: str, session: str, transcript: str = "") -> str:
    """Name the last entry of a session; empty where its transcript is not read."""
    if not session:
        return ""
    known = None if transcript else rooms.sessions().find(host, session)
    path = transcript or (known.transcript if known else "")
    found = rooms.transcripts().last_entry(host, session, path)
    return found.id if found else ""


def check_secrets(rooms: "Rooms", *texts: str) -> None:
    """Refuse a credential: the tape travels, and would not be committed with it."""
    from gitmem import secrets

    if rooms.loaded.settings.security.secrets != "block":
        return
    found = secrets.find("\n".join(texts))
    if found:
        raise SecretRefused(
            f"This seems to hold a credential ({found[0].kind}).",
            "Say it without; the tape goes to every machine.",
        )


def _keywords(rooms: "Rooms") -> tuple[str, ...]:
    """Give the words that ask for an anchor; in manual mode, only the person's own."""
    anchor = rooms.loaded.settings.tape.anchor
    origin = rooms.loaded.origins["tape.anchor.keywords.project"]
    if anchor.mode == "manual" and origin.kind is OriginKind.PROJECT:
        return anchor.keywords.global_
    return (*anchor.keywords.global_, *anchor.keywords.project)


def _allow(rooms: "Rooms", visit: "Visit", kind: str, grant: Grant) -> Wish | None:
    """Give leave once; where it cannot be kept, nothing is asked of the agent."""
    with suppress(GitmemError, OSError):
        rooms.grants().give(visit.host, visit.id, kind, grant, rooms.now())
        return Wish(kind, grant.name, grant.keywords)
    return None


def _leave(
    rooms: "Rooms", who: tuple[str, str] | None, name: str
) -> tuple[str, tuple[str, ...]]:
    from gitmem.tape import anchor as words

    if who is None:
        return words.MANUAL, ()
    grant = rooms.grants().take(*who, ANCHOR, rooms.now(), name=name)
    if grant is not None:
        return (words.KEYWORD if grant.keywords else words.MANUAL), grant.keywords
    if rooms.loaded.settings.tape.anchor.mode == "manual":
        raise NotGranted(
            "Only the person may set an anchor here: tape.anchor.mode is manual.",
            "Go on without; the person allows one with /memory-anchor.",
        )
    return words.DIRECT, ()


def _name(name: str) -> str:
    called = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not called or len(called) > NAME_LIMIT:
        raise UsageError(
            f"An anchor's name has 1 to {NAME_LIMIT} characters.",
            "Name it after what begins or ends, such as task/begin.",
        )
    if called.startswith(_RESERVED):
        raise UsageError(
            f"Names that begin with {called.partition('/')[0]}/ are given by gitmem.",
            "Choose another, such as task/begin.",
        )
    return called


def _words(text: str, most: int) -> str:
    found = text.split()
    kept = " ".join(found[:most])
    is_cut = len(found) > most or len(kept) > _TEXT_LIMIT
    return kept[:_TEXT_LIMIT] + ("…" if is_cut else "")
