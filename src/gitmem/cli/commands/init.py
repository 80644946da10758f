"""`gitmem init`: make the memory repository."""

from collections.abc import Iterator

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, good, safe
from gitmem.service.answers import Begun

_MADE = {
    "created": "Created a memory repository",
    "cloned": "Cloned the memory repository",
    "adopted": "Took over the repository",
    "ready": "The memory repository is ready",
}


@command
@click.argument("url", required=False)
@click.option(
    "--shared",
    metavar="NAME",
    help="Have a layer of this name that every project shares; written to your "
    "settings as memory_dir.global_memory.",
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Agree to use a folder that holds files already, or a remote that holds "
    "something that does not look like a memory.",
)
def init(call: Call, url: str | None, shared: str | None, adopt: bool) -> Outcome:
    r"""Create, clone or adopt the memory repository.

    Without URL it is created on this machine alone; a remote can come later. With URL
    it is cloned, and an empty remote is filled by the first sync. A repository that is
    there already is used as it is. A failure leaves nothing half-made behind.

    URL is https, ssh, user@host:path, or the path of a repository on this machine,
    without a password in it: Git's credential helper keeps that.

    \b
    Example:  gitmem init git@example.org:me/memory.git --shared global
    Next:     gitmem write core/stack.md
    """
    begun = call.service().init(url, shared=shared, adopt=adopt)
    return Outcome(begun, "\n".join(_lines(begun)))


def _lines(begun: Begun) -> Iterator[str]:
    yield f"{good(_MADE[begun.made])} at {bold(begun.root)}."
    if begun.url:
        yield f"Its remote is {safe(begun.url)}, its branch {safe(begun.branch)}."
    else:
        yield "It has no remote yet; give it one with `gitmem remote URL`."
    for setting in begun.settings:
        yield f"Set {safe(setting)} in your settings."
    yield "Next: write a memory with `gitmem write`, see it with `gitmem context`."
