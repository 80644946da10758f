"""Say of each host whether it is there, and whether gitmem in it is up to date."""

import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem.errors import GitmemError
from gitmem.hosts import install, registry
from gitmem.hosts.codex import install as codex
from gitmem.hosts.place import Installation, Where
from gitmem.process import run

_TIMEOUT_SECONDS: Final = 10.0
_VERSION: Final = re.compile(rb"\d+\.\d+[\w.+-]*")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a host stands: its program, its version, and gitmem in it.

    `trouble` says what keeps gitmem from working in it, `mend` what to do. What is no
    program but a `file` that the person named is known by that.
    """

    name: str
    program: Path | None
    version: str
    is_installed: bool
    trouble: str = ""
    mend: str = ""
    file: Path | None = None


def hosts(
    where: Where, installation: Installation, environment: Mapping[str, str]
) -> tuple[Standing, ...]:
    """Look at every host that is a program, and every file that gitmem was put into."""
    programs = tuple(
        _standing(name, where, installation, environment)
        for name in registry.names()
        if registry.program(name)
    )
    files = tuple(
        _page(name, path, where, installation)
        for name in registry.names()
        if not registry.program(name)
        for path in install.targets(name, installation)
    )
    return programs + files


def _page(name: str, path: Path, where: Where, installation: Installation) -> Standing:
    there = Where(where.home, where.variables, path)
    trouble, mend = "", ""
    try:
        stale = install.stale(name, there, installation)
    except GitmemError as error:
        stale = error.message
    if stale:
        trouble = f"gitmem in it is not up to date: {stale}"
        mend = f"gitmem host install {name} {shlex.quote(str(path))}"
    return Standing(
        name, None, "", is_installed=True, trouble=trouble, mend=mend, file=path
    )


def _standing(
    name: str,
    where: Where,
    installation: Installation,
    environment: Mapping[str, str],
) -> Standing:
    found = shutil.which(registry.program(name), path=environment.get("PATH", ""))
    program = Path(found) if found else None
    is_there = install.is_installed(name, where, installation)
    trouble, mend = _trouble(name, where, installation) if is_there else ("", "")
    version = _version(program, where.home, environment) if program else ""
    return Standing(name, program, version, is_there, trouble, mend)


def _trouble(name: str, where: Where, installation: Installation) -> tuple[str, str]:
    if stale := install.stale(name, where, installation):
        return f"gitmem in it is not up to date: {stale}", f"gitmem host install {name}"
    if name == "codex" and codex.untrusted(where):
        return "it runs none of gitmem's hooks", codex.TRUST
    return "", ""


def _version(program: Path, home: Path, environment: Mapping[str, str]) -> str:
    """Ask a host for its version; some answer on stderr, and none has to."""
    try:
        done = run(
            [program, "--version"],
            cwd=home,
            environment=environment,
            timeout_seconds=_TIMEOUT_SECONDS,
        )
    except (GitmemError, OSError):
        return ""
    found = _VERSION.search(done.stdout) or _VERSION.search(done.stderr)
    return found[0].decode() if found else ""
