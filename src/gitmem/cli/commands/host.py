"""`gitmem host`: gitmem in the agents' hands."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem.cli import complete, output
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import faint, good, safe, worrying
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.hosts.check import Standing
    from gitmem.hosts.install import Done

ACTIONS = ("list", "install", "uninstall")
_QUESTION = (
    "Claude Code's own memory will no longer be read or written; what it holds stays"
    " where it is. Switch it off?"
)


@command
@click.argument("action", type=click.Choice(ACTIONS))
@click.argument("name", required=False, shell_complete=complete.hosts)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
@click.option(
    "--replace-auto-memory",
    is_flag=True,
    help="With install claude-code: switch its own memory off, having asked.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def host(  # noqa: PLR0913, PLR0917  one for each option
    call: Call,
    action: str,
    name: str | None,
    file: Path | None,
    dry_run: bool,
    replace_auto_memory: bool,
    yes: bool,
) -> Outcome:
    r"""Put gitmem into the agents that you use, and out again.

    NAME is claude-code, pi, codex, opencode, or agents-md with the FILE of a project or
    of an agent. `install` adds to the host's own settings and keeps everything else in
    them; run it again after gitmem was updated or moved. `uninstall` leaves the
    settings as they were before, and what you changed in the meantime. `list` says
    which hosts are there, and whether gitmem in them is up to date.

    \b
    Example:  gitmem host install claude-code --dry-run
    Next:     start a new session in the host
    """
    if action == "list":
        return _list(call)
    if not name:
        raise UsageError(
            f"`host {action}` needs a name.",
            f"For example: gitmem host {action} claude-code",
        )
    if replace_auto_memory and (action, name) != ("install", "claude-code"):
        raise UsageError("--replace-auto-memory goes with `install claude-code` only.")
    target = call.cwd.resolve() / file if file else None
    if action == "uninstall":
        return _uninstall(call, name, target, is_dry=dry_run)
    if replace_auto_memory and not (yes or dry_run):
        _require_consent()
    return _install(call, name, target, dry_run, replace_auto_memory)


def _list(call: Call) -> Outcome:
    from gitmem.service import hosting

    found = hosting.standings(call.inspection().rooms.loaded.folders)
    return Outcome({"hosts": found}, "\n".join(_list_lines(found)))


def _install(
    call: Call, name: str, target: Path | None, is_dry: bool, replaces: bool
) -> Outcome:
    from gitmem.hosts.place import Wishes
    from gitmem.service import hosting

    own = call.inspection().rooms.loaded.folders
    done = hosting.put_in(own, name, target, Wishes(replaces), is_dry=is_dry)
    return _told(done, "Installed into", "It is installed already", is_dry=is_dry)


def _uninstall(call: Call, name: str, target: Path | None, *, is_dry: bool) -> Outcome:
    from gitmem.service import hosting

    own = call.inspection().rooms.loaded.folders
    done = hosting.take_out(own, name, target, is_dry=is_dry)
    return _told(done, "Taken out of", "Nothing was installed", is_dry=is_dry)


def _require_consent() -> None:
    if not output.is_terminal():
        raise UsageError("Nobody is there to be asked.", "Say --yes if it is wanted.")
    if not click.confirm(_QUESTION):
        raise UsageError("Nothing was changed.", "Leave out --replace-auto-memory.")


def _told(done: "Done", words: str, nothing: str, *, is_dry: bool) -> Outcome:
    if is_dry:
        text = "\n".join(map(safe, done.diff.splitlines()))
        return Outcome(done, text or "Nothing would change.")
    lines = [f"  {safe(str(path))}" for path in done.changed]
    head = good(f"{words} {done.host}:") if lines else f"{nothing}: {done.host}."
    kept = [f"Kept:    {safe(str(path))}, which is yours" for path in done.kept]
    steps = [f"Next:    {safe(step)}" for step in done.steps]
    return Outcome(done, "\n".join([head, *lines, *kept, *steps]))


def _list_lines(found: "Sequence[Standing]") -> Iterator[str]:
    for each in found:
        yield f"{each.name + ':':<13} {_standing(each)}"
        if each.mend:
            yield f"{'':<14}-> {safe(each.mend)}"


def _standing(each: "Standing") -> str:
    there = safe(f"{each.version or 'found'}") if each.program else "not found"
    there = safe(str(each.file)) if each.file else there
    if each.trouble:
        return f"{there}; {worrying(each.trouble)}"
    if each.is_installed:
        return f"{there}; {good('gitmem is in it, and up to date')}"
    return f"{there}; {faint('gitmem is not in it')}"
