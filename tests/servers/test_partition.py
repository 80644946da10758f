"""Machines with networks of their own, which are taken apart and joined again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.servers.ssh import MISSING, Sshd

IP = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin") or ""
SOURCE = Path(__file__).resolve().parents[2] / "src"
HUB = "10.77.0.1"

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
    pytest.mark.skipif(not IP, reason="there is no ip here (iproute2)"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may make networks"),
]


def ip(*arguments: str | Path) -> None:
    done = subprocess.run(
        [IP, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"no networks can be made here: {done.stderr.strip()}")


@dataclass
class Network:
    """A hub, and machines that each hang on it by one cable."""

    prefix: str = f"gitmem{os.getpid()}"
    names: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        ip("netns", "add", self.space(name))
        self.names.append(name)
        ip("-n", self.space(name), "link", "set", "lo", "up")

    def connect(self, name: str, number: int) -> None:
        here, there = self.space("hub"), self.space(name)
        ends = ("name", "eth0", "netns", there)
        ip("link", "add", name, "netns", here, "type", "veth", "peer", *ends)
        for space, device, last in ((here, name, 1), (there, "eth0", 2)):
            ip("-n", space, "addr", "add", f"10.77.{number}.{last}/30", "dev", device)
            ip("-n", space, "link", "set", device, "up")
        ip("-n", there, "route", "add", "default", "via", f"10.77.{number}.1")

    def plug(self, name: str, state: str) -> None:
        ip("-n", self.space("hub"), "link", "set", name, state)

    def space(self, name: str) -> str:
        return f"{self.prefix}-{name}"

    def inside(self, name: str) -> tuple[str, ...]:
        return (IP, "netns", "exec", self.space(name))

    def remove(self) -> None:
        for name in self.names:
            subprocess.run(
                [IP, "netns", "del", self.space(name)], capture_output=True, check=False
            )


@dataclass
class Host:
    """One machine: what is typed there reaches the hub by its cable, or nobody."""

    name: str
    home: Path
    network: Network

    @property
    def memory(self) -> Path:
        return self.home / "data" / "memory"

    def gitmem(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-P", "-m", "gitmem", *arguments)
        return subprocess.run(
            [*self.network.inside(self.name), *command],
            env={
                **os.environ,
                "GITMEM_HOME": str(self.home),
                "GITMEM_SYNC__MACHINE_ID": self.name,
                "GITMEM_SYNC__TIMEOUT": "3",
                "PYTHONPATH": str(SOURCE),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def files(self) -> dict[str, str]:
        return {path.name: path.read_text("utf-8") for path in self.memory.glob("*.md")}


@pytest.fixture
def network() -> Iterator[Network]:
    made = Network()
    try:
        made.add("hub")
        ip("-n", made.space("hub"), "addr", "add", f"{HUB}/32", "dev", "lo")
        yield made
    finally:
        made.remove()


@pytest.fixture
def hosts(network, tmp_path, bare_remote, git) -> Iterator[dict[str, Host]]:
    """Give machines that share a memory."""
    sshd = Sshd(tmp_path / "ssh", host=HUB, inside=network.inside("hub"))
    sshd.start()
    git("config", "--global", "core.sshCommand", sshd.command(), cwd=tmp_path)
    made = {}
    for number, name in enumerate(("oak", "elm"), start=1):
        network.add(name)
        network.connect(name, number)
        made[name] = Host(name, tmp_path / name, network)
        done = made[name].gitmem("init", sshd.url(bare_remote))
        assert done.returncode == 0, done.stderr
    yield made
    sshd.stop()


def test_machines_that_had_no_network_meet_in_one_cycle_once_it_is_back(hosts, network):
    oak, elm = hosts.values()
    (oak.memory / "plan.md").write_text("one\n\ntwo\n\nthree\n", "utf-8")
    assert both(hosts, "sync") == [0, 0]
    assert both(hosts, "sync") == [0, 0]
    network.plug("oak", "down")
    network.plug("elm", "down")
    (oak.memory / "plan.md").write_text("ONE\n\ntwo\n\nthree\n", "utf-8")
    (elm.memory / "plan.md").write_text("one\n\ntwo\n\nTHREE\n", "utf-8")
    assert both(hosts, "sync") == [1, 1]

    network.plug("oak", "up")
    network.plug("elm", "up")

    assert oak.gitmem("sync").returncode == 0
    assert elm.gitmem("sync").returncode == 0
    assert elm.files() == {"plan.md": "ONE\n\ntwo\n\nTHREE\n"}
    assert oak.gitmem("sync", "pull", "--force").returncode == 0
    assert oak.files() == elm.files()


def both(hosts: dict[str, Host], *arguments: str) -> list[int]:
    """Type the same on every machine at once."""
    with ThreadPoolExecutor() as pool:
        done = pool.map(lambda host: host.gitmem(*arguments), hosts.values())
        return [each.returncode for each in done]
