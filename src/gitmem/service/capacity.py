"""What a host can be told: how much, and where it stands."""

from typing import TYPE_CHECKING, Final

from gitmem.errors import UsageError
from gitmem.hosts import registry

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms

# What a host counts as characters may change by a little.
MARGIN: Final = 500


def budget(wish: int, host: str) -> int:
    """Say how many characters a host can be given, of those that settings allow."""
    limit = _host(host)[0]
    return wish if limit is None else min(wish, limit - MARGIN)


def stands(rooms: "Rooms", host: str) -> bool:
    """Say whether the start text stands in the system prompt of every turn."""
    mode = rooms.loaded.settings.delivery.mode
    return mode == "system-prompt" and _host(host)[1]


def _host(name: str) -> tuple[int | None, bool]:
    """Say what a host takes, and whether a text can stand in its system prompt."""
    try:
        found = registry.host(name)
    except UsageError:
        return None, False
    return found.limit_characters, found.takes_standing
