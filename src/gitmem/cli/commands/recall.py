"""`gitmem recall`: find what earlier sessions handed over."""

from typing import Final

import click

from gitmem.cli import offered
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.commands.packet import KINDS, wanted
from gitmem.cli.style import safe_lines

LIMIT: Final = 5
MOST: Final = 100


@command
@click.argument("query", nargs=-1)
@click.option(
    "--tags",
    metavar="A,B",
    shell_complete=offered.packet_tags,
    help="Only packets with all of these tags.",
)
@click.option("--since", metavar="DATE", help="Only those on or after it: 2026-04-30.")
@click.option("--kind", type=click.Choice(KINDS), help="Only packets of this kind.")
@click.option(
    "--notes", is_flag=True, help="Every other memory of the project as well."
)
@click.option("--limit", type=click.IntRange(1, MOST), default=LIMIT)
def recall(  # noqa: PLR0913, PLR0917  one for each option
    call: Call,
    query: tuple[str, ...],
    tags: str | None,
    since: str | None,
    kind: str | None,
    notes: bool,
    limit: int,
) -> Outcome:
    r"""Find packets of earlier sessions, the best first.

    Topic, summary, tags, files and text are searched, and each hit says why it is one.
    What --tags, --since and --kind leave out does not count against --limit. Without
    QUERY the newest are listed. An agent is asked to read one to three of them, and no
    more.

    \b
    Example:  gitmem recall session validator --tags auth,backend
              gitmem recall payments --since 2026-06-01 --kind handoff
    Next:     gitmem read PATH
    """
    from gitmem.service import packet_words

    kinds = ("packet", "note") if notes else ("packet",)
    asked = wanted(
        " ".join(query), tags=tags, since=since, kind=kind, limit=limit, kinds=kinds
    )
    found = call.service().packets.recall(asked)
    return Outcome(found, safe_lines(packet_words.of_recollection(found)))
