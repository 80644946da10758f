"""`gitmem hook`: what a host's event is to gitmem."""

import os
import sys
from pathlib import Path

import click

import gitmem
from gitmem.cli import complete
from gitmem.cli.command import Call, Outcome, command
from gitmem.hosts import registry
from gitmem.process import become


@command
@click.argument("host", metavar="HOST", shell_complete=complete.sessions_hosts)
@click.argument("event", metavar="EVENT", shell_complete=complete.events)
def hook(call: Call, host: str, event: str) -> Outcome:
    r"""Hand a host's event to gitmem, and print the answer.

    The host's JSON comes on standard input. Whatever happens, it ends with status 0
    within the time of the event (3 s for a start, 10 s for an end, else 1 s) and
    prints the answer or nothing; `gitmem.log` in the state folder says why.

    `gitmem host install` writes the same hook in a quicker form into a host's
    settings.

    \b
    Example:  gitmem hook claude-code SessionStart < payload.json
    Next:     gitmem session list
    """
    registry.host(host)  # raises UsageError
    os.chdir(call.cwd)
    client = Path(gitmem.__file__).with_name("hook") / "client.py"
    become([sys.executable, "-I", "-S", client, host, event])
