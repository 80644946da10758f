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


@pytest.fixture(scope="session")
def workers() -> Iterator[list[Worker]]:
    """Keep the worker of this session, which takes long to start."""
    kept: list[Worker] = []
    yield kept
    for worker in kept:
        worker.close()


@pytest.fixture
def scene(place: Path, scenes: dict[str, Scene], workers: list[Worker], git) -> Scene:
    if not workers:
        workers.append(Worker())
    made = scenes.setdefault("scene", Scene(place, git, workers[0]))
    made.git = git
    made.go_to(Scene.lay_out)
    return made


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    return Tally(request.node.name)


@pytest.fixture
def seen(scene: Scene) -> list[str]:
    """Name, in order, all that a cycle does which nobody disturbs."""
    ended = scene.run()
    assert not ended.error, ended.trace
    assert len(ended.seen) > 200
    return ended.seen
