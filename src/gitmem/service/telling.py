"""Tell a session what it does not know yet: at its start, at a turn, after a write."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.attention.budget import cost
from gitmem.delivery.start import Rendered, start_text
from gitmem.delivery.turn import turn_text
from gitmem.delivery.view import Turn
from gitmem.errors import GitmemError, NotFound, PathRefused, UsageError
from gitmem.files.names import confine, shown
from gitmem.hosts import registry
from gitmem.memory.findings import Finding
from gitmem.memory.inspection import inspect
from gitmem.memory.layout import is_memory
from gitmem.memory.load import load
from gitmem.memory.memory import Severity
from gitmem.memory.store import hash_of
from gitmem.service import visits
from gitmem.service.answers import Delivered, Visit
from gitmem.service.notices import at_turn as notices_at_turn
from gitmem.service.view import gather
from gitmem.sessions import trouble
from gitmem.sessions.ledger import Told

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.service.rooms import Rooms
    from gitmem.sync.standing import Standing

# What a host counts as characters may change by a little.
MARGIN: Final = 500
# A start that a context goes on after; any other begins an empty one.
GOES_ON: Final = frozenset({"resume", "fork", "reload"})
LEAST_ROOM: Final = 300
NAMED: Final = 3
_MISSING: Final = "no-description"


@dataclass(frozen=True, slots=True)
class Start:
    """A start text, and what an agent who has read it knows."""

    rendered: Rendered
    whole: Mapping[str, str]
    said: tuple[str, ...]


# Makes the start text for a host.
Rendering = Callable[[str], Start]


@dataclass(frozen=True, slots=True)
class Wrote:
    """Which of the files that an agent wrote are memories, and what to tell it."""

    paths: tuple[PurePosixPath, ...]
    text: str


def render(
    rooms: "Rooms",
    catalog: "Catalog",
    standing: "Standing | None",
    host: str,
) -> Start:
    """Make a start text anew."""
    delivery = rooms.loaded.settings.delivery
    read: dict[str, str] = {}
    view = gather(rooms, catalog, standing, read)
    failures = trouble.seen(rooms.loaded.folders.state)
    view = replace(view, status=(*view.status, *failures))
    budget = _budget(delivery.budget.start, host)
    rendered = start_text(view, delivery.start, budget)
    cut = tuple(each.label for each in rendered.left_out)
    whole = {
        path: found
        for path, found in read.items()
        if not any(label.endswith(f" {path}") for label in cut)
    }
    return Start(rendered, whole, view.status)


def keep(rooms: "Rooms", host: str, session: str, start: Start) -> None:
    """Keep a start text for a session, which was not given it yet if it is new."""
    _change(rooms, host, session, lambda told: _with_start(told, start))


def at_start(rooms: "Rooms", visit: Visit, rendering: Rendering) -> Delivered:
    """Give the start text, unless the session has it in its context."""
    if not visit.id:
        return Delivered(rendering(visit.host).rendered.text)
    told = _inherited(rooms, visit, rooms.ledger().read(visit.host, visit.id))
    if told.is_paused:
        return Delivered()
    if visit.reason not in GOES_ON:
        told = told.emptied()
    was_given = told.is_given
    told = replace(_begun(rooms, told, rendering), is_given=True)
    _change(rooms, visit.host, visit.id, lambda now: _beside(now, told))
    text = told.start_text or ""
    if _stands(rooms, visit.host):
        return Delivered(standing=text)
    return Delivered("" if was_given else text)


def at_turn(
    rooms: "Rooms",
    visit: Visit,
    prompt: str,
    rendering: Rendering,
) -> Delivered:
    """Give what came up since the session was told, and a start text it missed."""
    if not visit.id:
        return Delivered(_turn(rooms, visit, Turn(prompt), 0))
    visits.meet(rooms, visit)
    told = rooms.ledger().read(visit.host, visit.id)
    if told.is_paused:
        return Delivered()
    missed = at_start(rooms, replace(visit, reason="resume"), rendering)
    told = rooms.ledger().read(visit.host, visit.id)
    used = cost(missed.text)
    if _budget(rooms.loaded.settings.delivery.budget.turn, visit.host) - used < (
        LEAST_ROOM
    ):
        return missed
    turn, said = _news(rooms, visit, told, prompt)
    text = _turn(rooms, visit, turn, used + 1)
    if said:
        _change(rooms, visit.host, visit.id, lambda now: now.with_said(said))
    return replace(missed, text="\n".join(filter(None, (missed.text, text))))


def undelivered(rooms: "Rooms", visit: Visit) -> None:
    """Note that a start text came too late to reach the session."""
    _change(rooms, visit.host, visit.id, lambda told: replace(told, is_given=False))


def pause(rooms: "Rooms", host: str, session: str, *, is_paused: bool) -> None:
    """Tell a session nothing from now on, or go on telling it."""
    rooms.ledger().change(
        host, session, lambda told: replace(told, is_paused=is_paused)
    )


def wrote(rooms: "Rooms", visit: Visit, paths: Sequence[str]) -> Wrote:
    """Look at what an agent wrote, and say what it should mend."""
    found = tuple(dict.fromkeys(_memories(rooms, paths)))
    hashes: dict[str, str] = {}
    findings: list[Finding] = []
    tree, rules = rooms.tree(), rooms.rules()
    for path in found:
        with suppress(NotFound, PathRefused):
            data = tree.read(path, limit_bytes=rules.max_file_bytes + 1)
            hashes[str(path)] = hash_of(data)
            memory = load(path, data, path.parts[0], len(data))
            findings += inspect(memory, data, rules)
    told = _change(rooms, visit.host, visit.id, lambda now: now.with_given(hashes))
    said = tuple(_mends(findings))
    turn = Turn(status=said if told is None or not told.is_paused else ())
    return Wrote(found, _turn(rooms, visit, turn, 0))


def _memories(rooms: "Rooms", paths: Sequence[str]) -> Iterator[PurePosixPath]:
    """Find which of the paths that a host named are memories."""
    root = rooms.root.resolve()
    for name in paths:
        with suppress(ValueError, OSError, PathRefused):
            given = Path(rooms.cwd, name)
            # The last part may be a link, which a memory is not.
            path = given.parent.resolve() / given.name
            inside = confine(path.relative_to(root).as_posix())
            if is_memory(inside) and len(inside.parts) > 1:
                yield inside


def _mends(findings: Sequence[Finding]) -> Iterator[str]:
    urgent = [
        each
        for each in findings
        if each.severity is Severity.ERROR or each.code == _MISSING
    ]
    for each in urgent[:NAMED]:
        line = f", line {each.line}" if each.line else ""
        yield f"Mend what you wrote to {shown(str(each.path))}{line}: {each.message}"


def _news(
    rooms: "Rooms", visit: Visit, told: Told, prompt: str
) -> tuple[Turn, tuple[str, ...]]:
    sentences = notices_at_turn(rooms.engine().record(), rooms.loaded)
    new = tuple(each for each in sentences if each not in told.said)
    failures = trouble.take(rooms.loaded.folders.state)
    news = rooms.sessions().take_news(visit.host, visit.id)
    start = told.start_given if told.is_given else {}
    return Turn(prompt, (*new, *failures), news, {**start, **told.given}), new


def _turn(rooms: "Rooms", visit: Visit, turn: Turn, used: int) -> str:
    delivery = rooms.loaded.settings.delivery
    budget = _budget(delivery.budget.turn, visit.host) - used
    return turn_text(turn, delivery.turn, budget).text


def _begun(rooms: "Rooms", told: Told, rendering: Rendering) -> Told:
    """Give a session its start text, the one that it had if it had one."""
    if told.start_text is not None:
        return told
    start = rendering(told.host)
    trouble.take(rooms.loaded.folders.state)
    return _with_start(told, start)


def _with_start(told: Told, start: Start) -> Told:
    text = start.rendered.text
    return replace(
        told.with_said(start.said),
        start_text=text,
        start_given=dict(start.whole),
        is_given=told.is_given and told.start_text == text,
    )


def _inherited(rooms: "Rooms", visit: Visit, told: Told) -> Told:
    """Let a session that was forked from another know what that one was told."""
    if told.start_text is None and visit.parent:
        told = rooms.ledger().read(visit.host, visit.parent)
    elif told.start_text is None and visit.reason == "fork":
        told = rooms.ledger().latest(visit.host, str(rooms.cwd))
    return replace(told, host=visit.host, cwd=str(rooms.cwd))


def _beside(now: Told, told: Told) -> Told:
    """Keep what another process learned of the session meanwhile."""
    merged = told.with_given(now.given) if now.is_given and told.given else told
    return replace(merged, is_paused=now.is_paused)


def _change(
    rooms: "Rooms", host: str, session: str, by: Callable[[Told], Told]
) -> Told | None:
    """Change the ledger; where it cannot be kept, things are told again."""
    if not session:
        return None
    with suppress(GitmemError, OSError):
        return rooms.ledger().change(host, session, by)
    return None


def _budget(wish: int, host: str) -> int:
    limit = _host(host)[0]
    return wish if limit is None else min(wish, limit - MARGIN)


def _stands(rooms: "Rooms", host: str) -> bool:
    mode = rooms.loaded.settings.delivery.mode
    return mode == "system-prompt" and _host(host)[1]


def _host(name: str) -> tuple[int | None, bool]:
    """Say what a host takes, and whether a text can stand in its system prompt."""
    try:
        found = registry.host(name)
    except (UsageError, ImportError):
        return None, False
    return found.limit_characters, found.takes_standing
