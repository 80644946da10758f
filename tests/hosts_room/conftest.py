"""A person with a home, and a gitmem to put into their hosts."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gitmem
from gitmem.hosts import install as hosts
from gitmem.hosts.install import Done
from gitmem.hosts.place import Installation, Where, Wishes

PACKAGE = Path(gitmem.__file__).parent


class Person:
    """Somebody who puts gitmem into a host, and out again."""

    def __init__(self, home: Path, installation: Installation) -> None:
        self.home = home
        self.installation = installation
        self.wishes = Wishes()

    def where(self, name: str) -> Where:
        target = self.home / "site" / "AGENTS.md" if name == "agents-md" else None
        return Where(self.home, {}, target)

    def install(self, name: str, *, is_dry: bool = False) -> Done:
        where = self.where(name)
        return hosts.install(name, where, self.installation, self.wishes, is_dry=is_dry)

    def uninstall(self, name: str, *, is_dry: bool = False) -> Done:
        return hosts.uninstall(name, self.where(name), self.installation, is_dry=is_dry)

    def stale(self, name: str) -> str:
        return hosts.stale(name, self.where(name), self.installation)

    def upgrade(self) -> None:
        self.installation = replace(self.installation, version="9.9.9")

    def file(self, path: str, data: bytes) -> Path:
        made = self.home / path
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(data)
        return made

    def everything(self) -> dict[str, bytes | str | None]:
        """Read all that lies in the home, folders and links among it."""
        return {
            str(path.relative_to(self.home)): _held(path)
            for path in sorted(self.home.rglob("*"))
        }


def _held(path: Path) -> bytes | str | None:
    if path.is_symlink():
        return str(path.readlink())
    return path.read_bytes() if path.is_file() else None


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Give a person with an empty home."""
    home = tmp_path / "person"
    home.mkdir()
    own = tmp_path / "own"
    installation = Installation(
        version="1.0",
        python=Path(sys.executable),
        package=PACKAGE,
        command=("/opt/tools/gitmem",),
        data=own / "data",
        state=own / "state",
    )
    return Person(home, installation)
