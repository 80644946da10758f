"""Read what a `.git` folder itself says of its configuration, and nothing more."""

import functools
import os
from os import devnull
from pathlib import Path
from typing import Final

from gitmem.project import gitfolder
from gitmem.repo import config
from gitmem.repo.command import Command
from gitmem.repo.environment import variables

Items = tuple[tuple[str, str], ...]
_LIMIT_BYTES: Final = 1_000_000
_ANYWHERE: Final = Path("/")


def read(git_folder: Path) -> Items:
    """List the keys and values; a part may lie in a file that is the work tree's."""
    shared, own = git_folder / "config", git_folder / "config.worktree"
    return (*_items(shared), *(_items(own) if os.path.lexists(own) else ()))


def _items(file: Path) -> Items:
    data = gitfolder.read(file, _LIMIT_BYTES)
    # What cannot be read like this, Git may still read, or can say why not.
    return _asked(str(file)) if data is None else _listed(data)


@functools.lru_cache(maxsize=8)
def _listed(data: bytes) -> Items:
    """Let Git read these bytes: the same ones come to the same."""
    return _asked("-", data)


def _asked(file: str, data: bytes = b"") -> Items:
    # Without a folder of its own Git does not obey, as it starts, what it is to list.
    alone = {**variables(_ANYWHERE, may_lock=False), "GIT_DIR": devnull}
    asked = ("config", "--file", file, "--no-includes", "--list", "-z")
    return config.parse(Command(_ANYWHERE).check(*asked, variables=alone, stdin=data))
