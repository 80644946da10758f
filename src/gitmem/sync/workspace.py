"""One repository at work: opened, checked, with what the cycle has learned so far."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final, Literal

from gitmem.errors import BadConfig, SyncError
from gitmem.files.tree import Tree
from gitmem.repo import address, config
from gitmem.repo.command import Command, require_git
from gitmem.repo.environment import is_folding
from gitmem.repo.objects import Identity
from gitmem.repo.remote import Remote
from gitmem.repo.repository import Repository
from gitmem.sync import record as records
from gitmem.sync.apply import apply
from gitmem.sync.author import identity
from gitmem.sync.capture import Scribe
from gitmem.sync.options import Options
from gitmem.sync.record import Record
from gitmem.sync.report import Report
from gitmem.sync.state import Tips

SEEN: Final = "refs/gitmem/seen/"
PARKED: Final = "refs/gitmem/parked/"


class Workspace:
    """What the steps of a cycle share; lives while the engine holds the lock."""

    def __init__(self, options: Options, record: Record, *, subject: str = "") -> None:
        """Open the repository, and refuse one that could run or redirect something."""
        self.options = options
        self.subject = subject
        self.report = Report()
        self._person: Identity | None = None
        self._is_git_known = False
        self._partings: dict[tuple[str, str], tuple[str, ...]] = {}
        self.repository = Repository(options.root, options.stopper)
        self.files = Tree(self.repository.root)
        self.branch_ref = f"refs/heads/{options.branch}"
        self.tracking_ref = f"refs/remotes/origin/{options.branch}"
        self.seen_ref = f"{SEEN}{options.branch}"
        items = self.repository.local_config()
        self.is_folding = is_folding(self.repository.root)
        self.address = self._address(items)
        self.record = record.about(
            self.address.text if self.address else "", options.branch
        )

    def now(self) -> datetime:
        """Ask the clock."""
        return self.options.now()

    def tell(self, **news: Any) -> None:  # noqa: ANN401  the fields of Report
        """Add to the report of this cycle."""
        self.report = replace(self.report, **news)

    def note(self, **news: Any) -> None:  # noqa: ANN401  the fields of Record
        """Change what this machine remembers."""
        self.record = replace(self.record, **news)

    def remember(
        self,
        *,
        accepted: Iterable[PurePosixPath] = (),
        restoring: Iterable[PurePosixPath] = (),
    ) -> None:
        """Write down at once what the person decided, and what is not done of it."""
        self.note(
            accepted=tuple(map(str, accepted)), restoring=tuple(map(str, restoring))
        )
        records.save(self.options.state, self.record)

    def known(self) -> Tips:
        """Give the tips as this machine knows them without asking."""
        return self.tips(self.refs())

    def refs(self) -> dict[str, str]:
        """Read all refs that a cycle goes by: each look is a process."""
        return self.repository.refs(
            self.branch_ref, self.tracking_ref, self.seen_ref, PARKED
        )

    def tips(self, refs: Mapping[str, str]) -> Tips:
        """Pick the tips out of what the refs name."""
        return Tips(
            local=refs.get(self.branch_ref),
            remote=refs.get(self.tracking_ref),
            seen=refs.get(self.seen_ref),
        )

    def remote(self, where: address.Address) -> Remote:
        """Make the remote ready to be asked."""
        return Remote(
            Command(self.repository.root, self.options.stopper),
            where,
            timeout_seconds=self.options.timeout_seconds,
        )

    def scribe(self) -> Scribe:
        """Gather what a commit is made with."""
        options = self.options
        return Scribe(
            repository=self.repository,
            files=self.files,
            rules=options.rules,
            author=options.author,
            person=self.identity,
            now=options.now,
            sign=options.sign,
            claims=options.claims,
        )

    def identity(self) -> Identity:
        """Say whom the next commit is by."""
        if self._person is None:
            found = self.repository.person()
            self._person = identity(found, self.options.author.machine)
        return self._person

    def require_git(self) -> None:
        """Raise ToolMissing where Git cannot be used for a merge; it is asked once."""
        if not self._is_git_known:
            require_git()
            self._is_git_known = True

    def partings(self, one: str, other: str) -> tuple[str, ...]:
        """List the commits at which two histories parted; none if they never met.

        Between a lost push and the next one every process counts, so Git is asked once,
        except where the history is cut off and may still grow downwards.
        """
        key = (min(one, other), max(one, other))
        if key not in self._partings or self.repository.is_shallow():
            self._partings[key] = self.repository.merge_bases(one, other)
        return self._partings[key]

    def move(self, old: str, new: str, *, may_set_aside: bool = False) -> None:
        """Move the work tree and the index between two commits or trees."""
        moved = apply(
            self.repository,
            self.files,
            old,
            new,
            may_set_aside=may_set_aside,
            is_folding=self.is_folding,
        )
        root = self.repository.root
        gone = (path for path in moved if not os.path.lexists(root / path))
        self.tell(
            applied=(*self.report.applied, *moved),
            gone=(*self.report.gone, *gone),
        )

    @contextmanager
    def recorded(self, name: Literal["commit", "fetch", "push"]) -> Iterator[None]:
        """Note a failure of a step before it is raised."""
        try:
            yield
        except SyncError as error:
            step = getattr(self.record, name).failed(error, self.now())
            self.note(**{name: step})
            raise

    def _address(self, items: Sequence[tuple[str, str]]) -> address.Address | None:
        config.refuse_harmful(items)
        origin = config.value(items, "remote.origin.url")
        wanted = self.options.url or origin
        if wanted is None:
            return None
        found = address.parse(wanted)
        if origin not in {None, wanted} and address.parse(origin) != found:
            raise BadConfig(
                "The repository's remote is not the one in your settings.",
                "Settle which one counts: gitmem remote URL",
            )
        return found
