"""Whether there is a tape in a folder at all, and why not; pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Nobody's work is there: what is, comes and goes with the system.
SYSTEM: Final = tuple(
    map(
        Path,
        (
            *("/proc", "/sys", "/dev", "/run", "/boot"),
            *("/nix/store", "/gnu/store", "/snap", "/var/lib/snapd"),
            *("/System", "/private/var/folders", "/private/tmp"),
        ),
    )
)
_IS_SET: Final = "`gitmem settings --explain` says where it is set."
_ELSEWHERE: Final = "Work in a folder of your own; no setting gives this one a tape."


@dataclass(frozen=True, slots=True)
class Shut:
    """Why there is no tape in a folder, and what a person can do."""

    why: str
    way_out: str = _IS_SET


def shut(
    folder: Path,
    *,
    is_enabled: bool,
    never: Mapping[Path, str],
    excluded: Iterable[Path],
    needs_git: bool,
) -> Shut | None:
    """Say why there is no tape in a folder; None where there is one.

    `never` says what folders are that have none whatever is set, and `excluded` are
    the person's. `needs_git` is True for a folder outside Git where only those inside
    have a tape.
    """
    if not is_enabled:
        return Shut("tape.enabled is off")
    for each, what in {**never, **dict.fromkeys(SYSTEM, "the system's own")}.items():
        if folder.is_relative_to(each):
            return Shut(f"{each} is {what}, and never has one", _ELSEWHERE)
    for each in excluded:
        if folder.is_relative_to(each):
            return Shut(f"{each} is in tape.exclude_dirs")
    if needs_git:
        return Shut("this folder is not inside Git, and tape.only_git is on")
    return None
