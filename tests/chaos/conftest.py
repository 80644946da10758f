"""What every chaos test stands on; `pytest tests/chaos --chaos-full` does all of it."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chaos.sample import Tally
from tests.chaos.scene import Scene, Worker

MEMORY = Path("/dev/shm")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chaos-full", action="store_true", help="leave no point out")


@pytest.fixture
def is_full(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--chaos-full", default=False))


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a folder in memory: a kill does not ask what has reached the disk."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path_factory.mktemp("chaos")
        return
    with tempfile.TemporaryDirectory(prefix="gitmem-chaos-", dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def scenes() -> dict[str, Scene]:
    """Keep the one scene of this session, which is laid out once."""
    return {}


@pytest.fixture
def scene(place: Path, scenes: dict[str, Scene], git) -> Iterator[Scene]:
    worker = Worker()
    made = scenes.setdefault("scene", Scene(place, git, worker))
    made.git, made.worker = git, worker
    made.reset()
    yield made
    worker.close()


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    return Tally(request.node.name)
