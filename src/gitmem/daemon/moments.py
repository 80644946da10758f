"""Understand what a host says at a moment of its session, and answer it."""

import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import UsageError
from gitmem.hosts import registry
from gitmem.hosts.host import Event, Host, Kind, Reply
from gitmem.lineage import LARGEST_PID
from gitmem.service.answers import Delivered, Visit

if TYPE_CHECKING:
    from gitmem.service.service import Service

# Where a caller does not say how long it waits.
PATIENCE_SECONDS: Final = 10.0
# The moments at which a session is told what it is not told again.
_TOLD: Final = frozenset({Kind.START, Kind.TURN, Kind.COMPACTED, Kind.LOST})
# Why a session is given its start text again, whatever its host says besides.
_AGAIN: Final = {Kind.COMPACTED: "compact", Kind.LOST: "lost"}


@dataclass(frozen=True, slots=True)
class Hook:
    """One moment of a host's session, and until when somebody waits for an answer.

    `ends` is on the monotonic clock, which all processes of a machine share.
    """

    host: Host
    name: str
    event: Event
    visit: Visit
    cwd: str
    ends: float

    def announced(self, variables: object) -> dict[str, Any]:
        """Say it in the words of the daemon's verbs for sessions."""
        visit = self.visit
        return {
            "host": visit.host,
            "id": visit.id,
            "reason": visit.reason,
            "pid": visit.pid,
            "parent": visit.parent,
            "request": visit.request,
            "attempt": visit.attempt,
            "transcript": visit.transcript,
            "cwd": self.cwd,
            "variables": variables,
        }

    def answer(self, reply: Reply) -> str:
        """Write what the host wants on its hook's standard output."""
        return self.host.answer(self.name, reply) if reply != Reply() else ""

    def is_late(self) -> bool:
        """Say whether nobody waits any more."""
        return time.monotonic() > self.ends


def read_hook(arguments: dict[str, Any]) -> Hook:
    """Understand a request, whatever the host sent.

    Raises UsageError where there is no such host, or it has no such event.
    """
    host = registry.host(_text(arguments.get("host")))
    name = _text(arguments.get("event"))
    known = registry.events(host.name)
    if name not in known:
        raise UsageError(
            f"{host.name} has no event {name!r} of which gitmem knows.",
            f"Its events are: {', '.join(known)}.",
        )
    event = host.event(name, _object(arguments.get("payload")))
    ends = arguments.get("ends")
    if not isinstance(ends, int | float):
        ends = time.monotonic() + PATIENCE_SECONDS
    attempt = arguments.get("attempt")
    pid = event.host_pid or arguments.get("pid")
    visit = Visit(
        host=host.name,
        id=event.session,
        reason=_AGAIN.get(event.kind, event.reason),
        pid=pid if isinstance(pid, int) and 1 < pid <= LARGEST_PID else None,
        parent=event.parent,
        request=_text(arguments.get("request")),
        attempt=attempt if isinstance(attempt, int) else 0,
        earlier=event.earlier,
        transcript=event.transcript,
    )
    cwd = _folder(event.cwd, _text(arguments.get("cwd")))
    return Hook(host, name, event, visit, cwd, ends)


def reply(service: "Service", hook: Hook) -> Reply:
    """Answer what is neither a start nor an end."""
    event = hook.event
    match event.kind:
        case Kind.WROTE:
            return Reply(service.session.wrote(hook.visit, event.paths).text)
        case _ if hook.is_late():
            return Reply()
        case Kind.TURN:
            said = service.session.turn(hook.visit, event.prompt, event.transcript)
            return delivered(service, hook, said)
        case Kind.COMPACTED | Kind.LOST:
            return delivered(service, hook, service.session.text(hook.visit))
        case _:
            return Reply()


def delivered(service: "Service", hook: Hook, said: Delivered) -> Reply:
    """Reply with what a session is given, or note that it came too late."""
    if hook.is_late() and said != Delivered():
        missed(service, hook)
    tape = "open" if _has_tape(service) else ""
    return Reply(said.text, standing=said.standing, tape=tape)


def _has_tape(service: "Service") -> bool:
    rooms = service.rooms
    return rooms.loaded.settings.tape.enabled and rooms.tape().is_open


def missed(service: "Service", hook: Hook) -> None:
    """Note that what a session was given did not reach it."""
    if hook.event.kind in _TOLD:
        service.session.missed(hook.visit)


def _object(text: object) -> dict[str, Any]:
    """Read what a host sent; nothing where it is no JSON object."""
    try:
        found = json.loads(_text(text))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _folder(*named: str) -> str:
    """Choose where the session is: a folder may be gone, or none."""
    for name in named:
        # A name of half a character, or with a NUL, is a folder's on no disk.
        try:
            if os.path.isabs(name) and os.path.isdir(name):
                return name
        except ValueError:
            continue
    return "/"
