"""What a person allowed a session to do once; one small file a session."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from gitmem.files.atomic import private_folder, write
from gitmem.files.lock import locked
from gitmem.sessions import names
from gitmem.sessions.names import file_name

FOLDER: Final = "grants"
LOCK_NAME: Final = "grants.lock"
LOCK_SECONDS: Final = 0.5
# What was allowed this morning is not meant tonight.
HOLDS_FOR: Final = timedelta(hours=6)
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Grant:
    """Leave to do something once; with a name, only under that name.

    `keywords` are the words of a prompt that it was given for.
    """

    name: str = ""
    keywords: tuple[str, ...] = ()


class Grants:
    """The leaves that are remembered in one folder."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is created by the first write."""
        self.folder = folder

    def give(
        self, host: str, session: str, kind: str, grant: Grant, now: datetime
    ) -> None:
        """Allow a session to do something once; a later leave replaces one of a kind.

        Raises Busy or PathRefused where that cannot be kept.
        """
        said = {
            "at": now.isoformat(),
            "name": grant.name,
            "keywords": list(grant.keywords),
        }
        with self._locked():
            known = {**self._read(host, session), kind: said}
            self._write(host, session, known)

    def take(
        self, host: str, session: str, kind: str, now: datetime, *, name: str = ""
    ) -> Grant | None:
        """Use a leave up; None where there is none, or it is for another name."""
        if kind not in self._read(host, session):
            return None
        with self._locked():
            known = dict(self._read(host, session))
            grant = _grant(known.get(kind), now)
            if grant is None or grant.name not in {"", name}:
                return None
            del known[kind]
            self._write(host, session, known)
        return grant

    def _locked(self) -> Any:  # noqa: ANN401  a context manager
        folder = private_folder(self.folder)
        return locked(folder / LOCK_NAME, timeout_seconds=LOCK_SECONDS)

    def _read(self, host: str, session: str) -> Mapping[str, Any]:
        found = names.read(self.folder, file_name(host, session), below=FOLDER) or {}
        kinds = found.get("kinds") if found.get("format") == _FORMAT else None
        return kinds if isinstance(kinds, dict) else {}

    def _write(self, host: str, session: str, known: Mapping[str, Any]) -> None:
        path = private_folder(self.folder / FOLDER) / file_name(host, session)
        if known:
            document = {"format": _FORMAT, "kinds": known}
            write(path, json.dumps(document).encode("ascii"))
        else:
            path.unlink(missing_ok=True)


def _grant(found: object, now: datetime) -> Grant | None:
    """Read a leave; what cannot be understood, or is old, is none."""
    if not isinstance(found, dict):
        return None
    try:
        given = datetime.fromisoformat(str(found.get("at")))
        is_old = now - given > HOLDS_FOR
    except (ValueError, TypeError):
        return None
    keywords = found.get("keywords")
    listed = keywords if isinstance(keywords, list) else []
    grant = Grant(str(found.get("name") or ""), tuple(map(str, listed)))
    return None if is_old else grant
