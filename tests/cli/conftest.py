"""The command line, run in this process, from a project in an empty home."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitmem.cli.main import run


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Gitmem = Callable[..., Said]


@pytest.fixture
def project(empty_home: Path) -> Path:
    """Make a folder that is a project of its own."""
    folder = empty_home / "beacon"
    folder.mkdir()
    return folder


@pytest.fixture
def gitmem(
    project: Path,
    empty_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Gitmem:
    """Run `gitmem ARGS` in the project: `gitmem("log").out`."""
    monkeypatch.setenv("GITMEM_HOME", str(empty_home / "gitmem"))
    monkeypatch.setenv("GITMEM_SYNC__MACHINE_ID", "oak")
    monkeypatch.chdir(project)

    def call(*arguments: str, stdin: str = "") -> Said:
        given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", given)
        capsys.readouterr()
        status = run(list(arguments))
        printed = capsys.readouterr()
        return Said(status, printed.out, printed.err)

    return call


@pytest.fixture
def open_tape(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open the tape of the project, which is no repository and lies in /tmp."""
    monkeypatch.setenv("TMPDIR", str(empty_home / "tmp"))
    monkeypatch.setenv("GITMEM_TAPE__ENABLED", "true")
    monkeypatch.setenv("GITMEM_TAPE__ONLY_GIT", "false")


@pytest.fixture
def memory(gitmem: Gitmem, empty_home: Path) -> Path:
    """Make a memory repository with one memory in it, and say where it is."""
    gitmem("init")
    gitmem(
        *("write", "core/deploy.md", "--description", "how to deploy"),
        *("--tag", "deploy"),
        stdin="# Deploy\n\nShip with make ship.\n",
    )
    return empty_home / "gitmem" / "data" / "memory"
