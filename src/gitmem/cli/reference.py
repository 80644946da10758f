"""Write the pages of the reference from what the commands say of themselves."""

from typing import Final

import click

from gitmem import errors
from gitmem.cli.command import HELP_OPTIONS, WIDTH
from gitmem.cli.group import COMMANDS, commands
from gitmem.errors import GitmemError, SyncError

_STATUSES: Final = {
    0: "It is done.",
    1: "It failed; one line on stderr says what, the next says what to do.",
    2: "The command line is wrong.",
    130: "It was interrupted with Ctrl-C.",
}
_ALSO: Final = """\
Some commands did their work and still end with 1, so that a script notices:

- `gitmem sync`, `restore`, `undo`, `session end`: a file was not committed, or a
  decision waits.
- `gitmem sync status`, `daemon status`: a decision waits, or a commit has not been
  pushed for more than 24 hours.
- `gitmem check`: there is at least one error among the findings.
- `gitmem doctor`: something is broken.
- `gitmem quickstart`: something did not arrive.

With `--json`, an error is one JSON document on stdout:
`{"error": {"kind", "message", "hint", "exit_status"}}`.
"""


def command_pages() -> dict[str, str]:
    """Write one page for each command, by file name."""
    group = commands()
    parent = click.Context(
        group,
        info_name="gitmem",
        terminal_width=WIDTH,
        help_option_names=HELP_OPTIONS,
    )
    return {f"{name}.md": _page(group, parent, name) for name in COMMANDS}


def exit_page() -> str:
    """Write the page on exit statuses."""
    statuses = "\n".join(f"| {code} | {text} |" for code, text in _STATUSES.items())
    kinds = "\n".join(
        f"| `{kind.__name__}` | {kind.exit_status} | {_first_line(kind)} |"
        for kind in _kinds()
    )
    return (
        "# Exit statuses\n\n"
        f"| status | means |\n| --- | --- |\n{statuses}\n\n{_ALSO}\n"
        f"| error | status | when |\n| --- | --- | --- |\n{kinds}\n"
    )


def _page(group: click.Group, parent: click.Context, name: str) -> str:
    command = group.get_command(parent, name)
    if command is None:
        return ""
    context = click.Context(
        command, parent, info_name=name, terminal_width=WIDTH, show_default=True
    )
    shown = command.get_help(context)
    actions = command.commands if isinstance(command, click.Group) else {}
    below = (_action(context, action, made) for action, made in actions.items())
    return f"# gitmem {name}\n\n```text\n{shown}\n```\n{''.join(below)}"


def _action(parent: click.Context, name: str, command: click.Command) -> str:
    context = click.Context(
        command, parent, info_name=name, terminal_width=WIDTH, show_default=True
    )
    title = f"{parent.command_path} {name}"
    return f"\n## {title}\n\n```text\n{command.get_help(context)}\n```\n"


def _kinds() -> list[type[GitmemError]]:
    """List the errors that are raised; two only gather others."""
    found = [each for each in vars(errors).values() if isinstance(each, type)]
    kinds = [each for each in found if issubclass(each, GitmemError)]
    return [kind for kind in kinds if kind not in {GitmemError, SyncError}]


def _first_line(kind: type[GitmemError]) -> str:
    return (kind.__doc__ or "").splitlines()[0]
