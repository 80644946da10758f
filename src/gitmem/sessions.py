"""What this machine remembers of a host's sessions, one small file each."""

import contextlib
import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import NotFound, PathRefused
from gitmem.files.atomic import private_folder, write
from gitmem.files.tree import Tree

LIMIT_BYTES: Final = 1024 * 1024
KEEP_FOR: Final = timedelta(days=30)
_FORMAT: Final = 1


class Sessions:
    """The sessions remembered in one folder; losing it costs a rendering."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is created by the first write."""
        self.folder = folder

    def snapshot(self, host: str, session_id: str) -> str | None:
        """Give the start text that this session was told, if it was told one.

        A file that cannot be understood counts as none.
        """
        try:
            data = Tree(self.folder).read(
                PurePosixPath(_file_name(host, session_id)), limit_bytes=LIMIT_BYTES
            )
            state = json.loads(data)
        except (NotFound, PathRefused, OSError, ValueError, RecursionError):
            return None
        if not isinstance(state, dict) or state.get("format") != _FORMAT:
            return None
        text = state.get("start_text")
        return text if isinstance(text, str) else None

    def remember_start(self, host: str, session_id: str, text: str) -> None:
        """Keep the start text of a session, in place of an earlier one."""
        state = {"format": _FORMAT, "start_text": text}
        path = private_folder(self.folder) / _file_name(host, session_id)
        write(path, json.dumps(state).encode("ascii"))

    def prune(self, now: datetime) -> None:
        """Forget sessions that were not written for `KEEP_FOR`."""
        with contextlib.suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                with contextlib.suppress(OSError):
                    written = datetime.fromtimestamp(path.lstat().st_mtime, UTC)
                    if now - written > KEEP_FOR:
                        path.unlink()


def _file_name(host: str, session_id: str) -> str:
    """Name a file after an id that may hold anything, even half a character."""
    key = json.dumps([host, session_id]).encode("ascii")
    return f"{hashlib.sha256(key).hexdigest()}.json"
