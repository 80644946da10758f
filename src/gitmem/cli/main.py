"""The entry point: answer at once what can be, else parse, dispatch, and catch.

The one place where the command line catches everything: a person gets one line and a
next step, the log gets the rest.
"""

import os
import sys

from gitmem.cli import output, quick

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    import click

    from gitmem.errors import GitmemError

USAGE_STATUS = 2
INTERRUPTED_STATUS = 130


def main() -> None:
    """Run gitmem as a program."""
    # Of what Git, SQLite and tantivy make for us, too, nothing is others' business.
    os.umask(0o077)
    _fill_descriptors()
    status = run(sys.argv[1:])
    output.end()
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run one command, and give the exit status."""
    try:
        found = quick.answer(arguments)
        if found is not None:
            output.line(found)
            return 0
        return _dispatch(arguments or ["--help"])
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except Exception as error:  # noqa: BLE001  the boundary of the command line
        from gitmem.errors import GitmemError

        told = error if isinstance(error, GitmemError) else _told_by_disk(error)
        return _failed(told, arguments) if told else _unexpected(error, arguments)


def _fill_descriptors() -> None:
    """Put nothing in the place of a closed stream, before a file takes its number."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _told_by_disk(error: Exception) -> "GitmemError | None":
    """Say what the disk refused, wherever it was met; None for anything else."""
    from pathlib import Path

    from gitmem.errors import GitmemError
    from gitmem.files.atomic import disk_errors

    if not isinstance(error, OSError):
        return None
    try:
        with disk_errors(Path(os.fsdecode(error.filename or "standard output"))):
            raise error
    except GitmemError as told:
        return told
    except OSError:
        return None


def _dispatch(arguments: list[str]) -> int:
    import click  # heavy: 40 ms

    from gitmem.cli.group import commands

    try:
        status = commands().main(arguments, "gitmem", standalone_mode=False)
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.Abort:
        return INTERRUPTED_STATUS
    except click.UsageError as error:
        return _misused(error, arguments)
    return int(status or 0)


def _misused(error: "click.UsageError", arguments: list[str]) -> int:
    from click import NoSuchCommand
    from click.exceptions import NoArgsIsHelpError

    from gitmem.cli.group import lacking, suggestion

    message, hint = error.format_message(), _taught_by(arguments)
    if isinstance(error, NoSuchCommand):
        hint = suggestion(error.command_name, error.ctx)
    elif isinstance(error, NoArgsIsHelpError):
        # Its message is the whole help.
        message = lacking(error.ctx)
    _report("UsageError", message, hint, USAGE_STATUS, arguments)
    return USAGE_STATUS


def _failed(error: "GitmemError", arguments: list[str]) -> int:
    kind, hint = type(error).__name__, error.hint
    if not hint and error.exit_status == USAGE_STATUS:
        hint = _taught_by(arguments)
    _report(kind, error.message, hint, error.exit_status, arguments)
    return error.exit_status


def _taught_by(arguments: list[str]) -> str:
    """Point to the help of the command; click does not always know which it was."""
    from gitmem.cli.group import named

    return f"See `{' '.join(('gitmem', *named(arguments)))} --help`."


def _unexpected(error: Exception, arguments: list[str]) -> int:
    """Say where the whole story is, and nothing of it that could be secret."""
    import traceback
    from datetime import UTC, datetime

    from gitmem import log
    from gitmem.process import environment
    from gitmem.settings.folders import folders

    hint = "Nothing was taken back; look there, or run the command again."
    unlogged = "Run `gitmem doctor`; it finds what keeps gitmem from working."
    try:
        state = folders(environment()).state
        story = "".join(traceback.format_exception(error))
        log.append(state, f"gitmem {arguments!r}\n{story}", now=datetime.now(UTC))
        where = f"the whole story is in {state / log.NAME}"
    except Exception as second:  # noqa: BLE001  not even the log
        where, hint = f"it could not be logged: {type(second).__name__}", unlogged
    message = f"{type(error).__name__}: {error}; {where}."
    _report("Unexpected", message, hint, 1, arguments)
    return 1


def _report(
    kind: str, message: str, hint: str, status: int, arguments: list[str]
) -> None:
    from gitmem.files.names import shown
    from gitmem.secrets import mask

    message, hint = mask(message), mask(hint)
    if _wants_json(arguments) and output.hears():
        from gitmem.cli.document import rendered

        error = {"kind": kind, "message": message, "hint": hint, "exit_status": status}
        output.line(rendered({"error": error}))
    output.complain(f"error: {shown(' '.join(message.split()))}")
    if hint:
        output.complain(f"hint: {shown(' '.join(hint.split()))}")


def _wants_json(arguments: list[str]) -> bool:
    """Look for the flag by hand: the line may be one that could not be parsed."""
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in before
