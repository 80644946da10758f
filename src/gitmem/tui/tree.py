"""Threads as a tree: what follows stands below, only branches are set in; pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gitmem.service.notices import counted
from gitmem.tape.threads import Node, Thread
from gitmem.tui.clock import local
from gitmem.tui.text import FAINT, HEAD, STRONG, THREAD, Line, clean, line

STATES: Final = {"active": "●", "done": "✓", "archived": "○"}
# Deeper than any screen is wide.
_PREFIX_LIMIT: Final = 60


@dataclass(frozen=True, slots=True)
class Place:
    """A node in its tree; `first` and `rest` are drawn before it and below it.

    `depth` counts the nodes above it, also where they are not drawn further out.
    """

    node: Node
    first: str
    rest: str
    depth: int


def places(thread: Thread) -> Iterator[Place]:
    """Give the nodes of a thread in the order of its tree, each once."""
    children = _children(thread.nodes)
    stack = list(_branches(children.get("", []), "  ", 0))
    # What a forged parent leads back to itself hangs nowhere.
    lost = [Place(each, "  ", "  ", 0) for each in reversed(thread.nodes)]
    seen: set[str] = set()
    while stack or lost:
        place = stack.pop() if stack else lost.pop()
        if place.node.id in seen:
            continue
        seen.add(place.node.id)
        yield place
        below = children.get(place.node.id, [])
        stack += _branches(below, place.rest[-_PREFIX_LIMIT:], place.depth + 1)


def tree(threads: Sequence[Thread]) -> tuple[Line, ...]:
    """Draw threads and their nodes; a key is a thread's id, or its and a node's."""
    lines: list[Line] = []
    for thread in threads:
        lines.append(_of_thread(thread))
        lines += (_of_node(thread, each) for each in places(thread))
        asked = split(thread)
        lines += [line((f"  {asked}: check out one.", HEAD))] if asked else []
        lines.append(line())
    return tuple(lines[:-1])


def key(thread: Thread, node: Node | None = None) -> str:
    """Name a thread, or one of its nodes, on the screen."""
    return f"{thread.id}\n{node.id if node else ''}"


def marks(thread: Thread, node: Node) -> str:
    """Say of a node what is not plain: its state, and whether work goes on there."""
    state = "" if node.state == "active" else node.state
    head = "← HEAD" if node.id in thread.heads else ""
    return " ".join(filter(None, (state, head)))


def split(thread: Thread) -> str:
    """Say that HEAD is in several places, where it is."""
    count = len(thread.heads)
    return f"HEAD was moved on {count} machines" if count > 1 else ""


def details(thread: Thread, node: Node | None) -> tuple[Line, ...]:
    """Say of a thread, or of one of its nodes, all that is known."""
    if node is None:
        return (
            line((clean(thread.title), STRONG)),
            line(("id       ", FAINT), clean(thread.id)),
        )
    lists = (
        ("decided", node.decisions),
        ("next", node.next),
        ("files", node.files),
        ("memories", node.memories),
    )
    told = (
        ("state", node.state),
        ("summary", clean(node.summary)),
        ("purpose", clean(node.purpose)),
        *((name, "; ".join(map(clean, texts))) for name, texts in lists),
        ("session", clean(node.session)),
        ("id", clean(node.id)),
    )
    head = line((clean(node.name), STRONG), (f"  {local(node.at):%F %R}", FAINT))
    return (head, *(line((f"{name:<9}", FAINT), text) for name, text in told if text))


def _of_thread(thread: Thread) -> Line:
    state = "  archived" if thread.is_archived else ""
    told = f"  {counted(len(thread.nodes), 'node')}, {local(thread.touched):%F}"
    return line(
        (clean(thread.title) or "thread", STRONG),
        (told, FAINT),
        (state, HEAD),
        key=key(thread),
    )


def _of_node(thread: Thread, place: Place) -> Line:
    node = place.node
    said = clean(node.summary or node.purpose)
    marked = marks(thread, node)
    return line(
        (place.first, FAINT),
        (f"{STATES.get(node.state, '●')} ", THREAD),
        clean(node.name),
        (f"  {marked}" if marked else "", HEAD),
        (f"  {said}" if said else "", FAINT),
        key=key(thread, node),
    )


def _children(nodes: Sequence[Node]) -> dict[str, list[Node]]:
    """Gather what hangs below each node; what hangs below none is a root."""
    known = {each.id for each in nodes}
    children: dict[str, list[Node]] = {}
    for each in nodes:
        children.setdefault(each.parent if each.parent in known else "", []).append(
            each
        )
    return children


def _branches(nodes: list[Node], prefix: str, depth: int) -> Iterator[Place]:
    """Place the nodes below one, the last first, as a stack wants them."""
    if len(nodes) == 1:
        yield Place(nodes[0], prefix, prefix, depth)
        return
    for back, node in enumerate(reversed(nodes)):
        drawn, below = ("├─", "│ ") if back else ("└─", "  ")
        yield Place(node, prefix + drawn, prefix + below, depth)
