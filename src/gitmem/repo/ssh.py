"""Run ssh as the person set it up for Git, and let it ask nobody anything."""

from pathlib import PurePath
from typing import Final

from gitmem.repo.command import Command
from gitmem.repo.environment import SSH_COMMAND, SSH_OPTIONS, variables

# Git reads these from the person's own files, whatever includes what.
_OWN_SCOPES: Final = frozenset({"system", "global"})
# More than one plain command; nothing can be added at its end.
_SHELL: Final = frozenset(";|&#<>()`\n")


def ssh_command(command: Command) -> str:
    """Give the command by which Git is to start ssh."""
    finished = command.run(
        "config",
        "--includes",
        "--show-scope",
        "-z",
        "--get-all",
        "core.sshCommand",
        variables=variables(command.root, may_lock=False),
    )
    return patient(persons(finished.stdout))


def persons(output: bytes) -> str:
    """Read what the person set; a repository may not say what is run for it."""
    fields = output.decode("utf-8", "surrogateescape").split("\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    own = [text for scope, text in pairs if scope in _OWN_SCOPES]
    return own[-1].strip() if own else ""


def patient(text: str) -> str:
    """Add our options to a plain ssh; where the person gave one, theirs counts."""
    if not text:
        return SSH_COMMAND
    program = PurePath(text.split(maxsplit=1)[0].strip("\"'")).name.lower()
    if program not in {"ssh", "ssh.exe"} or not _SHELL.isdisjoint(text):
        return text
    return f"{text} {SSH_OPTIONS}"
