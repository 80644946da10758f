"""Machines that share a memory, and ways to break them."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.sync import conftest
from tests.sync.conftest import Machine

SOURCE = Path(__file__).resolve().parents[2] / "src"

clock = conftest.clock
machine = conftest.machine
moulds = conftest.moulds
cast = conftest.cast
alone = conftest.alone
pair = conftest.pair
first = conftest.first


@pytest.fixture
def in_background() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start a program that is ended with the test."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*command: str | Path, cwd: Path) -> subprocess.Popen[bytes]:
        running.append(
            subprocess.Popen(list(map(str, command)), cwd=cwd, stdin=subprocess.PIPE)
        )
        return running[-1]

    yield start
    for child in running:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        child.communicate()


@pytest.fixture
def gitmem(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Type a command on a machine: `gitmem(first, "sync")`."""

    def type_(
        where: Machine, *arguments: str, inside: tuple[str, ...] = ()
    ) -> subprocess.CompletedProcess[str]:
        inherited = filter(None, [os.environ.get("PYTHONPATH")])
        return subprocess.run(
            [*inside, sys.executable, "-P", "-m", "gitmem", *arguments],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(SOURCE), *inherited]),
                "GITMEM_HOME": str(where.root.parent / "gitmem"),
                "GITMEM_MEMORY_DIR__LOCAL_PATH": str(where.root),
                "GITMEM_SYNC__MACHINE_ID": where.options.author.machine,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return type_


def loose(machine: Machine, oid: str) -> Path:
    """Name the file that holds a loose object."""
    return machine.root / ".git" / "objects" / oid[:2] / oid[2:]
