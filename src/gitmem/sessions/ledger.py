"""What a session was told, so that nothing is told twice; one small file each."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.files.lock import locked
from gitmem.sessions import names
from gitmem.sessions.names import Look, file_name, look

if TYPE_CHECKING:
    from gitmem.sessions.recent import Recent

LOCK_NAME: Final = "lock"
LOCK_SECONDS: Final = 0.5
KEPT_PATHS: Final = 2000
KEPT_SENTENCES: Final = 50
_FORMAT: Final = 2
_LOOKED_AT: Final = 50


@dataclass(frozen=True, slots=True)
class Handed:
    """What the last answer to a session held, taken back if that did not arrive.

    Of two attempts at one request, the later one is who delivered.
    """

    request: str = ""
    attempt: int = 0
    has_start: bool = False
    names: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    news: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What one session knows of the memory.

    `start_text` is its snapshot, `start_given` the memories that stand whole in it, by
    path and hash of the content. `is_given` while the text is in the model's context,
    and `given` holds what came beside it. `said` are the sentences it was told, and
    `named` what it was only pointed at: a memory by its path and hash, or how much is
    held on a subject.
    """

    host: str = ""
    cwd: str = ""
    start_text: str | None = None
    start_given: Mapping[str, str] = field(default_factory=dict)
    is_given: bool = False
    given: Mapping[str, str] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    is_paused: bool = False
    named: Mapping[str, str] = field(default_factory=dict)
    handed: Handed = Handed()

    def knows(self, path: str, content_hash: str) -> bool:
        """Say whether the session was given a memory as it is now."""
        start = self.start_given if self.is_given else {}
        return content_hash in {self.given.get(path), start.get(path)}

    def with_given(self, found: Mapping[str, str]) -> "Told":
        """Add memories that the session was given, or wrote itself."""
        return replace(self, given=_latest(self.given, found))

    def with_named(self, found: Mapping[str, str]) -> "Told":
        """Add what the session was pointed at."""
        return replace(self, named=_latest(self.named, found))

    def with_said(self, sentences: tuple[str, ...]) -> "Told":
        """Add sentences that the session was told."""
        new = tuple(each for each in sentences if each not in self.said)
        return replace(self, said=(*self.said, *new)[-KEPT_SENTENCES:])

    def taken_back(self) -> "Told":
        """Forget what the last answer held."""
        last = self.handed
        return replace(
            self,
            is_given=self.is_given and not last.has_start,
            given=_without(self.given, last.names),
            named=_without(self.named, last.names),
            said=tuple(each for each in self.said if each not in last.said),
            handed=Handed(last.request, last.attempt),
        )

    def emptied(self) -> "Told":
        """Forget what was in a context that is no more; the snapshot stays."""
        return replace(self, is_given=False, given={}, named={})


class Ledger:
    """What the sessions were told that are remembered in one folder."""

    def __init__(self, folder: Path, recent: "Recent[Told] | None" = None) -> None:
        """Remember the folder; it is created by the first write.

        A process that lives long hands in what it keeps of the sessions.
        """
        self.folder = folder
        self._recent = recent

    def read(self, host: str, session_id: str) -> Told:
        """Give what a session was told; nothing for one that is not known."""
        path = self.folder / file_name(host, session_id)
        if self._recent:
            self._recent.settle(path)
        return self._read(path)

    def change(self, host: str, session_id: str, by: Callable[[Told], Told]) -> Told:
        """Change what is known of a session, one change at a time."""
        path = self.folder / file_name(host, session_id)
        if self._recent:
            self._recent.settle(path)
        return self._change(path, by)

    def change_later(
        self, host: str, session_id: str, by: Callable[[Told], Told]
    ) -> None:
        """Change it without waiting, where the process lives on to see it done.

        Whoever asks here about the session waits for it. What cannot be kept, or is
        lost with the process, is told again.
        """
        path = self.folder / file_name(host, session_id)

        def work() -> None:
            with contextlib.suppress(GitmemError, OSError):
                self._change(path, by)

        if self._recent:
            self._recent.later(path, work)
        else:
            work()

    def latest(self, host: str, cwd: str) -> Told:
        """Give what the last session of a host in a folder was told."""
        if self._recent:
            self._recent.settle()
        return next(
            (told for told in self._newest() if (told.host, told.cwd) == (host, cwd)),
            Told(),
        )

    def _read(self, path: Path) -> Told:
        known = self._recent.find(path) if self._recent else None
        if known is not None:
            return known
        seen = look(path)
        told = _told(names.read(self.folder, path.name))
        self._keep(path, seen, told)
        return told

    def _change(self, path: Path, by: Callable[[Told], Told]) -> Told:
        folder = private_folder(self.folder)
        with locked(folder / LOCK_NAME, timeout_seconds=LOCK_SECONDS):
            before = self._read(path)
            told = by(before)
            if told != before:
                # A turn waits for it, and what a loss of power takes is told again.
                state = json.dumps(_record(told)).encode("ascii")
                write(path, state, durable=False)
                self._keep(path, look(path), told)
        return told

    def _keep(self, path: Path, seen: Look | None, told: Told) -> None:
        if self._recent:
            self._recent.keep(path, seen, told)

    def _newest(self) -> Iterator[Told]:
        found = []
        with contextlib.suppress(OSError):
            for path in self.folder.glob("*.json"):
                with contextlib.suppress(OSError):
                    found.append((path.lstat().st_mtime_ns, path.name))
        for _, name in sorted(found, reverse=True)[:_LOOKED_AT]:
            yield _told(names.read(self.folder, name))


def _record(told: Told) -> dict[str, Any]:
    """Write down what is known; `asdict` would copy every path of it."""
    known = {each.name: getattr(told, each.name) for each in fields(told)}
    last = {each.name: getattr(told.handed, each.name) for each in fields(told.handed)}
    return {"format": _FORMAT, **known, "handed": last}


def _told(found: Mapping[str, Any] | None) -> Told:
    """Read what is kept; what another gitmem kept, or none of them, is nothing."""
    if found is None or found.get("format") != _FORMAT:
        return Told()
    text = found.get("start_text")
    said = found.get("said")
    return Told(
        host=str(found.get("host", "")),
        cwd=str(found.get("cwd", "")),
        start_text=text if isinstance(text, str) else None,
        start_given=_texts(found.get("start_given")),
        is_given=found.get("is_given") is True and isinstance(text, str),
        given=_texts(found.get("given")),
        said=tuple(map(str, said)) if isinstance(said, list) else (),
        is_paused=found.get("is_paused") is True,
        named=_texts(found.get("named")),
        handed=_handed(found.get("handed")),
    )


def _handed(found: object) -> Handed:
    known = found if isinstance(found, dict) else {}
    attempt = known.get("attempt")
    lists = {name: known.get(name) for name in ("names", "said", "news")}
    return Handed(
        request=str(known.get("request", "")),
        attempt=attempt if isinstance(attempt, int) else 0,
        has_start=known.get("has_start") is True,
        **{
            name: tuple(map(str, each)) if isinstance(each, list) else ()
            for name, each in lists.items()
        },
    )


def _without(before: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    return {name: text for name, text in before.items() if name not in names}


def _latest(before: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    kept = dict(before)
    for name in found:
        # What is told anew is the latest.
        kept.pop(name, None)
    kept.update(found)
    for name in list(kept)[:-KEPT_PATHS]:
        del kept[name]
    return kept


def _texts(found: object) -> dict[str, str]:
    if not isinstance(found, dict):
        return {}
    if all(type(text) is str for text in found.values()):
        return found
    return {name: str(text) for name, text in found.items()}
