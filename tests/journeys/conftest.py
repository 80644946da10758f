"""A terminal: machines with homes of their own, and what a person types there."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

PROGRAM = f'#!/bin/sh\nexec "{sys.executable}" -m gitmem "$@"\n'
HASH = re.compile(r"\b[0-9a-f]{12}\b")
COPY = re.compile(r"\.conflict-[0-9a-f]{8}\b")
AGE = re.compile(r"\bless than a minute\b|\b\d+ (minute|hour)s?\b")
DAY = re.compile(r"\b\d{4}-\d\d-\d\d( \d\d:\d\d)?\b")


@dataclass(frozen=True)
class Machine:
    """A home with a project in it; a journey is typed in the project."""

    name: str
    home: Path
    project: Path
    compiled: Path

    @property
    def memory(self) -> Path:
        return self.home / ".local/share/gitmem/memory"

    def type(self, command: str, cwd: Path | None = None) -> str:
        """Type one line into a shell, and give what the terminal shows."""
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=cwd or self.project,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        ended = f"[{done.returncode}]\n" if done.returncode else ""
        return self._steady(done.stdout) + ended

    def replay(self, journey: str) -> str:
        """Type every line that begins with `$ `, and give the whole transcript."""
        typed = [line[2:] for line in journey.splitlines() if line.startswith("$ ")]
        return "".join(f"$ {line}\n{self.type(line)}" for line in typed)

    def _environment(self) -> dict[str, str]:
        inherited = {
            name: text
            for name, text in os.environ.items()
            if not name.startswith(("XDG_", "GIT_", "GITMEM_", "PYTHONDONT"))
        }
        return {
            **inherited,
            "HOME": str(self.home),
            "PATH": f"{self.home / 'bin'}:{inherited['PATH']}",
            "GITMEM_SYNC__MACHINE_ID": self.name,
            # A hundred programs are started; each would compile gitmem anew.
            "PYTHONPYCACHEPREFIX": str(self.compiled),
        }

    def _steady(self, text: str) -> str:
        """Show this machine's folders as a person knows them."""
        here = text.replace(str(self.home), "~").replace(str(self.home.parent), "")
        return steady(here)


def steady(text: str) -> str:
    """Take the hashes, the days and the ages out of a transcript."""
    for pattern, name in (
        (HASH, "HASH"),
        (COPY, ".conflict-HASH"),
        (DAY, "DAY"),
        (AGE, "AGE"),
    ):
        text = pattern.sub(name, text)
    return text


MakeMachine = Callable[[str], Machine]


@pytest.fixture(name="steady")
def _steady() -> Callable[[str], str]:
    """Give what takes hashes, days and ages out of a page."""
    return steady


@pytest.fixture
def machine(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> MakeMachine:
    """Set up a machine by name: `machine("oak").type("gitmem log")`."""

    def make(name: str) -> Machine:
        home = tmp_path / name
        (home / "bin").mkdir(parents=True)
        program = home / "bin" / "gitmem"
        program.write_text(PROGRAM, "utf-8")
        program.chmod(0o755)
        project = home / "beacon"
        project.mkdir()
        compiled = tmp_path_factory.getbasetemp() / "compiled"
        return Machine(name, home, project, compiled)

    return make
