"""Notice that files changed; a hint, never the truth; the only importer of watchfiles.

The truth is what the scan sees. Where the system has no watches left, there is only
that.
"""

from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.files.atomic import TEMPORARY_PREFIX

WATCHING: Final = "watching"
SCANNING: Final = "scanning only"
# At 50 ms, watchfiles' own, an idle daemon wakes 20 times a second.
STEP_MILLISECONDS: Final = 500
_WAIT_MILLISECONDS: Final = 60_000


class Watcher:
    """Calls a function in the event loop with what changed in a memory."""

    def __init__(
        self, root: Path, changed: Callable[[Iterable[PurePosixPath]], object]
    ) -> None:
        """Remember what to watch; `mode` says whether it is being watched."""
        self.root = root
        self.mode = SCANNING
        self.trouble = ""
        self._changed = changed

    async def watch(self) -> None:
        """Watch until cancelled, or until that is not possible any more."""
        from watchfiles import awatch  # heavy: 45 ms

        self.mode = WATCHING
        try:
            async for changes in awatch(
                self.root,
                watch_filter=lambda _, path: is_of_interest(path, self.root),
                step=STEP_MILLISECONDS,
                rust_timeout=_WAIT_MILLISECONDS,
                force_polling=False,  # costs 17 % of a core; the scan is enough
            ):
                self._changed({inside(path, self.root) for _, path in changes})
        except (OSError, RuntimeError) as error:
            self.trouble = str(error)
        finally:
            self.mode = SCANNING


def is_of_interest(path: str, root: Path) -> bool:
    """Leave out what Git does for itself, and files that are being written."""
    parts = inside(path, root).parts
    return bool(parts) and parts[0] != ".git" and not _is_temporary(parts[-1])


def inside(path: str, root: Path) -> PurePosixPath:
    """Name a place relative to the memory; `.` for the memory itself, or elsewhere."""
    place = Path(path)
    below = place.relative_to(root) if place.is_relative_to(root) else Path()
    return PurePosixPath(below.as_posix())


def _is_temporary(name: str) -> bool:
    return name.startswith(TEMPORARY_PREFIX) or name.endswith(("~", ".swp", ".tmp"))
