"""`gitmem context`: what an agent is told."""

from typing import TYPE_CHECKING

import click

from gitmem.cli import complete
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import safe_lines
from gitmem.errors import UsageError
from gitmem.service.answers import Given, Visit
from gitmem.service.notices import counted

if TYPE_CHECKING:
    from gitmem.service.previewing import Considered, Preview
    from gitmem.service.service import Service

_NOTHING = "Nothing is stored for this project yet, so an agent is told nothing."
_UNTOLD = (
    "Of {0} stored here none is told at a start, where what lies in core/ would be, as "
    "far as `delivery.start` says. `gitmem list` and `gitmem search` find them, and a "
    "turn brings up what bears on its prompt."
)
_COUNTED_AT_MOST = 1_000
_SWITCHED_OFF = "gitmem is switched off here (`enabled`): an agent is told nothing."
_NO_CUES = "Nothing is given at a turn where nothing came up."
_NOT_INDEXED = "No memory was weighed: none bears on the prompt, or none is indexed."


@command
@click.option(
    "--session", metavar="ID", help="The text that this session was told, kept for it."
)
@click.option(
    "--host",
    metavar="HOST",
    default="cli",
    shell_complete=complete.sessions_hosts,
    help="The session's host.",
)
@click.option(
    "--prompt", metavar="TEXT", help="What is given at a turn with this prompt."
)
@click.option("--why", is_flag=True, help="With --prompt: what each memory scored.")
def context(
    call: Call, session: str | None, host: str, prompt: str | None, *, why: bool
) -> Outcome:
    r"""Print exactly what an agent is told.

    That is the text given at the start of a session. With --session the text is kept:
    the same session is told the same bytes again, whatever was synced meanwhile, until
    `gitmem refresh --session ID`. With --prompt it is what a turn brings to mind, as
    far as that session was not told it before; nothing is noted as told. --why adds
    each memory that was weighed: what counted for it, and why it was left out.

    \b
    Example:  gitmem context --prompt "how do we deploy" --why
    Next:     gitmem settings --explain    (delivery.start chooses the sections)
    """
    service = call.service()
    if why and prompt is None:
        raise UsageError("--why explains a turn.", "Give one with --prompt TEXT.")
    if not service.rooms.loaded.settings.enabled:
        return Outcome(Given(""), "", (_SWITCHED_OFF,))
    if prompt is not None:
        seen = service.session.preview(Visit(host, session or ""), prompt)
        complaints = (*seen.notices, *(() if seen.text else (_NO_CUES,)))
        if not why:
            return Outcome(Given(seen.text), safe_lines(seen.text), complaints)
        return Outcome(seen, safe_lines(_explained(seen)), complaints)
    given = service.context(session, host)
    complaints = () if given.text else (_untold(service),)
    return Outcome(given, safe_lines(given.text), complaints)


def _untold(service: "Service") -> str:
    """Say what there is where an agent is told nothing."""
    count = len(service.newest(limit=_COUNTED_AT_MOST))
    if not count:
        return _NOTHING
    number = counted(count, "memory", "memories")
    is_more = count == _COUNTED_AT_MOST
    return _UNTOLD.format(f"at least {number}" if is_more else number)


def _explained(seen: "Preview") -> str:
    blocks = [seen.text] if seen.text else []
    blocks += [_weighed(each) for each in seen.considered] or [_NOT_INDEXED]
    return "\n\n".join(blocks)


def _weighed(each: "Considered") -> str:
    head = f"{each.score:5.1f}  {each.path} ({each.kind}): {each.verdict}"
    lines = [
        f"       {signal.points:+.1f} {signal.name}: {signal.reason}"
        if signal.reason != signal.name
        else f"       {signal.points:+.1f} {signal.name}"
        for signal in each.signals
    ]
    return "\n".join([head, *lines])
