"""The list of commands; only the one that is called is imported."""

import difflib
import importlib
import keyword
from collections.abc import Sequence
from typing import Final

import click

from gitmem import __version__
from gitmem.cli.command import HELP_OPTIONS, WIDTH

COMMANDS: Final = {
    "quickstart": "See two machines share a memory, in a temporary folder.",
    "init": "Create, clone or adopt the memory repository.",
    "path": "Print where the memory repository is, or one of its layers.",
    "write": "Create or update one memory from standard input.",
    "read": "Print one memory, as it is or as it was.",
    "import": "Take over the store of another program, or a folder of notes.",
    "list": "List the memories, the newest first.",
    "mv": "Give one memory another path.",
    "rm": "Delete one memory.",
    "search": "Find memories by words, by tag, or by pattern.",
    "tags": "Show the tags that there are, and tidy them.",
    "recall": "Find packets of earlier sessions, the best first.",
    "packet": "Hand work over to a later session, and see what was.",
    "context": "Print exactly what an agent is told.",
    "refresh": "Make a session's start text anew.",
    "review": "Look over the tape: anchors, threads, keywords.",
    "tape": "Set anchors in sessions, look back, go on with threads.",
    "sync": "Commit, take in what is new, and push.",
    "session": "Say that a session starts, ends or pauses, or list them.",
    "hook": "Hand a host's event to gitmem, and print the answer.",
    "daemon": "Keep the memory in exchange in the background.",
    "mcp": "Serve the memory to an MCP client.",
    "check": "Look at the repository, its files and its sync.",
    "history": "List who wrote the versions of one memory.",
    "log": "List the commits of the memory.",
    "restore": "Bring back a version of one memory.",
    "undo": "Take a commit back, as a new commit.",
    "remote": "Print the remote of the memory, or set it.",
    "settings": "Print every setting, and where its value came from.",
    "doctor": "Find what keeps gitmem from working, and the mend.",
    "host": "Put gitmem into the agents that you use, and out again.",
    "completion": "Print what makes your shell complete gitmem.",
}
HELP: Final = """One memory for every coding agent, kept as Markdown in Git.

\b
Start here:    gitmem quickstart     see it work, in a temporary folder
               gitmem init [URL]     make or clone your memory repository
Every day:     gitmem write, search, read, sync
In trouble:    gitmem doctor, check, history, undo
"""


# What people type who know another program.
_MEANT: Final = {
    "status": "sync status",
    "st": "sync status",
    "pull": "sync pull",
    "push": "sync push",
    "fetch": "sync pull",
    "commit": "sync",
    "ls": "list",
    "move": "mv",
    "rename": "mv",
    "delete": "rm",
    "remove": "rm",
    "del": "rm",
    "find": "search",
    "grep": "search --grep RE",
    "rg": "search --rg RE",
    "cat": "read",
    "show": "read",
    "get": "read",
    "open": "read",
    "add": "write",
    "new": "write",
    "save": "write",
    "edit": "write",
    "set": "write",
    "clone": "init URL",
    "create": "init",
    "config": "settings --explain",
    "blame": "history",
    "diff": "history",
    "revert": "undo",
    "where": "path",
    "help": "--help",
    "version": "--version",
    "demo": "quickstart",
}


def suggestion(name: str, context: click.Context | None = None) -> str:
    """Say what was meant by a command that there is not, or where all are listed."""
    group = context.command if context else None
    if isinstance(group, click.Group) and not isinstance(group, Commands):
        own = difflib.get_close_matches(name.lower(), group.commands, 1, 0.7)
        path = f"gitmem {group.name}"
        return f"Did you mean `{path} {own[0]}`?" if own else f"See `{path} --help`."
    near = difflib.get_close_matches(name.lower(), [*COMMANDS, *_MEANT], 1, 0.7)
    if not near:
        return "`gitmem --help` lists the commands."
    return f"Did you mean `gitmem {_MEANT.get(near[0], near[0])}`?"


def lacking(context: click.Context) -> str:
    """Say which commands a group has, where none was named."""
    own = context.command.commands if isinstance(context.command, click.Group) else {}
    return f"`{context.command_path}` needs one of its commands: {', '.join(own)}."


def named(arguments: Sequence[str]) -> tuple[str, ...]:
    """Name the command that a line calls, with the groups that it is in."""
    first = next((each for each in arguments if each in COMMANDS), "")
    if not first:
        return ()
    group = imported(first)
    below = group.commands if isinstance(group, click.Group) else {}
    rest = arguments[arguments.index(first) + 1 :]
    second = next((each for each in rest if each in below), "")
    return (first, second) if second else (first,)


def imported(name: str) -> click.Command:
    """Import a command: a word of Python's own is spelled with a line behind it."""
    spelled = f"{name}_" if keyword.iskeyword(name) else name
    module = importlib.import_module(f"gitmem.cli.commands.{spelled}")
    found: click.Command = getattr(module, spelled)
    return found


class Commands(click.Group):
    """Commands that are imported when they are called."""

    def list_commands(self, _: click.Context) -> list[str]:
        """List the names in the order in which a person meets them."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        return imported(name)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Show one line for each command without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def commands() -> click.Group:
    """Make the group."""
    group = Commands(
        "gitmem",
        help=HELP,
        epilog="`gitmem COMMAND --help` teaches the command with an example.",
        context_settings={
            "max_content_width": WIDTH,
            "help_option_names": HELP_OPTIONS,
        },
    )
    return click.version_option(__version__)(group)
