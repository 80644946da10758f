"""The review as sentences, for a screen reader, a pipe or a dumb terminal; pure."""

from collections.abc import Iterator
from typing import Final

from gitmem.service.notices import counted
from gitmem.service.reviewing import Replayed
from gitmem.tape.threads import Thread
from gitmem.tui import tree
from gitmem.tui.clock import local
from gitmem.tui.model import View
from gitmem.tui.rows import Row, row
from gitmem.tui.text import clean, clean_lines
from gitmem.tui.transcript import resumption

_DAYS: Final = 7
_NEXT: Final = (
    "Next: gitmem review --show ID reads what was said after an anchor.",
    "      gitmem tape delete ID deletes one.",
)


def page(project: str, view: View, number: int) -> str:
    """Write one page of the timeline, the threads, and the keywords."""
    return "\n".join(_page(project, view, number))


def played(shown: Replayed) -> str:
    """Write what was said after an anchor."""
    return "\n".join(_played(shown))


def _page(project: str, view: View, number: int) -> Iterator[str]:
    filtered = f", filtered by {clean(view.query)}" if view.query else ""
    yield f"Review of {project}{filtered}: {view.summary.replace(' · ', ', ')}."
    if view.counts:
        days = (f"{day} {count}" for day, count in list(view.counts.items())[:_DAYS])
        yield f"Newest days: {', '.join(days)}."
    yield ""
    shown = view.page(number)
    yield f"Anchors, page {number} of {view.pages}:" if shown else "No anchors."
    yield from map(_anchor, shown)
    if view.threads:
        yield ""
        yield "Threads:"
        for thread in view.threads:
            yield from _thread(thread)
    if view.keywords:
        yield ""
        yield "Keywords:"
        for each in view.keywords:
            related = ", ".join(f"{word} in {count}" for word, count in each.related)
            more = f"; with {related}" if related else ""
            yield f"{each.word}, in {counted(each.count, 'anchor')}{more}."
    if shown:
        yield ""
        yield from _NEXT


def _anchor(each: Row) -> str:
    told = (
        ("trigger", each.trigger),
        ("purpose", each.purpose),
        ("summary", each.summary),
        ("keywords", ", ".join(each.keywords)),
        ("id", clean(each.id)),
    )
    said = "; ".join(f"{name} {text}" for name, text in told if text)
    return f"{each.moment} {each.type} {each.name}; {said}."


def _thread(thread: Thread) -> Iterator[str]:
    archived = ", archived" if thread.is_archived else ""
    count = counted(len(thread.nodes), "node")
    yield f"{clean(thread.title)}: {count}{archived}; id {clean(thread.id)}."
    for each in tree.places(thread):
        node = each.node
        head = ", HEAD" if node.id in thread.heads else ""
        said = clean(node.summary or node.purpose)
        told = f"; {said}" if said else ""
        name = f"{clean(node.name)}, {node.state}{head}{told}; id {clean(node.id)}"
        yield f"  level {each.depth + 1}: {name}."
    if asked := tree.split(thread):
        command = f"gitmem tape thread checkout --thread {clean(thread.id)} --node ID"
        yield f"  {asked}: check out one with {command}"


def _played(shown: Replayed) -> Iterator[str]:
    yield _anchor(row(shown.anchor))
    for said in shown.entries:
        yield ""
        yield f"{clean(said.role)}, {local(said.at):%Y-%m-%d %H:%M:%S}:"
        yield from clean_lines(said.text) if said.text else ()
        yield from (f"called {clean(tool)}" for tool in said.tools)
    if shown.note or shown.is_cut:
        yield ""
        yield shown.note or "There is more; the host's own command shows it."
    if shown.resume:
        yield ""
        yield f"Go on: {resumption(shown)}"
