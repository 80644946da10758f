"""`gitmem search`: find memories."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from gitmem.cli import offered
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, faint, listed, safe
from gitmem.errors import UsageError
from gitmem.service.notices import counted

if TYPE_CHECKING:
    from gitmem.catalog.ripgrep import Grepped
    from gitmem.catalog.rows import TagCount
    from gitmem.catalog.search import Answer, Hit

HITS: Final = 10
LINES: Final = 100
MOST: Final = 1000


@command
@click.argument("query", nargs=-1)
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    shell_complete=offered.tags,
    multiple=True,
    help="Only memories with this tag, however spelled; with each, if several.",
)
@click.option("--grep", metavar="RE", help="Lines that match; A is not a.")
@click.option("--rg", metavar="RE", help="Lines that match; a is A too, A is not a.")
@click.option(
    "--layer",
    metavar="LAYER",
    shell_complete=offered.layers,
    help="Whose memories: project (this one's), global (the shared ones), all, or the "
    "name of a layer.  [default: project and global]",
)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST),
    help=f"The most hits.  [default: {HITS}; {LINES} lines]",
)
def search(  # noqa: PLR0913, PLR0917  one for each option
    call: Call,
    query: tuple[str, ...],
    tags: tuple[str, ...],
    grep: str | None,
    rg: str | None,
    layer: str | None,
    limit: int | None,
) -> Outcome:
    r"""Find memories by words, by tag, or by pattern.

    Words need not all occur, and nothing in them is a special sign; each hit says in
    which fields it was found. --grep and --rg search the files as they are on disk now
    with a regular expression of ripgrep's, and take no words beside them.

    \b
    Example:  gitmem search how do we roll back
              gitmem search --tag deploy --tag server
              gitmem search --rg 'make \w+'
    Next:     gitmem read PATH
    """
    words = " ".join(query)
    pattern = grep if grep is not None else rg
    require_tags(tags)
    _check(words, tags, grep, rg)
    if pattern is not None:
        from gitmem.catalog.ripgrep import Kind

        kind = Kind.RG if grep is None else Kind.GREP
        found = call.service().grep(pattern, kind, layer=layer, limit=limit or LINES)
        return Outcome(found, "\n".join(_of_lines(found)))
    answer = call.service().search(words, tags=tags, layer=layer, limit=limit or HITS)
    return Outcome(answer, "\n".join(_of_answer(answer)))


def require_tags(tags: tuple[str, ...]) -> None:
    """Refuse a tag without a letter in it."""
    if not all(tag.strip().lstrip("#") for tag in tags):
        raise UsageError("--tag is empty.", "Name a tag, or leave --tag out.")


def holds_not(over: str) -> str:
    """Mark what does not hold now, before whatever else is said of it."""
    return f"not current ({over}); " if over else ""


def tags_like(nearest: "Sequence[TagCount]") -> str:
    """Name the tags that are nearest to one that no memory has."""
    tags = (f"#{each.tag} ({each.memories})" for each in nearest)
    return f"Tags like it: {listed(tags)}"


def _check(words: str, tags: tuple[str, ...], grep: str | None, rg: str | None) -> None:
    beside = "words" if words else "--tag" if tags else ""
    patterns = [
        name for name, given in (("--grep", grep), ("--rg", rg)) if given is not None
    ]
    if len(patterns) > 1:
        raise UsageError("--grep and --rg exclude each other.", "Choose one.")
    if patterns and beside:
        raise UsageError(
            f"{patterns[0]} takes no {beside} beside its pattern.",
            f"Quote a pattern with spaces: gitmem search {patterns[0]} 'make ship'",
        )
    if not (patterns or beside):
        raise UsageError(
            "There is nothing to search for.",
            "Give words, a tag or both, or one of --grep and --rg: "
            "gitmem search how to deploy",
        )


def _of_answer(answer: "Answer") -> Iterator[str]:
    for number, hit in enumerate(answer.hits, start=1):
        yield from _of_hit(number, hit)
    if not answer.hits:
        yield "Nothing found."
    if answer.nearest_tags:
        yield tags_like(answer.nearest_tags)
    if answer.newest:
        yield "The newest memories:"
        for row in answer.newest:
            yield f"  {bold(row.path)}  {safe(row.description)}"
    for other in answer.elsewhere:
        hits = counted(other.hits, "hit")
        yield faint(f"{hits} in {other.layer}: add --layer {other.layer}")


def _of_hit(number: int, hit: "Hit") -> Iterator[str]:
    yield f"{number}. {bold(hit.path)}"
    if hit.description:
        yield f"   {safe(hit.description)}"
    reasons = (f"{match.field}: {' '.join(match.words)}" for match in hit.reason)
    yield faint(f"   {holds_not(hit.over)}found in {'; '.join(reasons)}")
    if hit.snippet:
        yield f"   {safe(hit.snippet)}"


def _of_lines(found: "Grepped") -> Iterator[str]:
    for line in found.lines:
        yield f"{bold(line.path)}:{line.number}: {safe(line.text)}"
    if not found.lines:
        yield "No line matches."
    if found.is_cut:
        yield faint("There are more; narrow the pattern, or raise --limit.")
