"""What every command is made of: two options, a call to the service, an outcome."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec

import click

from gitmem.cli import document, output, style

if TYPE_CHECKING:
    from gitmem.app import Caller
    from gitmem.service.service import Service

_Given = ParamSpec("_Given")
WIDTH: Final = 80
HELP_OPTIONS: Final = ["-h", "--help"]


@dataclass(frozen=True, slots=True)
class Call:
    """From where a command was called, and how its answer is wanted."""

    cwd: Path
    is_json: bool

    def service(self, *, caller: "Caller | None" = None) -> "Service":
        """Connect the rooms for the project of that folder."""
        from gitmem.app import connect
        from gitmem.cli.progress import watch

        service = connect(self.cwd, caller=caller, watch=watch())
        if service.rooms.loaded.mistakes:
            from gitmem.service.notices import of_mistakes

            output.complain(f"warning: {of_mistakes(service.rooms.loaded)}")
        return service

    def inspection(self) -> "Service":
        """Connect for what must answer even where no other command works."""
        from gitmem.app import inspect

        return inspect(self.cwd)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command has to say: a value for programs, a text for people.

    `complaints` go to stderr, one line each; `raw` are bytes to hand on unchanged
    where nobody reads them on a terminal.
    """

    value: object
    text: str = ""
    complaints: tuple[str, ...] = ()
    status: int = 0
    raw: bytes | None = None


def command(
    function: Callable[Concatenate[Call, _Given], Outcome],
) -> click.Command:
    """Make a command of a function; its docstring is the help."""

    @functools.wraps(function)
    def called(*, is_json: bool, cwd: Path, **given: Any) -> int:  # noqa: ANN401
        outcome = function(Call(cwd, is_json), **given)  # type: ignore[call-arg]
        show(outcome, is_json=is_json)
        return outcome.status

    called.__click_params__ = [  # type: ignore[attr-defined]
        _json_option(),
        _cwd_option(),
        *getattr(function, "__click_params__", []),
    ]
    # In a raw docstring, `\b` keeps the lines below it from being refilled.
    taught = inspect.cleandoc(function.__doc__ or "").replace("\\b\n", "\b\n")
    return click.command(
        function.__name__.rstrip("_"),
        help=taught,
        context_settings={
            "max_content_width": WIDTH,
            "show_default": True,
            "help_option_names": HELP_OPTIONS,
        },
    )(called)


def show(outcome: Outcome, *, is_json: bool) -> None:
    """Print an outcome in the form that is wanted."""
    if is_json:
        output.line(document.rendered(outcome.value))
    elif outcome.raw is not None and not output.is_terminal():
        output.raw(outcome.raw)
    elif outcome.text:
        is_coloured = style.has_colour(is_terminal=output.is_terminal())
        text = outcome.text if is_coloured else click.unstyle(outcome.text)
        output.line(text)
    for complaint in outcome.complaints:
        output.complain(style.safe(complaint))


def _json_option() -> click.Option:
    return click.Option(
        ["--json", "is_json"],
        is_flag=True,
        help="Print one JSON document on stdout and nothing else.",
    )


def _cwd_option() -> click.Option:
    return click.Option(
        ["--cwd"],
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        default=".",
        show_default=False,
        metavar="DIR",
        help="Work as if called from this folder.",
    )
