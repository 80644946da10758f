"""Two machines share a memory: a real exchange in one folder, told as it happens."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem.app import connect
from gitmem.repo.command import Command, require_git
from gitmem.repo.environment import variables
from gitmem.repo.repository import Repository, initialise
from gitmem.service.notices import counted

if TYPE_CHECKING:
    from gitmem.service.service import Service

# A clock of its own: the same words and the same conflict copy on every day.
BEGINNING: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PROJECT: Final = "https://git.example.org/team/beacon.git"
PROFILE: Final = """\
# Sam

- Small commits, each with its tests.
- Asks before it deletes anything.
"""
DEPLOY: Final = """\
# Deploy

Run `make ship`; it asks for the region.

Roll back with `make unship`.
"""
STACK: Final = "# Stack\n\nPython 3.12, PostgreSQL, no message queue.\n"
OUTAGE: Final = """\
# Outage of 28 February

The pool of database connections ran dry; the limit is 40 now.
"""
QUESTION: Final = "why did the database fail"


@dataclass(frozen=True, slots=True)
class Scene:
    """One step of the exchange: what is done, and what came of it."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """What there is to see at the end.

    `start_text` is exactly what an agent on the second machine is told.
    """

    files: tuple[str, ...]
    conflict_copy: str
    is_identical: bool
    start_text: str

    @property
    def is_well(self) -> bool:
        """Say whether all of it arrived: the files, both sides, the first's words."""
        arrived = all(each in self.start_text for each in (PROFILE, "deploy beacon"))
        return self.is_identical and bool(self.conflict_copy) and arrived


class Exchange:
    """A remote, a laptop and a desktop below one folder."""

    def __init__(self, folder: Path) -> None:
        """Make the remote and the two machines; no memory yet."""
        require_git()
        self.folder = folder
        self.now = BEGINNING
        self.remote = folder / "remote.git"
        self.remote.mkdir(mode=0o700)
        Command(self.remote).check(
            *("init", "--quiet", "--bare", "--template=", "--initial-branch=main"),
            variables=variables(self.remote),
        )
        self.laptop = self._machine("laptop", "beacon")
        self.desktop = self._machine("desktop", "work-beacon")

    def scenes(self) -> Iterator[Scene]:
        """Play the exchange, step by step."""
        yield self._first_machine()
        yield self._second_machine()
        yield self._both_write()
        yield self._both_sync()
        yield self._search()

    def ending(self) -> Ending:
        """Look at what both machines hold now."""
        here, there = self._files(self.laptop), self._files(self.desktop)
        return Ending(
            files=tuple(sorted(here)),
            conflict_copy=next((name for name in here if ".conflict-" in name), ""),
            is_identical=here == there,
            start_text=self.desktop.context().text,
        )

    def _first_machine(self) -> Scene:
        self.laptop.init(str(self.remote))
        self._write(self.laptop, "global/USER.md", PROFILE, "who Sam is", "profile")
        self._write(
            self.laptop, "core/deploy.md", DEPLOY, "how to deploy beacon", "deploy"
        )
        self._write(
            self.laptop, "core/stack.md", STACK, "what beacon is made of", "stack"
        )
        report = self.laptop.sync()
        pushed = "and pushed" if report.pushed else "but not pushed"
        return Scene(
            "The laptop starts a memory",
            (
                "gitmem init REMOTE         an empty bare repository, as on a Git host",
                "gitmem write …             the profile, and two memories of a project",
                f"gitmem sync                three memories committed {pushed}",
            ),
        )

    def _second_machine(self) -> Scene:
        begun = self.desktop.init(str(self.remote))
        told = self.desktop.context().text
        listed = [line[8:] for line in told.splitlines() if line.startswith("- path: ")]
        return Scene(
            "The desktop joins, with the project in a folder of another name",
            (
                f"gitmem init REMOTE         {begun.made}; known by its remote",
                f"gitmem context             its agent is told of {', '.join(listed)}",
            ),
        )

    def _both_write(self) -> Scene:
        self._replace(self.laptop, "core/deploy.md", "it asks", "it never asks")
        self._write(self.laptop, "notes/outage.md", OUTAGE, "what failed", "outage")
        self._replace(self.desktop, "core/deploy.md", "it asks", "it always asks")
        self._replace(self.desktop, "core/stack.md", "3.12", "3.13")
        return Scene(
            "Both write, and neither has synced",
            (
                "laptop    core/deploy.md   it never asks for the region",
                "laptop    notes/outage.md  a new memory",
                "desktop   core/deploy.md   it always asks for the region (same line)",
                "desktop   core/stack.md    another version of Python",
            ),
        )

    def _both_sync(self) -> Scene:
        self.laptop.sync()
        report = self.desktop.sync()
        again = self.laptop.sync()
        took = counted(len(again.applied), "file")
        copies = ", ".join(map(str, report.copies))
        return Scene(
            "Both sync: nothing is lost",
            (
                "laptop    gitmem sync      pushed first",
                "desktop   gitmem sync      merged and pushed; the line written twice",
                "                           is kept twice, the other side in",
                f"                           {copies}",
                f"laptop    gitmem sync      took in {took}, the same copy among them",
            ),
        )

    def _search(self) -> Scene:
        hits = self.desktop.search(QUESTION, limit=1).hits
        found = "; ".join(f"{hit.path}: {hit.snippet}" for hit in hits)
        return Scene(
            "The desktop finds what the laptop learned",
            (f"gitmem search {QUESTION}", f"  {found}"),
        )

    def _machine(self, name: str, project: str) -> "Service":
        """Give a machine a home, a checkout of the project, and settings."""
        home = self.folder / name
        checkout = home / project
        checkout.mkdir(parents=True, mode=0o700)
        initialise(checkout, "main")
        Repository(checkout).set_config("remote.origin.url", PROJECT)
        environment = {
            "HOME": str(home),
            "GITMEM_HOME": str(home / "gitmem"),
            "GITMEM_MEMORY_DIR__GLOBAL_MEMORY": "global",
            "GITMEM_SYNC__MACHINE_ID": name,
        }
        return connect(checkout, environment=environment, now=self._clock)

    def _clock(self) -> datetime:
        return self.now

    def _write(
        self, machine: "Service", path: str, text: str, description: str, tag: str
    ) -> None:
        self.now += timedelta(minutes=1)
        fields = {"description": description, "tags": [tag]}
        machine.write(path, f"\n{text}".encode(), fields)

    def _replace(self, machine: "Service", path: str, old: str, new: str) -> None:
        """Edit a memory as an agent does: read it, change it, write it."""
        self.now += timedelta(minutes=1)
        found = machine.read(path)
        changed = found.data.replace(old.encode(), new.encode())
        machine.write(path, changed, expected_hash=found.hash)

    def _files(self, machine: "Service") -> dict[str, bytes]:
        tree = machine.rooms.tree()
        return {str(path): tree.read(path) for path in tree.walk()}
