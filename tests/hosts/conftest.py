"""Real hosts on clean machines, with a scripted model, and no way out."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.hosts import network
from tests.hosts.agents import Claude, Codex, OpenCode, Pi, installed
from tests.hosts.machine import Machine
from tests.hosts.model import Model

MachineMaker = Callable[..., Machine]


@pytest.fixture
def no_way_out() -> Iterator[bool]:
    """Close the network for all that the test starts, where root allows it."""
    with network.closed() as is_closed:
        yield is_closed


@pytest.fixture
def model(no_way_out: bool) -> Iterator[Model]:
    """Give a model that says what the test tells it to; nothing else was asked."""
    made = Model()
    yield made
    made.close()
    assert made.strayed == []


@pytest.fixture
def remote(tmp_path: Path, git) -> Path:
    """Make the empty repository that all machines share."""
    folder = tmp_path / "remote.git"
    git("init", "--quiet", "--bare", "--initial-branch=main", folder, cwd=tmp_path)
    return folder


@pytest.fixture
def make_machine(tmp_path: Path, model: Model, remote: Path) -> Iterator[MachineMaker]:
    """Make machines by name; each has a memory with the shared remote."""
    made: list[Machine] = []

    def make(name: str = "oak", **more: str) -> Machine:
        machine = Machine(name, tmp_path / name, model, more)
        made.append(machine)
        machine.service.init(str(remote))
        return machine

    yield make
    for machine in made:
        machine.close()


@pytest.fixture
def machine(make_machine: MachineMaker) -> Machine:
    """Give the machine that most tests are about."""
    return make_machine()


@pytest.fixture
def with_memory(machine):
    """Give the machine a memory that holds something."""
    machine.remember("core/deploy.md", "Run make ship.\n", "how to deploy", "deploy")
    return machine


@pytest.fixture(params=["pi", "pi_1_6"])
def make_pi(request: pytest.FixtureRequest) -> Callable[[Machine], Pi]:
    """Set pi up on a machine, in every version that is installed."""
    command = installed(request.param)

    def make(machine: Machine, api: str = "openai-completions") -> Pi:
        made = Pi(command, machine)
        made.configure(api)
        return made

    return make


@pytest.fixture
def pi(make_pi: Callable[[Machine], Pi], machine: Machine) -> Pi:
    return make_pi(machine)


@pytest.fixture
def make_claude() -> Callable[[Machine], Claude]:
    """Set Claude Code up on a machine."""
    command = installed("claude")
    return lambda machine: Claude(command, machine)


@pytest.fixture
def claude(make_claude: Callable[[Machine], Claude], machine: Machine) -> Claude:
    return make_claude(machine)


@pytest.fixture
def codex(machine: Machine) -> Codex:
    """Set Codex up on the machine."""
    made = Codex(installed("codex"), machine)
    made.configure()
    return made


@pytest.fixture
def opencode(machine: Machine) -> OpenCode:
    """Set opencode up on the machine."""
    made = OpenCode(installed("opencode"), machine)
    made.configure()
    return made
