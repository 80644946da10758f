"""Say what the verbs of the tape answer, for a person and a model alike; pure.

What stands on a tape, and what was said in a session, is data: all of it is fenced.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

from gitmem.delivery import fence
from gitmem.service.notices import counted

if TYPE_CHECKING:
    from gitmem.service.packet_answers import Offered
    from gitmem.service.tape_answers import (
        FoundAnchor,
        Passage,
        Played,
        Searched,
        Swept,
        TapeInfo,
        Woven,
    )
    from gitmem.tape.anchor import Anchor
    from gitmem.tape.resume import Resumed
    from gitmem.tape.threads import Node, Thread


_NAMED: Final = 20
_DEEPEST: Final = 12


def of_anchor(anchor: "Anchor", summary: str = "", purpose: str = "") -> str:
    """Say that an anchor was set, where, and what of what was said had no room."""
    where = "" if anchor.entry else " It points at no entry: none was known."
    pairs = {
        "summary": (summary, anchor.meta.summary),
        "purpose": (purpose, anchor.meta.purpose),
    }
    cut = "".join(
        f' Its {what} was cut to "{fence.line(kept)}".'
        for what, (said, kept) in pairs.items()
        if kept.endswith("…") and " ".join(said.split()) != kept
    )
    return f"Set {_called(anchor)}.{where}{cut}"


def of_searched(found: "Searched") -> str:
    """List the anchors and entries that were found."""
    return "\n".join(_searched(found)) or "Nothing found."


def of_played(played: "Played") -> str:
    """Show a part of the tape in its order."""
    return "\n".join(_played(played))


def of_info(info: "TapeInfo") -> str:
    """Say how long the tape is."""
    return "\n".join(_info(info))


def of_swept(swept: "Swept") -> str:
    """Say which anchors are gone, and where they are now."""
    return "\n".join(_swept(swept))


def of_woven(woven: "Woven") -> str:
    """Show the threads that an action was about."""
    return "\n".join(_woven(woven))


def _searched(found: "Searched") -> Iterator[str]:
    for each in found.anchors:
        yield from _found(each)
    if found.entries:
        yield f"{counted(len(found.entries), 'entry', 'entries')}, the newest first:"
    for entry in found.entries:
        yield from _passage(entry)


def _found(found: "FoundAnchor") -> Iterator[str]:
    yield f"- {_called(found.anchor)}"
    yield from _meta(found.anchor)
    for each in found.context:
        is_own = each.id == found.anchor.entry
        yield from _passage(each, "  > " if is_own else "    ")


def _played(played: "Played") -> Iterator[str]:
    if played.after is not None:
        yield f"After {_called(played.after)}:"
    elif played.more:
        yield f"{counted(played.more, 'earlier entry', 'earlier entries')} left out."
    for each in played.entries:
        yield from _passage(each)
    if played.after is not None and played.more:
        more = counted(played.more, "entry", "entries")
        yield f"{more} more; raise the limit, or begin at a later anchor."
    if played.note:
        yield played.note


def _info(info: "TapeInfo") -> Iterator[str]:
    if info.why_shut:
        yield f"There is no tape here: {fence.line(info.why_shut)}."
        return
    name = fence.line(info.session) if info.session else "none is at work"
    sessions = counted(info.sessions, "session")
    yield f"session:  {name}, {counted(info.entries, 'entry', 'entries')}"
    yield f"project:  {sessions} on this machine, {counted(info.threads, 'thread')}"
    yield f"anchors:  {info.anchors}"
    if info.last_anchor is not None:
        since = counted(info.entries_since, "entry", "entries")
        yield f"last:     {_called(info.last_anchor)}; {since} since"
    if info.advice:
        yield info.advice


def _swept(swept: "Swept") -> Iterator[str]:
    moved = f"Moved aside into {fence.name(swept.aside)}" if swept.aside else "Deleted"
    yield f"{moved}: {counted(len(swept.anchors), 'anchor')}."
    for each in swept.anchors[:_NAMED]:
        yield f"- {_called(each)}"
    if len(swept.anchors) > _NAMED:
        yield f"and {len(swept.anchors) - _NAMED} more"
    if swept.fresh is not None:
        yield f"The tape begins anew with {_called(swept.fresh)}."


def _woven(woven: "Woven") -> Iterator[str]:
    if woven.resumed is not None:
        yield from _resumed(woven.resumed)
        if woven.packet is not None:
            yield _offered(woven.packet)
        return
    if not woven.threads:
        yield "No thread found." if woven.action == "search" else "No thread yet."
    is_short = woven.action in {"status", "search"} and len(woven.threads) > 1
    for each in woven.threads:
        yield from _thread(each, woven.node, is_short=is_short)


def _thread(thread: "Thread", node: str, *, is_short: bool) -> Iterator[str]:
    state = ", archived" if thread.is_archived else ""
    nodes = counted(len(thread.nodes), "node")
    title = fence.line(thread.title)
    yield f"thread {title} (id {fence.line(thread.id)}, {nodes}{state})"
    if not is_short:
        yield from _tree(thread, node)
    if len(thread.heads) > 1:
        yield (
            "HEAD was moved on two machines: ask the person where to go on, and check "
            "that node out."
        )


def _tree(thread: "Thread", node: str) -> Iterator[str]:
    heads = frozenset(thread.heads)
    for each, depth in thread.tree():
        indent = "  " * min(depth + 1, _DEEPEST)
        yield f"{indent}{_node(each, node, is_head=each.id in heads)}"


def _node(each: "Node", node: str, *, is_head: bool) -> str:
    marks = ["HEAD"] if is_head else []
    marks += ["this one"] if each.id == node and not marks else []
    marks += [each.state] if each.state != "active" else []
    told = f"  [{', '.join(marks)}]" if marks else ""
    summary = f": {fence.line(each.summary)}" if each.summary else ""
    return f"- {fence.line(each.name)} (id {fence.line(each.id)}){summary}{told}"


def _resumed(found: "Resumed") -> Iterator[str]:
    yield f"thread {fence.line(found.title)} (id {fence.line(found.thread)})"
    yield "from its root to here:"
    for each in found.path:
        summary = f": {fence.line(each.summary)}" if each.summary else ""
        state = "" if each.state == "active" else f" [{each.state}]"
        day = each.at.date().isoformat()
        yield f"- {fence.line(each.name)} ({day}){state}{summary}"
    for what, texts in (
        ("decided", found.decisions),
        ("next", found.next),
        ("files", found.files),
        ("memories", found.memories),
        ("files that are not there any more", found.gone),
    ):
        yield from _list(what, texts)
    if found.left_out:
        left_out = counted(found.left_out, "item")
        yield f"{left_out} left out, the oldest: raise the budget."


def _offered(packet: "Offered") -> str:
    name, topic = fence.name(str(packet.path)), fence.line(packet.topic)
    day = packet.at.date().isoformat()
    return (
        f"The newest packet from here, a {packet.kind} of {day} on {topic}: {name}\n"
        "Read it with `memory_read` or `gitmem read`."
    )


def _list(what: str, texts: Iterable[str]) -> Iterator[str]:
    lines = [f"- {fence.line(each)}" for each in texts]
    if lines:
        yield f"{what}:"
        yield from lines


def _called(anchor: "Anchor") -> str:
    about = f"{fence.line(anchor.type)}, {_time(anchor.at)}, id {fence.line(anchor.id)}"
    return f"{fence.line(anchor.name)} ({about})"


def _meta(anchor: "Anchor") -> Iterator[str]:
    meta = anchor.meta
    said = {
        "summary": meta.summary,
        "purpose": meta.purpose,
        "keywords": ", ".join(meta.keywords),
        "trigger": meta.trigger,
    }
    yield from (f"  {key}: {fence.line(text)}" for key, text in said.items() if text)


def _passage(entry: "Passage", indent: str = "") -> Iterator[str]:
    tools = f", calls {', '.join(map(fence.line, entry.tools))}" if entry.tools else ""
    who = entry.role or entry.kind
    yield f"{indent}[{_time(entry.at)} {fence.line(who)}{tools}]"
    text = fence.text(entry.text) + ("…" if entry.is_cut else "")
    yield from (f"{indent}  {line}" for line in text.split("\n") if line)


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}Z"
