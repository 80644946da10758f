"""`gitmem import`: take over the store of another memory program."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gitmem.cli import complete, offered, output, words
from gitmem.cli.command import Call, Outcome, command, show
from gitmem.cli.style import bold, faint, good, safe, worrying
from gitmem.service.notices import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.importers.plan import Step
    from gitmem.service.importing import Imported

# More are in the document that --json prints.
SHOWN: Final = 20
_REFUSED: Final = "refused"
_ORDER: Final = ("created", "merged", "skipped", _REFUSED, "left")
_MEANING: Final = {
    "created": "new",
    "merged": "added to what is there",
    "skipped": "here already",
    _REFUSED: "may not be written",
    "left": "stays where it is",
}


@command
@click.option(
    "--from",
    "kind",
    metavar="KIND",
    shell_complete=complete.stores,
    help="What kind of store it is; seen by its look if you do not say.",
)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--layer",
    metavar="LAYER",
    shell_complete=offered.layers,
    help="Where all of it goes: project (this one's), global (the shared one), or the "
    "name of a layer, also a new one.  [default: as the store has it, else project]",
)
@click.option("--dry-run", is_flag=True, help="Show the plan; write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def import_(
    call: Call,
    kind: str | None,
    path: Path,
    layer: str | None,
    dry_run: bool,
    yes: bool,
) -> Outcome:
    r"""Take over the store of another program, or a folder of notes.

    KIND is basic-memory, claude-code, folder, morten-olsen, pi-memory-auto,
    pi-memory-md, pi-warm-memory or tylerho. PATH is the store; it is only read. First
    you see the plan: what becomes a memory and where, what is here already, what is
    left and why, and what its fields are called here. On a terminal you are asked then;
    elsewhere nothing is written without --yes.

    All of it becomes one commit, which `gitmem undo` takes back. Each memory says where
    it came from, so a second run brings only what is new, also on another machine, and
    wherever you moved it. Nothing that is here is written over. An entry that holds a
    credential or is too large is refused and named; the rest is imported, and the
    status is 1.

    \b
    Example:  gitmem import ~/.claude/projects/-home-me-beacon/memory --dry-run
    Next:     gitmem sync
    """
    store = call.cwd / path.expanduser()
    imports = call.service().imports
    if yes and not dry_run:
        done = imports.carry_out(store, kind, layer)
        return _done(done, (*_head_lines(done), *_end_lines(done)))
    planned = imports.plan(store, kind, layer)
    plan = Outcome(planned, "\n".join((*_head_lines(planned), *_end_lines(planned))))
    if dry_run or call.is_json or not planned.has_work or not _has_person():
        return plan
    show(Outcome(planned, "\n".join(_head_lines(planned))), is_json=False)
    if not click.confirm("Import it?"):
        return Outcome(planned, "Nothing was written.")
    expected = len(planned.steps)
    done = imports.carry_out(store, kind, layer, expected=expected)
    return _done(done, (_sum(done), *_end_lines(done)))


def _has_person() -> bool:
    reads = sys.stdin is not None and sys.stdin.isatty()
    return reads and output.is_terminal()


def _done(done: "Imported", lines: "Sequence[str]") -> Outcome:
    undone = words.left_over(done.report) if done.report else ()
    is_failed = bool(undone or done.counts.get(_REFUSED))
    return Outcome(done, "\n".join(lines), undone, int(is_failed))


def _sum(done: "Imported") -> str:
    counts = (f"{each} {done.counts[each]:,}" for each in _ORDER if done.counts[each])
    return f"{', '.join(counts)}."


def _end_lines(done: "Imported") -> Iterator[str]:
    if done.report:
        yield words.of_change(done.report)
    elif done.has_work:
        yield faint("Nothing is written yet; --yes imports it.")
    else:
        yield good("There is nothing new to import.")


def _head_lines(done: "Imported") -> Iterator[str]:
    how = "looks like" if done.is_recognised else "is read as"
    yield f"{bold(done.store)} {how} {safe(done.about)}{_layers(done)}."
    for action in _ORDER:
        yield from _group_lines(action, [e for e in done.steps if e.action == action])
    yield from _field_lines("Fields that have another name here", done.mapped)
    yield from _field_lines("Fields kept as they are", done.kept)
    if done.anchors or done.known_anchors:
        known = f", {done.known_anchors} here already" if done.known_anchors else ""
        yield f"Tape: {counted(done.anchors, 'new line')}{known}."
    for each in done.advice:
        yield f"{worrying('Yours to do:')} {safe(each)}"


def _layers(done: "Imported") -> str:
    """Name the layers that get something, and say which of them are made."""
    named = (
        f"{safe(each)} (new)" if each in done.new_layers else safe(each)
        for each in done.layers
    )
    word = "layers" if done.layers[1:] else "layer"
    return f"; {word} {', '.join(named)}" if done.layers else ""


def _group_lines(action: str, steps: "list[Step]") -> Iterator[str]:
    if not steps:
        return
    yield f"{bold(action)} ({_MEANING[action]}): {len(steps):,}"
    for step in steps[:SHOWN]:
        yield _line(step)
        for warning in step.warnings:
            yield f"      {worrying(warning)}"
    if len(steps) > SHOWN:
        yield faint(f"  … and {len(steps) - SHOWN:,} more; --json names them all")


def _line(step: "Step") -> str:
    name = f"{step.origin}#{step.id}" if step.id else step.origin
    target = f" -> {safe(str(step.path))}" if step.path and not step.reason else ""
    reason = f": {safe(step.reason)}" if step.reason else ""
    return f"  {safe(name)}{target}{reason}"


def _field_lines(what: str, counts: "Mapping[str, int]") -> Iterator[str]:
    if counts:
        named = (f"{safe(name)} ({count:,})" for name, count in counts.items())
        yield f"{what}: {', '.join(named)}."
