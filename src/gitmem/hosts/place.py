"""Where a host's files are, and which gitmem is put into them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.hosts.edit import Edit

# Python ends with 2 where a script is gone, which hosts take for an order to stop the
# person's prompt. This ends with 1 then, and costs the same.
_RUN: Final = (
    "import sys;del sys.argv[0];__file__=sys.argv[0];"
    "exec(compile(open(__file__,'rb').read(),__file__,'exec'))"
)


@dataclass(frozen=True, slots=True)
class Where:
    """The person's home, the variables that move a host's files, a file they named."""

    home: Path
    variables: Mapping[str, str] = field(default_factory=dict)
    target: Path | None = None

    def folder(self, variable: str, *fallback: str) -> Path:
        """Name the folder that a variable names, or the usual one below the home."""
        named = self.variables.get(variable, "")
        return Path(named) if named.startswith("/") else self.home.joinpath(*fallback)


@dataclass(frozen=True, slots=True)
class Installation:
    """The gitmem that runs: its interpreter, its files, its folders, its command."""

    version: str
    python: Path
    package: Path
    command: tuple[str, ...]
    data: Path
    state: Path

    def assets(self, name: str) -> Path:
        """Name the folder of what is made for a host."""
        return self.data / "hosts" / name

    def hook(self, host: str, event: str) -> tuple[str, ...]:
        """Give the command that a host runs when something happens."""
        client = self.package / "hook" / "client.py"
        return (str(self.python), "-I", "-S", "-c", _RUN, str(client), host, event)


@dataclass(frozen=True, slots=True)
class Plan:
    """What putting gitmem into a host takes.

    `edits` change the host's own files; `assets` are gitmem's files for it, by their
    place in the assets folder; `steps` are what is left to the person.
    """

    edits: tuple[Edit, ...]
    assets: Mapping[PurePosixPath, bytes] = field(default_factory=dict)
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person can choose about an installation."""

    replaces_auto_memory: bool = False
