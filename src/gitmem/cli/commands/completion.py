"""`gitmem completion`: teach a shell to complete gitmem."""

import click
from click.shell_completion import get_completion_class

from gitmem.cli.command import Call, Outcome, command
from gitmem.errors import UsageError


@command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(_call: Call, shell: str) -> Outcome:
    r"""Print what makes your shell complete gitmem.

    Works with bash 3.2 and newer, zsh, and fish. Commands and options are completed,
    and what the memory has: layers, tags and paths. A name in which a shell would see
    more than a word is not offered.

    \b
    Example:  eval "$(gitmem completion bash)"
    Next:     put that line into your shell's start file
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"{shell} is not known.", "Use bash, zsh or fish.")
    made = kind(click.Group(), {}, "gitmem", "_GITMEM_COMPLETE")
    # Not `source`, which starts bash and complains of the one that macOS has.
    script = _for_old_bash(made.source_template % made.source_vars())
    return Outcome({"shell": shell, "script": script}, script.rstrip("\n"))


def _for_old_bash(script: str) -> str:
    """Ask for what bash has since 4.4 only where it has it."""
    return "\n".join(map(_line_for_old_bash, script.splitlines()))


def _line_for_old_bash(line: str) -> str:
    text = line.strip()
    if text.startswith("complete -o nosort "):
        return f"    {text} 2>/dev/null || {text.replace('-o nosort ', '')}"
    return f"{line} 2>/dev/null" if text.startswith("compopt ") else line
