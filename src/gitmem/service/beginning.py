"""Make the memory repository, and point it at a remote."""

import os
from typing import Final

from gitmem.errors import UsageError
from gitmem.repo.address import masked, parse
from gitmem.repo.config import value
from gitmem.service.answers import Begun
from gitmem.service.rooms import Rooms
from gitmem.settings import checks
from gitmem.settings.edit import write_value
from gitmem.settings.folders import config_file
from gitmem.settings.report import OriginKind
from gitmem.sync.create import create, set_remote

URL: Final = "memory_dir.repo_url"
SHARED: Final = "memory_dir.global_memory"
BRANCH: Final = "sync.branch"


def begin(
    rooms: Rooms, url: str | None, *, shared: str | None, may_adopt: bool
) -> Begun:
    """Create, clone or adopt, and write down what the settings did not say yet."""
    text, layer = _typed(rooms, url), _layer(shared)
    _refuse_other_url(rooms, text)
    options = rooms.options(url=text)
    made = create(options, may_adopt=may_adopt)
    written: list[str] = []
    if layer:
        written += _write(rooms, SHARED, layer)
    if made.branch != options.branch:
        written += _write(rooms, BRANCH, made.branch)
    return Begun(
        made=made.made.value,
        root=options.root,
        branch=made.branch,
        url=_origin(rooms),
        settings=tuple(written),
    )


def point(rooms: Rooms, url: str) -> str:
    """Give the repository another remote; where settings name one, there too."""
    text = _typed(rooms, url) or ""
    known = rooms.loaded.settings.memory_dir.repo_url
    origin = rooms.loaded.origins[URL]
    if known and known != text and origin.kind is not OriginKind.CONFIG:
        raise UsageError(
            f"The remote is set by {origin.place}.", "Change it there, then run this."
        )
    address = set_remote(rooms.options(), text)
    if known and known != text:
        _write(rooms, URL, text)
    return address.text


def _typed(rooms: Rooms, url: str | None) -> str | None:
    """Check an address at the door; a relative path means one from here."""
    if url is None:
        return None
    address = parse(url, home=rooms.home, cwd=rooms.cwd)
    is_path = address.is_local and "://" not in address.text
    return os.path.normpath(address.text) if is_path else address.text


def _layer(shared: str | None) -> str | None:
    """Give the name under which the shared layer will lie."""
    if shared is None:
        return None
    try:
        if found := checks.layer(shared):
            return found
    except checks.Disallowed:
        pass
    raise UsageError(
        f"{shared!r} cannot be the name of the shared layer.",
        f"It must be {checks.ALLOWED['layer']}; most call it {checks.LAYER_DEFAULT}.",
    )


def _refuse_other_url(rooms: Rooms, text: str | None) -> None:
    known = rooms.loaded.settings.memory_dir.repo_url
    if text is not None and known is not None and text != known:
        place = rooms.loaded.origins[URL].place
        raise UsageError(
            f"{place} already names another remote: {masked(known)}.",
            "Run `gitmem init` without an address, or change that setting.",
        )


def _origin(rooms: Rooms) -> str | None:
    return value(rooms.repository().local_config(), "remote.origin.url")


def _write(rooms: Rooms, key: str, text: str) -> list[str]:
    write_value(config_file(rooms.loaded.folders), key, text)
    return [f"{key} = {text}"]
