"""The verbs, connected for a project, and the stores that are written down here."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.app import connect
from gitmem.service.service import Service

STORES = Path(__file__).parents[2] / "fixtures" / "stores"
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Connect = Callable[..., Service]


@pytest.fixture
def connected(tmp_path: Path) -> Connect:
    """Connect a machine by name: `connected("oak")`; settings as variables."""

    def make(machine: str = "oak", project: str = "beacon", **settings: str) -> Service:
        folder = tmp_path / machine / project
        folder.mkdir(parents=True, exist_ok=True)
        environment = {
            "HOME": str(tmp_path / machine),
            "GITMEM_HOME": str(tmp_path / machine / "gitmem"),
            "GITMEM_SYNC__MACHINE_ID": machine,
            "GITMEM_MEMORY_DIR__GLOBAL_MEMORY": "global",
            **settings,
        }
        return connect(folder, environment=environment, now=lambda: NOW)

    return make


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
