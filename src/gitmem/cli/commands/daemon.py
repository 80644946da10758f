"""`gitmem daemon`: the background process of a memory repository."""

import click

from gitmem.cli import daemons
from gitmem.cli.command import Call, Outcome, command
from gitmem.errors import UsageError

ACTIONS = ("run", "start", "stop", "status", "logs", "install", "uninstall")


@command
@click.argument("action", type=click.Choice(ACTIONS))
@click.option("--stay", is_flag=True, help="With run: stay, however long idle.")
@click.option(
    "--once", is_flag=True, help="With run: pull if due, push what waits, and leave."
)
@click.option(
    "--lines",
    type=click.IntRange(min=1),
    default=20,
    metavar="N",
    help="With logs: how many lines, the last ones.",
)
def daemon(call: Call, action: str, stay: bool, once: bool, lines: int) -> Outcome:
    r"""Keep the memory in exchange in the background.

    One daemon serves one memory repository: it pulls now and then, commits and pushes
    soon after a file was written, ends the sessions of hosts that died, and answers
    hooks quickly. Everything works without it. It is started by the first session, and
    leaves when none has needed it for `daemon.idle_exit`. `run` is the daemon itself,
    in the foreground; with --stay it takes the place of one that would leave, and waits
    for one that stays. `install` lets the system start it when you log in.

    `status` says what each job did last and does next, and what waits to be pushed; it
    ends with 1 while a decision of yours waits, or when a commit has waited for more
    than 24 hours.

    \b
    Example:  gitmem daemon status
    Next:     gitmem daemon logs
    """
    if (stay or once) and action != "run":
        raise UsageError("--stay and --once go with `daemon run` only.")
    if action == "run":
        return daemons.errand(call) if once else daemons.run(call, stays=stay)
    if action == "logs":
        return daemons.logs(call, lines)
    return getattr(daemons, action)(call)  # type: ignore[no-any-return]
