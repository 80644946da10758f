"""The verbs, connected for a project in a folder, with a clock that stands."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.app import Caller, connect
from gitmem.service.service import Service

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Connect = Callable[..., Service]


def machines(tmp_path: Path, caller: Caller | None = None) -> Connect:
    """Connect a machine by name, whoever calls; settings as variables."""

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
        return connect(folder, environment=environment, caller=caller, now=lambda: NOW)

    return make


@pytest.fixture
def connected(tmp_path: Path) -> Connect:
    """Connect a machine by name: `connected("oak")`; settings as variables."""
    return machines(tmp_path, Caller("pi", "s1"))


@pytest.fixture
def service(connected: Connect) -> Service:
    """Connect a machine that has a memory repository."""
    made = connected()
    made.init()
    return made
