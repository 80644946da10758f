"""Put this gitmem into hosts: which one it is, and where their files are."""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import gitmem
from gitmem.files.names import shown
from gitmem.hosts import check, install
from gitmem.hosts.check import Standing
from gitmem.hosts.install import Done
from gitmem.hosts.place import Installation, Where, Wishes
from gitmem.process import environment
from gitmem.service.answers import Diagnosis, Verdict
from gitmem.settings.folders import Folders

# These bring the command along for the agent's shell.
_BRINGING = frozenset({"claude-code", "pi"})
_NOT_ON_PATH = (
    "`gitmem` is not on your PATH, and agents call it by its name: add {folder} to it,"
    " or link it into a folder that is on it."
)


def standings(own: Folders) -> tuple[Standing, ...]:
    """Look at every host that is a program."""
    return check.hosts(_where(None), _installation(own), environment())


def put_in(
    own: Folders, name: str, target: Path | None, wishes: Wishes, *, is_dry: bool
) -> Done:
    """Put gitmem into a host, or say what that would change."""
    where, installation = _where(target), _installation(own)
    done = install.install(name, where, installation, wishes, is_dry=is_dry)
    path = environment().get("PATH", "")
    if name in _BRINGING or shutil.which("gitmem", path=path):
        return done
    step = _NOT_ON_PATH.format(folder=installation.python.parent)
    return replace(done, steps=(*done.steps, step))


def take_out(own: Folders, name: str, target: Path | None, *, is_dry: bool) -> Done:
    """Take gitmem out of a host, or say what that would change."""
    return install.uninstall(name, _where(target), _installation(own), is_dry=is_dry)


def examine(own: Folders) -> Iterator[Diagnosis]:
    """Say of each host that has gitmem, or could have it, how it stands."""
    for each in standings(own):
        version = f" {each.version}" if each.version else ""
        version = f" {shown(str(each.file))}" if each.file else version
        if each.trouble:
            message = f"{each.name}{version}: {each.trouble}"
            yield Diagnosis("host", Verdict.WORRY, message, each.mend)
        elif each.is_installed:
            message = f"{each.name}{version} has gitmem"
            yield Diagnosis("host", Verdict.FINE, message)
        elif each.program:
            message = f"{each.name}{version} is there, without gitmem; give it by"
            message += f" `gitmem host install {each.name}`"
            yield Diagnosis("host", Verdict.FINE, message)


def _where(target: Path | None) -> Where:
    return Where(Path.home(), environment(), target)


def _installation(own: Folders) -> Installation:
    python = Path(sys.executable)
    script = python.with_name("gitmem")
    module = (str(python), "-P", "-m", "gitmem")
    return Installation(
        version=gitmem.__version__,
        python=python,
        package=Path(gitmem.__file__).parent,
        command=(str(script),) if script.exists() else module,
        data=own.data,
        state=own.state,
    )
