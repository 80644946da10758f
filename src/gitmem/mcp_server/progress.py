"""Say how far long work is, from the thread that does it to the client that waits."""

from typing import Any, Final

import anyio
from mcp.server.mcpserver import Context

from gitmem.secrets import mask
from gitmem.service.rooms import Watch

EVERY_SECONDS: Final = 0.25
LINE_LIMIT: Final = 120


class Meter:
    """The newest state of one piece of work; a thread sets it, the loop reads it."""

    def __init__(self) -> None:
        """Begin where nothing was done."""
        self._heard = 0.0
        self._latest: tuple[float, float | None, str] = (0.0, None, "")
        self._told = 0.0

    @property
    def watch(self) -> Watch:
        """Give what the service tells how far it is."""
        return Watch(git=self._git, indexing=self._indexing)

    async def report(self, context: Context[Any, Any]) -> None:
        """Tell the client now and then, until cancelled."""
        while True:
            await anyio.sleep(EVERY_SECONDS)
            done, total, words = self._latest
            if done > self._told:
                self._told = done
                await context.report_progress(done, total, words)

    def _git(self, chunk: bytes) -> None:
        lines = chunk.replace(b"\r", b"\n").split(b"\n")
        last = next((line for line in reversed(lines) if line.strip()), b"")
        words = mask(last.decode("utf-8", "replace").strip()[:LINE_LIMIT])
        self._heard += 1
        self._latest = (self._heard, None, words)

    def _indexing(self, done: int, total: int) -> None:
        self._latest = (float(done), float(total), "indexing memories")
