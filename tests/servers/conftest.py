"""Real servers on this machine, and machines that share a memory over them."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_lowercase

import pytest
from tests.servers.web import Web
from tests.sync import conftest
from tests.sync.conftest import Machine, MachineMaker

SECRET = "hunter2-of-ann"
PERSON = f"ann:{SECRET}"
# Words, so that none of it is taken for a credential.
LETTERS = ascii_lowercase + " " * 8

clock = conftest.clock
machine = conftest.machine


@pytest.fixture
def web(tmp_path: Path, bare_remote: Path) -> Iterator[Web]:
    """Serve the bare repository by HTTP."""
    server = Web(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def over_http(machine: MachineMaker, web: Web) -> Callable[[str], Machine]:
    """Give machines whose remote is the web server, with little patience."""

    def make(name: str) -> Machine:
        return machine(name, url=web.url, timeout_seconds=2.5)

    return make


@pytest.fixture
def keychain(empty_home: Path) -> Path:
    """Let the person's own Git configuration know the password."""
    helper = empty_home / "keychain"
    helper.write_text(
        f"#!/bin/sh\necho username=ann\necho password={SECRET}\n", encoding="utf-8"
    )
    helper.chmod(0o700)
    config = empty_home / ".gitconfig"
    config.write_text(f'[credential]\n\thelper = "{helper}"\n', encoding="utf-8")
    return helper


def noise(size: int, *, seed: int = 7) -> str:
    """Give text that no compression makes small."""
    letters = random.Random(seed).choices(LETTERS, k=size)  # noqa: S311  no secret
    lines = ("".join(letters[i : i + 80]) for i in range(0, size, 80))
    return "\n".join(lines) + "\n"
