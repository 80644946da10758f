"""`gitmem completion`: teach a shell to complete gitmem."""

import click
from click.shell_completion import get_completion_class

from gitmem.cli.command import Call, Outcome, command
from gitmem.errors import UsageError


@command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(_call: Call, shell: str) -> Outcome:
    r"""Print what makes your shell complete gitmem.

    \b
    Example:  eval "$(gitmem completion bash)"
    Next:     put that line into your shell's start file
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"{shell} is not known.", "Use bash, zsh or fish.")
    script = kind(click.Group(), {}, "gitmem", "_GITMEM_COMPLETE").source()
    return Outcome({"shell": shell, "script": script}, script.rstrip("\n"))
