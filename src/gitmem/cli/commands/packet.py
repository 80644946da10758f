"""`gitmem packet`: what sessions hand over, or note in the middle of their work."""

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from gitmem.cli import offered
from gitmem.cli.command import HELP_OPTIONS, WIDTH, Call, Outcome, command
from gitmem.cli.style import safe_lines
from gitmem.errors import NotFound, UsageError
from gitmem.files.names import shown

if TYPE_CHECKING:
    from gitmem.service.answers import Text
    from gitmem.service.packet_answers import Wanted

_Function = TypeVar("_Function", bound=Callable[..., Any])
KINDS: Final = ("handoff", "checkpoint")
_LIMIT: Final = 20
_HELP: Final = """Hand work over to a later session, and see what was.

A handoff ends a session or a piece of work, a checkpoint notes where it stands. The
agent that lived the session says what happened; gitmem adds session, thread, branch,
commit and files, and keeps each packet as one Markdown file below `packets/` in the
project's layer. `gitmem recall` finds them again. Each of these commands takes --json
and --cwd DIR, and teaches itself with --help.

\b
Example:  gitmem packet new --topic "auth refactor" --summary "JWT for cookies"
Next:     gitmem recall auth
"""


def _text(name: str, text: str) -> Callable[[_Function], _Function]:
    """Add an option for a field that is one text."""
    return click.option(name, metavar="TEXT", help=text)


def _list(plural: str, single: str, text: str) -> Callable[[_Function], _Function]:
    """Add an option for a field that is a list: given once for each item."""
    return click.option(plural, single, metavar="TEXT", multiple=True, help=text)


def _kind(function: _Function) -> _Function:
    """Add the option that chooses among packets by kind."""
    choice = click.Choice(KINDS)
    return click.option("--kind", type=choice, help="Only packets of this kind.")(
        function
    )


def _filters(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose among packets."""
    for option in (
        click.option("--since", metavar="DATE", help="On or after it: 2026-04-30."),
        click.option(
            "--tags",
            metavar="A,B",
            shell_complete=offered.packet_tags,
            help="All of these tags.",
        ),
        _kind,
    ):
        function = option(function)
    return function


def _action(made: click.Command) -> click.Command:
    """Put a command below `gitmem packet`."""
    packet.add_command(made)
    return made


@click.group(
    help=_HELP,
    context_settings={"max_content_width": WIDTH, "help_option_names": HELP_OPTIONS},
)
def packet() -> None:
    """Gather the commands of packets."""


@_action
@command
@click.option(
    "--kind", type=click.Choice(KINDS), help="What it is.  [default: handoff]"
)
@_text("--topic", "Handoff, required: what it is about, in 160 characters.")
@_text("--summary", "Required: what one has to know, in 800 characters.")
@click.option("--tags", metavar="A,B", help="At most 24.")
@_list("--files", "--file", "A file that matters, relative to the project.")
@_text("--goal", "Handoff: what the work is for.")
@_list("--decisions", "--decision", "Handoff: decided.")
@_list("--commands", "--command", "Handoff: run, and worth knowing.")
@_list("--blockers", "--blocker", "Handoff: in the way.")
@_list("--questions", "--question", "Handoff: open.")
@_text("--task", "Checkpoint, required: what is being done, and the topic.")
@_list("--changes", "--change", "Checkpoint: new since the last one.")
@_text("--risk", "Checkpoint: what may go wrong now.")
@_list("--pending", "--pending-decision", "Checkpoint: still to be decided.")
@_text("--next", "The next step.")
@click.option("--stdin", "is_piped", is_flag=True, help="Read JSON as well.")
def new(call: Call, /, kind: str | None, is_piped: bool, **given: Any) -> Outcome:  # noqa: ANN401  click's
    r"""Write a packet, from options, from JSON on standard input, or from both.

    The JSON is one object with the fields by their names here. It is read where no
    field is given as an option, or with --stdin; an option goes before it. What is too
    long, a path outside the project, an unknown field and a credential are refused, and
    nothing is cut. Files that Git sees changed are added, up to 128.

    \b
    Example:  gitmem packet new --topic "auth refactor" --tags auth,backend
                --summary "JWT for cookies" --decision "an hour of life"
              gitmem packet new < packet.json
    Next:     gitmem sync

    The packet is on disk at once; it is committed by the next `gitmem sync`.
    """
    from gitmem.service import packet_words
    from gitmem.service.packet_answers import Said

    tags = given.pop("tags")
    typed = {name: value for name, value in given.items() if value}
    if tags:
        typed["tags"] = split(tags)
    piped = _piped() if is_piped or not typed else {}
    named = piped.pop("kind", KINDS[0])
    fields = {**piped, **{name: _plain(value) for name, value in typed.items()}}
    filed = call.service().packets.archive(Said(kind or str(named), fields))
    said = f"{packet_words.of_filed(filed)} `gitmem sync` commits it."
    return Outcome(filed, safe_lines(said), complaints=filed.warnings)


@_action
@command
@_filters
@click.option("--limit", type=click.IntRange(1), default=_LIMIT)
def list(  # noqa: A001  what a person types
    call: Call, kind: str | None, since: str | None, tags: str | None, limit: int
) -> Outcome:
    r"""List packets, the newest first.

    \b
    Example:  gitmem packet list --kind handoff --since 2026-04-01
    Next:     gitmem packet show PATH
    """
    from gitmem.service import packet_words

    asked = wanted("", tags=tags, since=since, kind=kind, limit=limit)
    found = call.service().packets.list(asked)
    return Outcome({"packets": found}, safe_lines(packet_words.of_shelved(found)))


@_action
@command
@click.argument("path", required=False, shell_complete=offered.packets)
def show(call: Call, path: str | None) -> Outcome:
    r"""Print a packet; without PATH, the newest.

    \b
    Example:  gitmem packet show
    Next:     gitmem packet list
    """
    service = call.service()
    found = service.read(path or str(service.packets.newest()))
    _require_packet(found)
    text = found.data.decode("utf-8", "replace")
    value = {"path": found.path, "hash": found.hash, "text": text}
    return Outcome(value, safe_lines(text.removesuffix("\n")), raw=found.data)


@_action
@command
def index(call: Call) -> Outcome:
    r"""Print the index of packets that pi-warm-memory and others read.

    It is JSON, one object a line: a header, and one line for each packet of this
    project, the oldest first. Their paths are relative to the project's layer.

    \b
    Example:  gitmem packet index > index.jsonl
    """
    from gitmem.packets import index as lines

    entries = [*call.service().packets.index()]
    return Outcome({"entries": entries}, "\n".join(lines.lines(entries)))


def _require_packet(found: "Text") -> None:
    """Refuse another memory; what lies among packets and is broken may be seen."""
    from gitmem.memory.layout import is_packet
    from gitmem.packets.read import read

    if not is_packet(found.path) and read(found.data) is None:
        raise NotFound(
            f"{shown(str(found.path))} is no packet.",
            "`gitmem packet list` lists the packets; `gitmem read` prints any memory.",
        )


def wanted(
    query: str,
    *,
    tags: str | None,
    since: str | None,
    kind: str | None,
    limit: int,
    kinds: tuple[str, ...] = ("packet",),
) -> "Wanted":
    """Read the options that choose among packets. Raises UsageError for a bad date."""
    from gitmem.packets.check import day
    from gitmem.service.packet_answers import Wanted

    return Wanted(
        query=query,
        tags=tuple(split(tags or "")),
        since=day(since) if since is not None else None,
        kind=kind or "",
        kinds=kinds,
        limit=limit,
    )


def split(tags: str) -> tuple[str, ...]:
    """Cut a list of tags at its commas."""
    return tuple(tag.strip() for tag in tags.split(",") if tag.strip().lstrip("#"))


def _plain(value: object) -> object:
    return [*value] if isinstance(value, tuple) else value


def _piped() -> dict[str, object]:
    """Read fields from standard input, unless a person would have to type them."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    data = sys.stdin.buffer.read()
    if not data.strip():
        return {}
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            "Standard input is no JSON.",
            'Give one object, such as {"topic": "…", "summary": "…"}.',
        ) from error
    if not isinstance(found, dict):
        raise UsageError(
            "Standard input is no JSON object.",
            'Give one object, such as {"topic": "…", "summary": "…"}.',
        )
    return {str(name): value for name, value in found.items() if value is not None}
