"""`gitmem tags`: the table of tags, and what keeps it short."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gitmem.cli import offered
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, faint, listed, safe, worrying
from gitmem.cli.words import SHORT
from gitmem.errors import UsageError
from gitmem.files.handed import handed
from gitmem.service.notices import age, counted

if TYPE_CHECKING:
    from gitmem.service.tag_answers import Tables, TagTable, Tidying

PLAN_LIMIT_BYTES: Final = 16_000_000
PIPE_WAIT_SECONDS: Final = 10.0
NAMED_AT_MOST: Final = 20
_ACTIONS: Final = ("show", "rename", "compact", "rebuild")
_DONE: Final = ("Merged", "Renamed", "Spelled")
_WOULD: Final = ("Would merge", "Would rename", "Would spell")


@command
@click.argument("action", required=False, type=click.Choice(_ACTIONS))
@click.argument(
    "names", nargs=-1, metavar="[OLD NEW]", shell_complete=offered.old_and_new_tags
)
@click.option(
    "--plan",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="With compact: the plan, as JSON; - reads it from standard input.",
)
@click.option(
    "--layer",
    metavar="LAYER",
    shell_complete=offered.layers,
    help="Whose tags: project (this one's), global (the shared ones), the name of a "
    "layer, or to show them, all.  [default: project and global]",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what rename or compact would do, and do none."
)
@click.option(
    "--yes", is_flag=True, help="With compact: let more than a fifth of a layer go."
)
def tags(  # noqa: PLR0913, PLR0917  one for each option
    call: Call,
    action: str | None,
    names: tuple[str, ...],
    plan: Path | None,
    layer: str | None,
    dry_run: bool,
    yes: bool,
) -> Outcome:
    r"""Show the tags that there are, and tidy them.

    `tags show`, which is also `tags` alone, lists each tag with its memories, other
    spellings of it, and how many memories came since the layer was tidied. A tag as it
    stands there is always found by `gitmem search --tag`. `tags rename OLD NEW` changes
    a tag in every memory; a NEW that is there makes the two one tag. `tags rebuild`
    reads all memories anew: the table is derived from them, and nothing of it is kept.

    `tags compact --plan FILE` merges memories and renames tags as a plan proposes, in
    one commit, which `gitmem undo` takes back:

    \b
      {"merges":  [{"keep": "core/deploy.md", "drop": ["notes/ship.md"],
                    "text": "…", "description": "…", "tags": ["deploy"]}],
       "renames": [{"from": "deployment", "to": "deploy"}]}

    Of a merge, only keep and drop must be said: without a text the memory gets every
    line of those that go into it. Renames come last, all at once. What cannot be done
    is left out and told; if a file changes meanwhile, nothing is done at all.

    \b
    Example:  gitmem tags rename deployment deploy
    Next:     gitmem sync
    """
    action = action or "show"
    _check(action, names, plan, is_dry=dry_run, is_yes=yes)
    verbs = call.service().tags
    match action:
        case "rename":
            done = verbs.rename(*names, layer=layer, is_dry=dry_run)
            return _outcome(done)
        case "compact":
            from gitmem.memory.plans import parse

            wish = parse(_read(plan or Path("-")))
            return _outcome(
                verbs.compact(wish, layer=layer, is_dry=dry_run, may_remove=yes)
            )
        case _:
            found = verbs.rebuild(layer) if action == "rebuild" else verbs.show(layer)
            return Outcome(found, "\n".join(_of_tables(found)))


def _check(
    action: str,
    names: tuple[str, ...],
    plan: Path | None,
    *,
    is_dry: bool,
    is_yes: bool,
) -> None:
    wanted = 2 if action == "rename" else 0
    if len(names) != wanted:
        raise UsageError(
            f"`gitmem tags {action}` takes {'OLD and NEW' if wanted else 'no name'}.",
            "For example: gitmem tags rename deployment deploy",
        )
    if (plan is not None) != (action == "compact"):
        raise UsageError(
            "--plan belongs to `gitmem tags compact`, which needs it.",
            "For example: gitmem tags compact --plan plan.json",
        )
    if is_dry and not (names or plan):
        raise UsageError(
            f"`gitmem tags {action}` changes nothing: --dry-run has no meaning.",
            "Leave it out.",
        )
    if is_yes and not plan:
        raise UsageError("--yes belongs to `gitmem tags compact`.", "Leave it out.")


def _read(plan: Path) -> bytes:
    if str(plan) == "-":
        data = sys.stdin.buffer.read(PLAN_LIMIT_BYTES + 1)
    else:
        data = handed(plan, PLAN_LIMIT_BYTES + 1, PIPE_WAIT_SECONDS)
    if len(data) > PLAN_LIMIT_BYTES:
        raise UsageError(
            f"The plan has more than {PLAN_LIMIT_BYTES:,} bytes.", "Make two of it."
        )
    return data


def _of_tables(found: "Tables") -> Iterator[str]:
    for number, table in enumerate(found.layers):
        if number:
            yield ""
        yield from _of_table(found, table)


def _of_table(found: "Tables", table: "TagTable") -> Iterator[str]:
    memories = counted(table.memories, "memory", "memories")
    most = f" of at most {found.tags_at_most}" if found.tags_at_most else ""
    untagged = f", {table.untagged} without a tag" if table.untagged else ""
    tags_ = f"{counted(len(table.tags), 'tag')}{most}"
    yield f"{bold(table.layer)}: {memories}{untagged}, {tags_}"
    for line in table.tags:
        others = faint(f"  also {listed(line.others)}") if line.others else ""
        yield f"{line.memories:6}  #{safe(line.tag)}{others}"
    if not table.memories:
        return
    since = "came since the beginning"
    if table.tidied_at:
        since = (
            f"came since it was tidied {age(table.tidied_at, datetime.now(UTC))} ago"
        )
    said = f"{counted(table.added, 'memory', 'memories')} {since}"
    if table.is_due:
        yield worrying(
            f"{said}: it is due. Tidy with `gitmem tags compact --plan FILE`."
        )
    else:
        yield faint(f"{said}; it is due at {found.consolidate_every}.")


def _outcome(done: "Tidying") -> Outcome:
    """Say what came of it; what was left out goes to stderr."""
    said = done.said[:NAMED_AT_MOST]
    more = len(done.said) - len(said)
    rest = (f"{more} more of the plan was left out; --json names all",) if more else ()
    return Outcome(done, "\n".join(_of_tidying(done)), (*said, *rest))


def _of_tidying(done: "Tidying") -> Iterator[str]:
    merge, rename, spell = _WOULD if done.is_dry else _DONE
    for merged in done.merged[:NAMED_AT_MOST]:
        yield f"{merge} {listed(merged.dropped)} into {bold(merged.kept)}."
    if more := done.merged[NAMED_AT_MOST:]:
        yield f"{merge} others into {counted(len(more), 'memory', 'memories')} more."
    for tag in done.renamed:
        joined = ", which is there: they are one tag" if tag.is_joined else ""
        memories = counted(tag.memories, "memory", "memories")
        names = f"{rename} #{safe(tag.old)} to #{safe(tag.new)}{joined}"
        if tag.old == tag.new:
            names = f"{spell} #{safe(tag.new)} so wherever it stands"
        yield f"{names} ({memories} of {safe(tag.layer)})."
    if done.committed:
        commit = bold(done.committed[:SHORT])
        yield f"Committed {commit}; `gitmem undo` takes it back."
    elif done.changes:
        yield f"{counted(len(done.changes), 'file')} would change; nothing was done."
    else:
        yield "Nothing was to be done."
