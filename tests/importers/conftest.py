"""The verbs, connected for a project, and the stores that are written down here."""

import shutil
from pathlib import Path

import pytest
from tests.service.conftest import Connect, machines

from gitmem.memory.frontmatter.read import read
from gitmem.service.importing import Imported
from gitmem.service.service import Service

STORES = Path(__file__).parents[2] / "fixtures" / "stores"


@pytest.fixture
def connected(tmp_path: Path) -> Connect:
    """Connect a machine by name: `connected("oak")`; settings as variables."""
    return machines(tmp_path)


@pytest.fixture
def service(connected: Connect) -> Service:
    """Connect a machine that has a memory repository."""
    made = connected()
    made.init()
    return made


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    """Give copies of the stores, one folder for each kind."""
    return shutil.copytree(STORES, tmp_path / "stores")


def bytes_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Say what every file below a folder holds, and when it was written."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def memories(service: Service) -> dict[str, str]:
    """Say what every file of the memory holds, Git's own left out."""
    tree = service.rooms.tree()
    return {str(path): tree.read(path).decode() for path in tree.walk()}


def fields(service: Service, path: str) -> dict[str, object]:
    """Read the frontmatter of a memory."""
    return read(service.read(path).data).fields


def named(done: Imported) -> dict[str, str]:
    """Say why each entry became no memory."""
    return {each.origin: each.reason for each in done.steps if not each.path}
