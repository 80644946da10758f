"""Keep what a load of the settings came to, so that the next one is cheap.

A snapshot holds only under its key, and the key is made of everything that shapes the
result: the bytes of the files, the variables, and gitmem's own code. It is read only
if nobody but this user can have written it. Imports only what the interpreter has
loaded anyway: the quick answers ask here.
"""

import os

# hashlib loads OpenSSL: 3 ms
from _blake2 import blake2b

from gitmem import __version__
from gitmem.settings import places, reading

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PREFIX = "GITMEM_"
LIMIT_BYTES = 1 << 20
_GLANCE = "glance"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# The kind of file, and what others may do with it.
_SHAPE = 0o170077
_PRIVATE_FOLDER = 0o040000


class Glance:
    """What the last load came to, as far as a quick answer needs it.

    `real` is where `local_path` led, and `state` the folder that went with it.
    """

    # No dataclass, which brings 20 modules along.
    __slots__ = ("branch", "fetch_ttl", "local_path", "real", "repo_url", "state")

    def __init__(self, texts: "list[str]") -> None:
        """Take the texts in the order in which they are kept."""
        self.local_path, self.real, self.state, self.repo_url, self.branch, ttl = texts
        self.fetch_ttl = float(ttl)


def glance(environment: "Mapping[str, str]") -> Glance | None:
    """Give what the last load came to, if it still holds."""
    where = places.places(environment)
    if not where:
        return None
    config, trouble = reading.read_config(f"{where[0]}/config.toml")
    if trouble:
        return None
    found = fetch(where[3], _GLANCE, person_key(where[0], config, environment))
    try:
        return None if found is None else Glance(os.fsdecode(found).split("\0"))
    except ValueError:
        return None


def keep_glance(cache: str, key: str, texts: "list[str]") -> None:
    """Remember what `Glance` is made of."""
    keep(cache, _GLANCE, key, os.fsencode("\0".join(texts)))


def local_path(environment: "Mapping[str, str]") -> str | None:
    """Say where the memory repository is, if the last load still holds."""
    found = glance(environment)
    return None if found is None else found.local_path


def person_key(
    config_folder: str, config: bytes | None, environment: "Mapping[str, str]"
) -> str:
    """Digest everything of the person's that shapes the settings."""
    parts = [__version__, _own_code(), str(os.geteuid()), config_folder]
    parts += ["no file"] if config is None else ["file", config.hex()]
    for name in sorted(environment):
        if name.startswith(PREFIX) or name in places.SHAPING:
            parts += [name, environment[name]]
    return digest(os.fsencode(part) for part in parts)


def digest(parts: "Iterable[bytes]") -> str:
    """Digest parts so that no two lists of parts come to the same."""
    total = blake2b(digest_size=32)
    for part in parts:
        total.update(b"%d:" % len(part))
        total.update(part)
    return total.hexdigest()


def fetch(cache: str, name: str, key: str) -> bytes | None:
    """Read what was kept under this name, if it was kept under this key."""
    folder = f"{cache}/settings"
    if not is_private(folder):
        return None
    data = reading.read_private(f"{folder}/{name}", LIMIT_BYTES)
    if data is None:
        return None
    head, _, payload = data.partition(b"\n")
    return payload if head == _head(key, payload) else None


def keep(cache: str, name: str, key: str, payload: bytes) -> None:
    """Write a snapshot; one that cannot be written costs only time."""
    from pathlib import Path  # only when stale

    from gitmem.errors import PathRefused
    from gitmem.files import atomic

    data = _head(key, payload) + b"\n" + payload
    try:
        atomic.own_folder(Path(cache))
        folder = os.open(atomic.own_folder(Path(cache) / "settings"), _FOLDER)
    except (OSError, PathRefused):
        return
    try:
        # Not forced to the disk: a torn snapshot is noticed by its digest.
        mode = atomic.PRIVATE_FILE
        new = atomic.write_temporary(folder, data, mode=mode, durable=False)
        os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        return
    finally:
        os.close(folder)


def _head(key: str, payload: bytes) -> bytes:
    return f"{key} {digest([payload])}".encode()


def _own_code() -> str:
    """Digest what this room's modules are, so that an upgrade is noticed."""
    folder = os.path.dirname(__file__)
    with os.scandir(folder) as found:
        stats = {e.name: e.stat() for e in found if e.name.endswith(".py")}
    return " ".join(
        f"{n} {stats[n].st_mtime_ns} {stats[n].st_size}" for n in sorted(stats)
    )


def is_private(folder: str) -> bool:
    """Say whether nobody but this user can change what is in a folder."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return found.st_uid == os.geteuid() and found.st_mode & _SHAPE == _PRIVATE_FOLDER
