"""Remember what sessions were told, where a process lives long, and write it behind.

A turn waits neither for what it knew a moment ago nor for the disk.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final, Generic, TypeVar

from gitmem.sessions.names import Look, look

SESSIONS_AT_MOST: Final = 16

_Told = TypeVar("_Told")


class Recent(Generic[_Told]):
    """The sessions that were told something last, by the file that says so.

    None is believed once its file is not as it was.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._lock = threading.Lock()
        self._known: OrderedDict[Path, tuple[Look, _Told]] = OrderedDict()
        self._late: dict[Path, Future[object]] = {}
        self._pool = ThreadPoolExecutor(1, "ledger")

    def find(self, path: Path) -> _Told | None:
        """Give what a file says, if it is the one that is remembered."""
        with self._lock:
            found = self._known.get(path)
        return found[1] if found and found[0] == look(path) else None

    def keep(self, path: Path, seen: Look | None, told: _Told) -> None:
        """Remember what a file says that looked so, if there was one."""
        if seen is None:
            return
        with self._lock:
            self._known[path] = (seen, told)
            self._known.move_to_end(path)
            while len(self._known) > SESSIONS_AT_MOST:
                self._known.popitem(last=False)

    def later(self, path: Path, work: Callable[[], object]) -> None:
        """Have a file written, one after the other, while its caller goes on."""
        try:
            with self._lock:
                self._late[path] = self._pool.submit(work)
        except RuntimeError:
            # Nothing is put off any more.
            work()

    def settle(self, *paths: Path) -> None:
        """Wait for what is still to be written of these files, or of all."""
        with self._lock:
            late = {
                each: self._late[each]
                for each in paths or self._late
                if each in self._late
            }
        wait(late.values())
        with self._lock:
            for path, done in late.items():
                if self._late.get(path) is done:
                    del self._late[path]

    def close(self) -> None:
        """Write what is still to be written."""
        self._pool.shutdown()
