"""What an answer handed to a session counts only when it arrived, and once."""

from typing import TYPE_CHECKING

from gitmem.service.answers import Visit
from gitmem.sessions.ledger import Handed, Told

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms


def handed(visit: Visit, *, has_start: bool) -> Handed:
    """Begin to note what this answer holds."""
    return Handed(visit.request, visit.attempt, has_start)


def is_overtaken(told: Told, visit: Visit) -> bool:
    """Say whether a later attempt at the same request has answered it."""
    return _is_same(told, visit) and told.handed.attempt > visit.attempt


def known(rooms: "Rooms", visit: Visit) -> Told | None:
    """Give what a session knows; None where this request is answered already.

    What an earlier attempt at it handed over has reached nobody.
    """
    told = rooms.ledger().read(visit.host, visit.id)
    if is_overtaken(told, visit):
        return None
    if _is_same(told, visit) and told.handed.attempt < visit.attempt:
        rooms.sessions().add_news(visit.host, visit.id, told.handed.news)
        return told.taken_back()
    return told


def taken_back(told: Told, visit: Visit) -> Told:
    """Forget what this answer held; what another one held stays."""
    last = told.handed
    is_mine = (last.request, last.attempt) == (visit.request, visit.attempt)
    return told.taken_back() if is_mine else told


def learned(before: Told, after: Told) -> tuple[str, ...]:
    """Name what a session knows now and did not know before."""
    pairs = ((before.given, after.given), (before.named, after.named))
    return tuple(
        name
        for old, new in pairs
        for name, text in new.items()
        if old.get(name) != text
    )


def _is_same(told: Told, visit: Visit) -> bool:
    return bool(visit.request) and told.handed.request == visit.request
