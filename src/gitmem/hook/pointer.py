"""Leave a note by which the next hook finds the daemon without any settings."""

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.hook import light

# Each set of GITMEM_* variables has a pointer; those of tests and trials go.
KEEP_SECONDS: Final = 30 * 24 * 3600.0


def keep(environ: Mapping[bytes, bytes], socket: bytes) -> None:
    """Point to a socket for those who come with the same variables.

    Without a pointer the next hook costs more time, and nothing else.
    """
    variables = light.shaping(dict(environ))
    state = light.state_folder(dict(environ))
    if not state or b"\n" in socket:
        return
    with contextlib.suppress(OSError, GitmemError):
        folder = private_folder(
            Path(state.decode("utf-8", "surrogateescape")) / "hooks"
        )
        _prune(folder)
        data = b"%s\n%s\n%s" % (light.MAGIC, socket, variables)
        write(folder / light.pointer_name(variables), data)


def _prune(folder: Path) -> None:
    oldest = time.time() - KEEP_SECONDS
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if path.lstat().st_mtime < oldest:
                path.unlink()
