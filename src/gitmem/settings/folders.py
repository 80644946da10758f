"""Name gitmem's own folders, and those it keeps for one memory repository."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gitmem.settings.places import places


@dataclass(frozen=True)
class Folders:
    """Where gitmem keeps what does not belong into the memory repository."""

    config: Path
    data: Path
    state: Path
    cache: Path


def folders(environment: Mapping[str, str]) -> Folders:
    """Name gitmem's folders; nothing is created. `GITMEM_HOME` moves them all."""
    found = places(environment)
    return Folders(*(Path(place) for place in found)) if found else _by_platform()


def config_file(own: Folders) -> Path:
    """Name the person's settings file."""
    return own.config / "config.toml"


def repository_folder(base: Path, repository: Path) -> Path:
    """Name the folder below `base` that belongs to one memory repository.

    Two paths that lead to the same repository share it.
    """
    import hashlib  # OpenSSL: 3 ms

    real = os.fsencode(os.path.realpath(repository))
    return base / "repositories" / hashlib.sha256(real).hexdigest()[:16]


def _by_platform() -> Folders:
    import platformdirs  # heavy: 20 ms

    own = platformdirs.PlatformDirs("gitmem", appauthor=False)
    return Folders(
        own.user_config_path,
        own.user_data_path,
        own.user_state_path,
        own.user_cache_path,
    )
