"""What hosts ask of a daemon: one verb for all that happens in their sessions."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gitmem import log
from gitmem.daemon import moments
from gitmem.daemon.keeper import Keeper
from gitmem.daemon.moments import Hook, delivered, read_hook, reply
from gitmem.daemon.server import Handed
from gitmem.errors import UsageError
from gitmem.hosts.host import Kind, Reply
from gitmem.service.answers import Delivered

if TYPE_CHECKING:
    from gitmem.service.service import Service

# What is read sooner than a thread begins.
SHORT_CHARACTERS: Final = 64_000

Answerer = Callable[[dict[str, Any]], Awaitable[Any]]


class Hooks:
    """The daemon's verbs for hosts; a start and an end are those of any session."""

    def __init__(
        self,
        keeper: Keeper,
        service: Callable[[dict[str, Any]], "Service"],
        *,
        start: Answerer,
        end: Answerer,
    ) -> None:
        """Remember whom to ask."""
        self._keeper = keeper
        self._service = service
        self._start = start
        self._end = end

    def table(self) -> dict[str, Answerer]:
        """Name every verb."""
        return {
            "hook": self.hook,
            "session_pause": self.pause,
            "session_refresh": self.refresh,
        }

    async def hook(self, arguments: dict[str, Any]) -> object:
        """Do what a moment of a session asks for, and say what its host should."""
        try:
            hook = await _understood(arguments)
        except UsageError as error:
            # Whoever were asked instead could only say it as well.
            await asyncio.to_thread(self._note, arguments, error)
            return {"stdout": ""}
        announced = hook.announced(arguments.get("variables"))
        service = self._service(announced)
        if not service.rooms.loaded.settings.enabled:
            return {"stdout": ""}
        found = await self._reply(service, hook, announced)
        answer = {"stdout": hook.answer(found)}
        if not answer["stdout"]:
            return answer
        missed = partial(asyncio.to_thread, moments.missed, service, hook)
        return Handed(answer, missed, confirms=arguments.get("confirms") is True)

    def _note(self, arguments: dict[str, Any], error: UsageError) -> None:
        """Log how a host was set up: it is nothing that an agent could mend."""
        state = self._keeper.connect().rooms.loaded.folders.state
        who = " ".join(str(arguments.get(name, "")) for name in ("host", "event"))
        log.record(state, f"hook {who}\n{error.message}", now=datetime.now(UTC))

    async def pause(self, arguments: dict[str, Any]) -> object:
        """Tell a session nothing, or go on."""
        is_paused = arguments.get("is_paused") is not False
        service = self._service(arguments)
        host, session = str(arguments.get("host")), str(arguments.get("id"))
        await asyncio.to_thread(
            service.session.pause, host, session, is_paused=is_paused
        )
        return {"is_paused": is_paused}

    async def refresh(self, arguments: dict[str, Any]) -> object:
        """Make a session's start text anew; its next turn gives it."""
        service = self._service(arguments)
        host, session = str(arguments.get("host")), str(arguments.get("id"))
        done = await self._keeper.runner.aside(service.refresh, session, host)
        return {"text": done.given.text, "memories": done.memories}

    async def _reply(
        self, service: "Service", hook: Hook, announced: dict[str, Any]
    ) -> Reply:
        kind = hook.event.kind
        if kind is Kind.START:
            found = await self._start(announced)
            said = Delivered(found["text"], found["standing"])
            return delivered(service, hook, said)
        if kind is Kind.END:
            await self._end(announced)
            return Reply()
        replied: Reply = await self._keeper.runner.aside(reply, service, hook)
        if kind is Kind.WROTE:
            self._keeper.changed()
        elif kind is Kind.TURN and service.lacks_catalog():
            self._keeper.index()
        return replied


async def _understood(arguments: dict[str, Any]) -> Hook:
    """Read a request; the loop must not wait for a prompt of 10 MB."""
    if len(str(arguments.get("payload"))) <= SHORT_CHARACTERS:
        return read_hook(arguments)
    return await asyncio.to_thread(read_hook, arguments)
