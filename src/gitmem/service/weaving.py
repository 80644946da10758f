"""Work on threads: one function for each action of `tape_thread`."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gitmem.errors import GitmemError, NotFound, UsageError
from gitmem.files.names import shown
from gitmem.service import anchoring
from gitmem.service.tape_answers import Woven
from gitmem.tape import anchor, threads
from gitmem.tape.resume import BUDGET_CHARACTERS, resume
from gitmem.tape.span import says
from gitmem.tape.threads import Node, Thread

if TYPE_CHECKING:
    from gitmem.service.packet_answers import Offered
    from gitmem.service.rooms import Rooms

READING: Final = ("status", "search", "resume", "checkout")
CHANGING: Final = ("create", "root", "branch", "update", "archive")
ACTIONS: Final = (*CHANGING, *READING)
LEAST_BUDGET: Final = 200
_Named = TypeVar("_Named", Thread, Node)
_TITLE_LIMIT: Final = 120
_TEXT_LIMIT: Final = 1_000
_ALL_LIMIT: Final = 20_000


@dataclass(frozen=True, slots=True)
class Said:
    """What an action is about; what is left empty is found, or stays as it is.

    `thread` and `node` are ids, names, or the beginning of an id.
    """

    thread: str = ""
    node: str = ""
    name: str = ""
    summary: str = ""
    purpose: str = ""
    state: str = ""
    decisions: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    query: str = ""
    budget: int = BUDGET_CHARACTERS

    def texts(self) -> tuple[str, ...]:
        """Give all that would be written."""
        lists = (*self.decisions, *self.next, *self.files, *self.memories)
        return (self.name, self.summary, self.purpose, *lists)

    def meta(self) -> dict[str, Any]:
        """Say of a node what is given of it."""
        said = {
            "summary": self.summary,
            "purpose": self.purpose,
            "state": self.state,
            "decisions": list(self.decisions),
            "next": list(self.next),
            "files": list(self.files),
            "memories": list(self.memories),
        }
        return {key: value for key, value in said.items() if value}


@dataclass(frozen=True, slots=True)
class _Loom:
    """An action at work: what is said, and the threads as they were."""

    rooms: "Rooms"
    action: str
    said: Said
    known: tuple[Thread, ...]

    def leave(self) -> str:
        """Say who wants the change, once it is known that it can be made."""
        return anchoring.require_leave(self.rooms, self.action)


def weave(rooms: "Rooms", action: str, said: Said) -> Woven:
    """Do one thing with threads.

    Raises NotGranted for a change that only the person may allow, and has not.
    """
    tape = rooms.tape()
    tape.require()
    _check(rooms, action, said)
    if action in CHANGING:
        anchoring.check_secrets(rooms, *said.texts())
    return _WORK[action](_Loom(rooms, action, said, tape.threads()))


def _check(rooms: "Rooms", action: str, said: Said) -> None:
    if action not in ACTIONS:
        raise UsageError(
            f"Threads have no action {action!r}.", f"Choose from {', '.join(ACTIONS)}."
        )
    if not rooms.loaded.settings.tape.thread:
        raise NotFound("There are no threads here: tape.thread is off.")
    if said.state not in {"", *threads.STATES}:
        raise UsageError(
            f"A node is never {said.state!r}.",
            f"Choose from {', '.join(threads.STATES)}.",
        )
    if any(len(each) > _TEXT_LIMIT for each in said.texts()):
        raise UsageError(
            f"A text of a node has at most {_TEXT_LIMIT} characters.",
            "Say it shorter; what is longer belongs into a memory, linked by it.",
        )
    if sum(map(len, said.texts())) > _ALL_LIMIT:
        raise UsageError(
            f"At once a node is told at most {_ALL_LIMIT:,} characters.",
            "Tell it the rest with `update`, or write a memory and link it.",
        )


def _create(loom: _Loom) -> Woven:
    title = _title(loom)
    trigger = loom.leave()
    tape = loom.rooms.tape()
    [made] = tape.add(threads.event(threads.CREATE, None, title=title))
    thread = next(each for each in tape.threads() if each.id == made.id)
    node = _add(loom, thread, "", trigger) if loom.said.meta() else ""
    return _done(loom, thread, node)


def _root(loom: _Loom) -> Woven:
    thread, _ = _thread(loom), _title(loom)
    return _done(loom, thread, _add(loom, thread, "", loom.leave()))


def _branch(loom: _Loom) -> Woven:
    thread, _ = _thread(loom), _title(loom)
    parent = _node(loom, thread)
    return _done(loom, thread, _add(loom, thread, parent.id, loom.leave()))


def _update(loom: _Loom) -> Woven:
    thread = _thread(loom)
    node = _node(loom, thread)
    said = loom.said.meta()
    if not said:
        raise UsageError(
            "There is nothing to update.",
            "Give a summary, decisions, next steps, files, memories or a state.",
        )
    loom.leave()
    loom.rooms.tape().add(threads.event(threads.UPDATE, thread, node=node.id, **said))
    return _done(loom, thread, node.id)


def _archive(loom: _Loom) -> Woven:
    thread = _thread(loom)
    loom.leave()
    loom.rooms.tape().add(threads.event(threads.RETIRE, thread))
    return _done(loom, thread)


def _checkout(loom: _Loom) -> Woven:
    if not loom.said.node:
        raise UsageError("A checkout needs a node.", "`status` shows their ids.")
    thread = _thread(loom)
    node = _node(loom, thread)
    loom.rooms.tape().add(threads.event(threads.HEAD, thread, node=node.id))
    return _done(loom, thread, node.id)


def _status(loom: _Loom) -> Woven:
    return Woven("status", (_thread(loom),) if loom.said.thread else loom.known)


def _search(loom: _Loom) -> Woven:
    query = loom.said.query
    if not query.strip():
        raise UsageError("There is nothing to search for.", "Give a query.")
    found = tuple(each for each in loom.known if _mentions(each, query))
    return Woven("search", found)


def _resume(loom: _Loom) -> Woven:
    thread = _thread(loom)
    node = _node(loom, thread)
    budget = max(loom.said.budget, LEAST_BUDGET)
    root = loom.rooms.project.root

    def exists(name: str) -> bool:
        return (root / name).exists()

    found = resume(thread, node.id, exists, budget)
    return Woven("resume", (thread,), node.id, found, _packet(loom.rooms, node.id))


def _packet(rooms: "Rooms", node: str) -> "Offered | None":
    """Find what was handed over there; without it, one goes on all the same."""
    from gitmem.service import recalling

    with suppress(GitmemError, OSError):
        return recalling.of_node(rooms, node)
    return None


def _mentions(thread: Thread, query: str) -> bool:
    said = [thread.title]
    for node in thread.nodes:
        said += [node.name, node.summary, *node.decisions, *node.next, *node.files]
    return says("\n".join(said), query)


def _add(loom: _Loom, thread: Thread, parent: str, trigger: str) -> str:
    """Add a node where the session that asks is now."""
    rooms = loom.rooms
    host, session = anchoring.speaker(rooms) or anchoring.latest(rooms)
    meta = anchor.Meta(
        trigger=trigger,
        more=threads.node_meta(thread, parent, loom.said.meta()),
    )
    made = anchor.draft(
        f"thread/{_title(loom)}",
        anchor.THREAD,
        meta,
        session=session,
        entry=anchoring.last_entry(rooms, host, session),
    )
    return rooms.tape().set(made).id


def _done(loom: _Loom, thread: Thread, node: str = "") -> Woven:
    """Show the thread as it is now."""
    now = next(each for each in loom.rooms.tape().threads() if each.id == thread.id)
    return Woven(loom.action, (now,), node)


def _title(loom: _Loom) -> str:
    title = " ".join(loom.said.name.split())
    if not title.isprintable() or not 0 < len(title) <= _TITLE_LIMIT:
        raise UsageError(
            f"It needs a name of 1 to {_TITLE_LIMIT} characters.",
            "Name it after its topic, such as `deploy with rsync`.",
        )
    return title


def _thread(loom: _Loom) -> Thread:
    """Find the thread that is meant: by name, or the one at work."""
    wanted = loom.said.thread
    if wanted:
        return _one(wanted, "thread", loom.known, lambda each: (each.id, each.title))
    at_work = [each for each in loom.known if not each.is_archived]
    if not at_work:
        raise NotFound(
            "There is no thread at work here.",
            "Begin one: gitmem tape thread create --name TOPIC",
        )
    return at_work[0]


def _node(loom: _Loom, thread: Thread) -> Node:
    """Find the node that is meant: by name, or HEAD where that is one place."""
    wanted = loom.said.node
    if wanted:
        return _one(wanted, "node", thread.nodes, lambda each: (each.id, each.name))
    heads = [each for each in map(thread.node, thread.heads) if each is not None]
    if len(heads) == 1:
        return heads[0]
    if not heads:
        raise NotFound(
            f"The thread {shown(thread.title)} has no node yet.",
            "Add a root: gitmem tape thread root --name NAME",
        )
    places = " and ".join(f"{shown(each.name)} ({each.id})" for each in heads)
    raise UsageError(
        f"HEAD of {shown(thread.title)} was moved on two machines: {places}.",
        "Ask the person where to go on; then name that node, or check it out.",
    )


def _one(
    wanted: str,
    what: str,
    among: tuple[_Named, ...],
    names: Callable[[_Named], tuple[str, str]],
) -> _Named:
    """Find what has an id or a name, or alone an id that begins so."""
    exact = [each for each in among if wanted in names(each)]
    begun = [each for each in among if names(each)[0].startswith(wanted)]
    found = exact[:1] or (begun if len(begun) == 1 else [])
    if found:
        return found[0]
    raise NotFound(
        f"No {what} is called {shown(wanted)}.",
        "`gitmem tape thread status` shows the ids.",
    )


_WORK: Final[Mapping[str, Callable[[_Loom], Woven]]] = {
    "create": _create,
    "root": _root,
    "branch": _branch,
    "update": _update,
    "archive": _archive,
    "status": _status,
    "search": _search,
    "resume": _resume,
    "checkout": _checkout,
}
