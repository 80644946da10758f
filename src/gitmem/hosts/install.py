"""Put gitmem into a host, and take it out again.

What is written is decided first and as a whole; then a ledger of it; then the files.
A kill leaves what the next install or uninstall settles.
"""

import contextlib
import dataclasses
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem.errors import SettingsError
from gitmem.files import lock
from gitmem.files.atomic import private_folder
from gitmem.files.names import shown
from gitmem.hosts import decide, disk, ledger, registry
from gitmem.hosts.disk import Change
from gitmem.hosts.ledger import Ledger
from gitmem.hosts.place import Installation, Where, Wishes

_LOCK_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Done:
    """What was done to a host's files, or would be.

    `kept` are files of gitmem's that the person edited, where they are now.
    """

    host: str
    changed: tuple[Path, ...]
    diff: str
    steps: tuple[str, ...]
    kept: tuple[Path, ...] = ()


def install(
    name: str,
    where: Where,
    installation: Installation,
    wishes: Wishes,
    *,
    is_dry: bool = False,
) -> Done:
    """Put gitmem into a host, or bring what is there up to date.

    Raises SettingsError where a file of the host cannot be understood, and PathRefused
    where one cannot be written; then nothing was changed.
    """
    with _spelled(), contextlib.nullcontext() if is_dry else _alone(installation):
        place = ledger.place(installation.state, _key(name, where))
        known = ledger.load(place)
        wishes = _kept(wishes, known)
        plan = registry.plan(name, where, installation, wishes)
        entries, changes = decide.installed(plan, known)
        done = _told(name, changes, plan.steps)
        folder = installation.assets(name)
        done = _with_assets(done, folder, disk.differing(folder, plan.assets))
        if is_dry:
            return done
        _sweep(known)
        folders = known.folders if known else ()
        made = (each for change in changes for each in _missing(change))
        disk.lay_out(folder, plan.assets)
        record = Ledger(
            installation.version,
            str(installation.python),
            wishes,
            entries,
            tuple(dict.fromkeys([*folders, *made])),
        )
        if record != known:
            ledger.save(place, record)
        _carry_out(changes)
    return done


def uninstall(
    name: str, where: Where, installation: Installation, *, is_dry: bool = False
) -> Done:
    """Take gitmem out of a host, and leave its files as they were.

    What the person changed beside it in the meantime stays. Raises as `install` does.
    """
    with contextlib.nullcontext() if is_dry else _alone(installation):
        place = ledger.place(installation.state, _key(name, where))
        known = ledger.load(place)
        plan = registry.plan(name, where, installation, Wishes())
        changes = decide.uninstalled(plan, known)
        done = _told(name, changes, ())
        if is_dry:
            return done
        _sweep(known)
        _carry_out(changes)
        disk.clear(known.folders if known else ())
        disk.remove(installation.assets(name))
        place.unlink(missing_ok=True)
    return done


def is_installed(name: str, where: Where, installation: Installation) -> bool:
    """Say whether an installation is on record."""
    return ledger.load(ledger.place(installation.state, _key(name, where))) is not None


def targets(name: str, installation: Installation) -> tuple[Path, ...]:
    """Name the files that the person named at installs which are on record."""
    folder = ledger.place(installation.state, name).parent
    found = map(ledger.load, sorted(folder.glob(f"{name}-*.json")))
    entries = [entry for each in found if each for entry in each.entries]
    return tuple(sorted(entry.path for entry in entries))


def stale(name: str, where: Where, installation: Installation) -> str:
    """Say why an installation needs to be made again; empty where it does not."""
    known = ledger.load(ledger.place(installation.state, _key(name, where)))
    if known is None:
        return ""
    if known.python != str(installation.python):
        return f"it calls another Python, {known.python}"
    if known.version != installation.version:
        return f"it is of gitmem {known.version}"
    plan = registry.plan(name, where, installation, known.wishes)
    try:
        _, changes = decide.installed(plan, known)
    except SettingsError as error:
        return error.message
    folder = installation.assets(name)
    named = [each.path for each in changes if each.is_needed]
    named += disk.differing(folder, plan.assets)
    return f"{shown(str(named[0]))} is not as gitmem wrote it" if named else ""


def _key(name: str, where: Where) -> str:
    """Name the ledger: one for each host, or for each file that the person named."""
    if where.target is None:
        return name
    import hashlib  # OpenSSL: 3 ms

    real = os.fsencode(disk.resolved(where.target))
    return f"{name}-{hashlib.sha256(real).hexdigest()[:16]}"


@contextlib.contextmanager
def _alone(installation: Installation) -> Iterator[None]:
    folder = private_folder(installation.state / "hosts")
    with lock.locked(folder / "install.lock", timeout_seconds=_LOCK_SECONDS):
        yield


@contextlib.contextmanager
def _spelled() -> Iterator[None]:
    """Refuse a path that no file of a host can name; nothing is written by then."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise SettingsError(
            "A folder of gitmem's has a name that is not UTF-8, and no host can read"
            " that in its settings.",
            "Let XDG_DATA_HOME name another folder, or install gitmem in one.",
        ) from error


def _kept(wishes: Wishes, known: Ledger | None) -> Wishes:
    """Let what was once wished for hold until it is uninstalled."""
    if known is None:
        return wishes
    replaces = wishes.replaces_auto_memory or known.wishes.replaces_auto_memory
    return dataclasses.replace(wishes, replaces_auto_memory=replaces)


def _sweep(known: Ledger | None) -> None:
    """Remove what a killed install or uninstall left beside the files."""
    entries = known.entries if known else ()
    held = [data for each in entries for data in (each.original, each.written)]
    for folder in {each.path.parent for each in entries}:
        disk.sweep(folder, held)


def _missing(change: Change) -> tuple[Path, ...]:
    return disk.missing_folders(change.path) if change.is_needed else ()


def _carry_out(changes: Sequence[Change]) -> None:
    for change in changes:
        if change.is_needed:
            disk.carry_out(change)


def _told(name: str, changes: Sequence[Change], steps: tuple[str, ...]) -> Done:
    needed = [change for change in changes if change.is_needed]
    kept = tuple(each.path for each in changes if each.is_kept)
    told = [each for each in changes if each.is_needed or each.is_kept]
    diff = "".join(map(decide.diff, told))
    return Done(name, tuple(each.path for each in needed), diff, steps, kept)


def _with_assets(done: Done, folder: Path, differing: Sequence[Path]) -> Done:
    if not differing:
        return done
    line = f"# {len(differing)} files of gitmem's own in {shown(str(folder))}\n"
    changed = (*done.changed, folder)
    return dataclasses.replace(done, changed=changed, diff=done.diff + line)
