"""`gitmem mcp`: serve the memory to an MCP client."""

from typing import get_args

import click

from gitmem.cli import output
from gitmem.cli.command import Call, Outcome, command
from gitmem.errors import UsageError
from gitmem.settings.model import ToolGroup

_LOOPBACK = {"127.0.0.1", "localhost"}


@command
@click.option(
    "--http",
    "address",
    metavar="PORT",
    help="Serve HTTP on this port of the loopback interface; 0 takes any.",
)
@click.option(
    "--groups",
    metavar="NAMES",
    help="Offer these groups of tools, in place of those of `mcp.groups`.",
)
@click.option(
    "--session",
    metavar="ID",
    default="",
    help="Write in the name of this session of the host.",
)
def mcp(call: Call, address: str | None, groups: str | None, session: str) -> Outcome:
    r"""Serve the memory to an MCP client.

    Clients start this by themselves and talk to it on stdin and stdout. The project is
    the one of the folder that it is started in. No memory is written before a person
    has agreed, in the client or, where that cannot ask, by a second call.

    With --http it serves several clients, on this machine only. They show a token,
    which is made once and kept in gitmem's state folder.

    \b
    Example:  claude mcp add gitmem -- gitmem mcp
    Next:     gitmem mcp --http 8765
    """
    from gitmem.mcp_server.door import Wish, serve

    port = None if address is None else _port(address)
    chosen = _groups(call) if groups is None else _named(groups)
    if port is None and output.is_terminal():
        output.complain("An MCP client talks to this; Ctrl-C ends it.")
    wish = Wish(
        start=call.cwd.resolve(),
        groups=chosen,
        port=port,
        session=session,
        shows_token=output.shows_progress(),
    )
    serve(wish, output.complain)
    return Outcome({})


def _port(address: str) -> int:
    """Read a port; a host before it must be this machine's own."""
    host, _, port = address.rpartition(":")
    if host and host not in _LOOPBACK:
        raise UsageError(
            f"{host} is not the loopback interface, and your memory is not served on "
            "any other.",
            "Give a port alone; to reach it from elsewhere, tunnel to it with ssh -L.",
        )
    if not port.isdecimal() or int(port) > 65535:  # noqa: PLR2004  the highest port
        raise UsageError(f"{port!r} is no port.", "For example: gitmem mcp --http 8765")
    return int(port)


def _groups(call: Call) -> tuple[str, ...]:
    settings = call.inspection().rooms.loaded.settings
    off = set() if settings.tape.enabled else {"tape"}
    return tuple(each for each in settings.mcp.groups if each not in off)


def _named(groups: str) -> tuple[str, ...]:
    known = get_args(ToolGroup)
    named = [each.strip() for each in groups.split(",") if each.strip()]
    for name in named:
        if name not in known:
            raise UsageError(
                f"There is no group {name!r}.", f"There are: {', '.join(known)}."
            )
    return tuple(dict.fromkeys(named))
