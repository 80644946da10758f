"""Whether there is a tape in a folder at all, and why not; pure."""

from collections.abc import Iterable
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


def shut(
    folder: Path, *, is_enabled: bool, excluded: Iterable[Path], needs_git: bool
) -> str:
    """Say why there is no tape in a folder; nothing where there is one.

    `excluded` are the person's folders and the one for temporary files; `needs_git` is
    True for a folder outside Git where only those inside have a tape.
    """
    if not is_enabled:
        return "tape.enabled is off"
    for each in (*SYSTEM, *excluded):
        if folder.is_relative_to(each):
            return f"{each} has no tape"
    return "this folder is not inside Git, and tape.only_git is on" if needs_git else ""
