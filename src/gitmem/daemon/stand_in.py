"""Answer a host's hook where no daemon does."""

import contextlib
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gitmem.app import Caller, connect
from gitmem.daemon import guard, moments
from gitmem.daemon.protocol import socket_path
from gitmem.errors import NoDaemon
from gitmem.hosts.host import Kind, Reply

if TYPE_CHECKING:
    from gitmem.daemon.moments import Hook
    from gitmem.service.service import Service

# Of the caller's time, what making the start text may take after the pull.
_RENDER_SECONDS: Final = 0.7
_HASTE_SECONDS: Final = 0.1
_PULSE_SECONDS: Final = 0.3


class StandIn:
    """One hook, answered in this process; imports no more than it needs."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        """Understand the request; raises what keeps gitmem from working at all."""
        self._arguments = arguments
        self.hook: Hook = moments.read_hook(arguments)
        visit = self.hook.visit
        self.service: Service = connect(
            Path(self.hook.cwd), caller=Caller(visit.host, visit.id)
        )
        self.service.rooms.tree()  # raises NoRepository
        self.socket = socket_path(self.service.rooms.state)
        self._has_daemon = guard.holder(self.service.rooms.state) is not None
        self._is_summoned = self.hook.event.kind is Kind.END

    def answer(self, *, was_asked: bool) -> str:
        """Give what the host wants to hear.

        A daemon that the caller did not find is asked first.
        """
        if not self.service.rooms.loaded.settings.enabled:
            return ""
        if self._has_daemon and not was_asked:
            with contextlib.suppress(NoDaemon, KeyError, TypeError):
                return self._asked()
            later = replace(self.hook.visit, attempt=self.hook.visit.attempt + 1)
            self.hook = replace(self.hook, visit=later)
        return self.hook.answer(self._reply())

    def missed(self) -> None:
        """Note that the host did not get what it was answered."""
        moments.missed(self.service, self.hook)

    def prepare(self) -> None:
        """Have a daemon for the next hook."""
        settings = self.service.rooms.loaded.settings
        is_wanted = settings.enabled and settings.daemon.autostart
        if is_wanted and not (self._has_daemon or self._is_summoned):
            from gitmem.daemon import door

            door.summon(self.service)

    def _asked(self) -> str:
        from gitmem.daemon import client

        client.call(self.socket, "ping", {}, timeout_seconds=_PULSE_SECONDS)
        left = max(self.hook.ends - time.monotonic(), _HASTE_SECONDS)
        found = client.call(
            self.socket,
            "hook",
            {**self._arguments, "confirms": False},
            timeout_seconds=left / 2,
        )
        return str(found["stdout"])

    def _reply(self) -> Reply:
        hook, service = self.hook, self.service
        if hook.event.kind not in {Kind.START, Kind.END}:
            return moments.reply(service, hook)
        from gitmem.daemon import door

        if hook.event.kind is Kind.START:
            left = hook.ends - time.monotonic() - _RENDER_SECONDS
            _, said, _ = door.start_here(service, hook.visit, at_most=max(left, 0.0))
            self._is_summoned = True
            return moments.delivered(service, hook, said)
        door.end_here(service, hook.visit)
        return Reply()
