"""One project's tape as its verbs see it: anchors and threads that stand."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from shlex import quote
from typing import Final

from gitmem.errors import NotFound, PathRefused
from gitmem.files.names import shown
from gitmem.tape import anchor, threads
from gitmem.tape.anchor import Anchor, of_record, text, texts
from gitmem.tape.gate import Shut
from gitmem.tape.journal import Journal
from gitmem.tape.record import EVENT, Draft, Record
from gitmem.tape.threads import Thread

DELETE: Final = "anchor.delete"
ARCHIVE: Final = "anchor.archive"
# What a session waits for at its start: some ten thousand anchors.
RECENT_BYTES: Final = 2_000_000
# Of one line, which a reader takes whole, whoever gave the ids and however long.
_IDS_A_LINE: Final = 1_000
_CHARACTERS_A_LINE: Final = 20_000


@dataclass(frozen=True, slots=True)
class Swept:
    """Anchors that were deleted or moved aside, and the folder of what was moved."""

    anchors: tuple[Anchor, ...]
    aside: str = ""


class Tape:
    """The anchors and threads of a project; `why_shut` is empty where there is one."""

    def __init__(
        self,
        journal: Callable[[], Journal],
        now: Callable[[], datetime],
        shut: Shut | None = None,
    ) -> None:
        """Remember how to find it; nothing is read yet."""
        self._open = journal
        self._now = now
        self.why_shut = shut.why if shut else ""
        self._way_out = shut.way_out if shut else ""

    @property
    def is_open(self) -> bool:
        """Say whether there is a tape here: nothing is recorded or told otherwise."""
        return not self.why_shut

    def require(self) -> None:
        """Refuse to go on where there is no tape."""
        if self.why_shut:
            raise NotFound(f"There is no tape here: {self.why_shut}.", self._way_out)

    @cached_property
    def _journal(self) -> Journal:
        return self._open()

    def anchors(self) -> tuple[Anchor, ...]:
        """Give the anchors that stand, the oldest first."""
        return _standing(self._journal.records())

    def recent(self) -> tuple[Anchor, ...]:
        """Give the anchors that are known soon: of a large tape only the latest."""
        if self.is_large():
            return _standing(self._journal.recent(RECENT_BYTES))
        return self.anchors()

    def is_large(self) -> bool:
        """Say whether the tape is larger than what a session can wait for."""
        return self._journal.size() > RECENT_BYTES

    def threads(self) -> tuple[Thread, ...]:
        """Give the threads, the one touched last first."""
        return threads.replay(self._journal.records())

    def whole(self) -> tuple[tuple[Anchor, ...], tuple[Thread, ...]]:
        """Give both as of one moment, and read them once."""
        records = self._journal.records()
        return _standing(records), threads.replay(records)

    def add(self, *drafts: Draft) -> tuple[Record, ...]:
        """Write lines that stand together."""
        self.require()
        return self._journal.append(drafts, self._now())

    def set(self, made: Draft) -> Anchor:
        """Write one anchor, and give it as it stands."""
        [record] = self.add(made)
        return anchor.read(record)

    def delete(self, ids: Iterable[str]) -> Swept:
        """Delete anchors by their exact ids: all of them, or none.

        Raises NotFound for an id that no anchor has, and PathRefused for a thread's.
        """
        self.require()
        wanted = tuple(dict.fromkeys(ids))
        records = self._journal.records()
        standing = _standing(records)
        nodes = {each.id: each for each in standing if each.type == anchor.THREAD}
        known = {each.id: each for each in standing if each.type != anchor.THREAD}
        for each in wanted:
            _check(known, nodes, each)
        self._sweep(DELETE, _lines_of(records, wanted), has_own=False)
        return Swept(tuple(known[each] for each in wanted))

    def reset(self, *, archive: bool) -> Swept:
        """Begin anew: delete all anchors but those of threads, or move them aside."""
        self.require()
        records = self._journal.records()
        old = tuple(each for each in _standing(records) if each.type != anchor.THREAD)
        if not old:
            return Swept(())
        lines = _lines_of(records, (each.id for each in old))
        aside = ""
        if archive:
            name = f"{self._now():%Y%m%dT%H%M%S%f}"
            aside = str(self._journal.keep_aside(name, lines))
        self._sweep(ARCHIVE if archive else DELETE, lines, has_own=archive)
        return Swept(old, aside)

    def _sweep(self, name: str, lines: tuple[Record, ...], *, has_own: bool) -> None:
        ids = dict.fromkeys(each.id for each in lines)
        said = [Draft(name, EVENT, {"ids": each}) for each in _lots(ids)]
        # First the word that nothing brings back, then what another program reads.
        self._journal.append(said, self._now())
        self._journal.drop(lines, has_own=has_own)


def _lines_of(records: Iterable[Record], ids: Iterable[str]) -> tuple[Record, ...]:
    """Find the lines of anchors: what else has an id of theirs stays."""
    wanted = frozenset(ids)
    able = frozenset(anchor.TYPES) - {anchor.THREAD}
    return tuple(each for each in records if each.id in wanted and each.type in able)


def _lots(ids: Iterable[str]) -> Iterator[list[str]]:
    """Split ids into as many as one line takes."""
    lot: list[str] = []
    size = 0
    for each in ids:
        if lot and (len(lot) == _IDS_A_LINE or size + len(each) > _CHARACTERS_A_LINE):
            yield lot
            lot, size = [], 0
        lot.append(each)
        size += len(each)
    if lot:
        yield lot


def _standing(records: Iterable[Record]) -> tuple[Anchor, ...]:
    """Leave out what any machine deleted, and what is no anchor."""
    all_of_them = tuple(records)
    gone = frozenset(
        each
        for record in all_of_them
        if record.type == EVENT and record.name in {DELETE, ARCHIVE}
        for each in texts(record.meta, "ids")
    )
    found = (
        of_record(each)
        for each in all_of_them
        if each.type == anchor.THREAD or each.id not in gone
    )
    return tuple(each for each in found if each is not None)


def _check(known: Collection[str], nodes: Mapping[str, Anchor], wanted: str) -> None:
    if wanted in nodes and wanted not in known:
        thread = text(nodes[wanted].meta.more, "thread")
        named = f"--thread {quote(thread)} --node {quote(wanted)}"
        raise PathRefused(
            f"{shown(wanted)} is a node of a thread.",
            f"Archive it instead: gitmem tape thread update {named} --state archived",
        )
    if wanted not in known:
        raise NotFound(
            f"No anchor has the id {shown(wanted)}.",
            "`gitmem tape search` shows the ids; they have to be whole.",
        )
