"""Hooks that gave nothing, kept until somebody was told of them.

A light hook appends to the same file in the same words; see `gitmem.hook.light`.
"""

import contextlib
import os
from collections import Counter
from pathlib import Path
from typing import Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import PRIVATE_FILE, private_folder, temporary_name

FOLDER_NAME: Final = "hooks"
NAME: Final = "trouble"
LIMIT_BYTES: Final = 16 * 1024
_NAMED: Final = 2
_WORDS: Final = 160


def note(state: Path, what: str) -> None:
    """Keep one line about a hook that failed; what cannot be kept is lost."""
    line = f"{' '.join(what.split())[:_WORDS]}\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with contextlib.suppress(OSError, GitmemError):
        path = private_folder(state / FOLDER_NAME) / NAME
        descriptor = os.open(path, flags, PRIVATE_FILE)
        try:
            if os.fstat(descriptor).st_size < LIMIT_BYTES:
                os.write(descriptor, line.encode("utf-8", "backslashreplace"))
        finally:
            os.close(descriptor)


def seen(state: Path) -> tuple[str, ...]:
    """Say what failed since somebody was told, in sentences, and keep it."""
    return _sentences(_read(state / FOLDER_NAME / NAME))


def take(state: Path) -> tuple[str, ...]:
    """Say what failed since somebody was told, once."""
    path = state / FOLDER_NAME / NAME
    aside = path.with_name(temporary_name())
    try:
        path.rename(aside)
    except OSError:
        return ()
    found = _read(aside)
    with contextlib.suppress(OSError):
        aside.unlink()
    return _sentences(found)


def _read(path: Path) -> list[str]:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        data = os.read(descriptor, LIMIT_BYTES)
    except OSError:
        return []
    finally:
        os.close(descriptor)
    return [line for line in data.decode("utf-8", "replace").splitlines() if line]


def _sentences(found: list[str]) -> tuple[str, ...]:
    counted = Counter(found).most_common()
    told = [
        f"A hook gave nothing{_times(times)}: {what} (see gitmem.log)."
        for what, times in counted[:_NAMED]
    ]
    rest = sum(times for _, times in counted[_NAMED:])
    return (*told, f"And {rest} more failures of hooks.") if rest else tuple(told)


def _times(times: int) -> str:
    return f" {times} times" if times > 1 else ""
