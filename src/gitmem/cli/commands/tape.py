"""`gitmem tape`: anchors in sessions, what was said round them, and threads."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from gitmem.cli.command import HELP_OPTIONS, WIDTH, Call, Outcome, command
from gitmem.cli.style import safe_lines

if TYPE_CHECKING:
    from gitmem.service.looking_back import Wanted

_Function = TypeVar("_Function", bound=Callable[..., Any])
_DATES: Final = "DAY DAY"
ACTIONS: Final = (
    *("create", "root", "branch", "update", "archive"),
    *("status", "search", "resume", "checkout"),
)
_HELP: Final = """Set anchors in sessions, look back, go on with threads.

The tape is a look back over the sessions of a project. An anchor is a named place in
one of them; a thread is a tree of such places on one topic. Only these are written,
below `tape/` in the memory repository; what was said is read from the hosts' own
transcripts. Switch it on with `tape.enabled`. Each of these commands takes --json and
--cwd DIR, and teaches itself with --help.

\b
Example:  gitmem tape handoff task/begin --purpose deploy
Next:     gitmem tape read --after-anchor task/begin
"""
_SCOPES: Final = click.Choice(("session", "project"))
_ENTRIES: Final = ("message", "tool_result", "compaction", "custom", "other")


def _text(*names: str, **more: Any) -> Callable[[_Function], _Function]:  # noqa: ANN401
    """Add an option that takes a text, and may be left out."""
    return click.option(*names, default="", show_default=False, **more)


def _part(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which part of the tape is meant."""
    for option in reversed(
        (
            click.option(
                "--last-anchor", is_flag=True, help="From the last anchor on."
            ),
            click.option(
                "--between-anchors",
                nargs=2,
                metavar="ANCHOR ANCHOR",
                help="From one anchor to another.",
            ),
            click.option(
                "--between-dates",
                nargs=2,
                metavar=_DATES,
                help="From a day or moment to another, as 2026-04-01.",
            ),
            click.option(
                "--entry-scope",
                type=_SCOPES,
                default="session",
                help="Whose entries; the project's where the session has none.",
            ),
            click.option(
                "--anchor-scope",
                type=_SCOPES,
                default="session",
                help="Whose anchors; the project's where the session has none.",
            ),
            click.option(
                "--types",
                "--type",
                type=click.Choice(_ENTRIES),
                multiple=True,
                help="Only entries of this type.  [default: message, compaction]",
            ),
            click.option(
                "--limit",
                type=click.IntRange(1, 100),
                default=20,
                help="The most of each kind.",
            ),
        )
    ):
        function = option(function)
    return function


def _action(made: click.Command) -> click.Command:
    """Put a command below `gitmem tape`."""
    tape.add_command(made)
    return made


@click.group(
    help=_HELP,
    context_settings={"max_content_width": WIDTH, "help_option_names": HELP_OPTIONS},
)
def tape() -> None:
    """Gather the commands of the tape."""


@_action
@command
@click.argument("name")
@_text("--summary", help="What it is about, in under 18 words.")
@_text("--purpose", help="One word or two, as `deploy`.")
def handoff(call: Call, name: str, summary: str, purpose: str) -> Outcome:
    r"""Set an anchor where the session is now.

    Typed by a person, it points at the last entry of the session at work in this
    project. An agent may set one unless `tape.anchor.mode` is manual; then a keyword in
    the prompt, or /memory-anchor, allows it once.

    \b
    Example:  gitmem tape handoff task/begin --purpose deploy
    Next:     gitmem tape search
    """
    from gitmem.service import tape_words

    made = call.service().tape.handoff(name, summary, purpose)
    return Outcome(made, safe_lines(tape_words.of_anchor(made, summary, purpose)))


@_action
@command
@click.argument("text", nargs=-1)
@click.option(
    "--kinds",
    "--kind",
    type=click.Choice(("anchor", "entry")),
    multiple=True,
    help="What to look for.  [default: anchors, and entries that hold TEXT]",
)
@_text("--since-anchor", metavar="ANCHOR", help="From this one on.")
@_part
@_text("--scan", metavar="TEXT", help="As TEXT.")
@_text("--anchor-name", metavar="TEXT", help="A part of its name.")
@click.option(
    "--anchor-type",
    type=click.Choice(("session", "handoff", "thread")),
    help="Only anchors of this type.",
)
@_text("--anchor-summary", metavar="TEXT", help="Words of it.")
@_text("--anchor-purpose", metavar="TEXT", help="Words of it.")
@click.option(
    "--anchor-keywords",
    "--anchor-keyword",
    metavar="WORD",
    multiple=True,
    help="A keyword it was set for; each of them, if several.",
)
@click.option(
    "--context-lines",
    type=click.IntRange(0, 5),
    default=0,
    help="Show so many entries before and behind each anchor.",
)
def search(call: Call, /, text: tuple[str, ...], scan: str, **given: Any) -> Outcome:  # noqa: ANN401  click's
    r"""Find anchors, and entries that hold all words of TEXT, the newest first.

    \b
    Example:  gitmem tape search rsync --anchor-type handoff --context-lines 2
    Next:     gitmem tape read --after-anchor ID
    """
    from gitmem.service import tape_words

    wanted = _wanted(given, scan=" ".join((*text, scan)).strip())
    found = call.service().tape.search(wanted)
    return Outcome(found, safe_lines(tape_words.of_searched(found)))


@_action
@command
@click.option(
    "--after-anchor",
    "since_anchor",
    default="",
    metavar="ANCHOR",
    help="What followed.",
)
@_part
@_text("--scan", metavar="TEXT", help="Only entries that hold it.")
@click.option(
    "--max-content-chars",
    type=click.IntRange(min=0),
    default=300,
    help="The most characters of an entry; 0 is all of them.",
)
def read(call: Call, /, scan: str, max_content_chars: int, **given: Any) -> Outcome:  # noqa: ANN401  click's
    r"""Show what was said: behind an anchor, between two, or last.

    An anchor is named by its id or its name; of several, the latest is meant.

    \b
    Example:  gitmem tape read --after-anchor task/begin --limit 40
    Next:     gitmem tape handoff task/end
    """
    from gitmem.service import tape_words

    wanted = _wanted(given, scan=scan, most_characters=max_content_chars or None)
    played = call.service().tape.read(wanted)
    return Outcome(played, safe_lines(tape_words.of_played(played)))


@_action
@command
@click.argument("ids", nargs=-1, required=True)
def delete(call: Call, ids: tuple[str, ...]) -> Outcome:
    r"""Delete anchors by their exact ids: all of them, or none.

    A deleted anchor stays deleted on every machine. A node of a thread is archived
    instead.

    \b
    Example:  gitmem tape delete 1f0c9a77d2b04e11
    Next:     gitmem tape search
    """
    from gitmem.service import tape_words

    swept = call.service().tape.delete(ids)
    return Outcome(swept, safe_lines(tape_words.of_swept(swept)))


@_action
@command
def info(call: Call) -> Outcome:
    r"""Say how long the tape is, and how far back its last anchor lies.

    \b
    Example:  gitmem tape info
    Next:     gitmem tape search
    """
    from gitmem.service import tape_words

    found = call.service().tape.info()
    return Outcome(found, safe_lines(tape_words.of_info(found)))


@_action
@command
@click.option("--archive", is_flag=True, help="Keep the old anchors in a file aside.")
def reset(call: Call, archive: bool) -> Outcome:
    r"""Begin the tape of this project anew; threads stay.

    Without --archive the anchors are deleted. The history of the memory repository
    holds them all the same.

    \b
    Example:  gitmem tape reset --archive
    Next:     gitmem tape info
    """
    from gitmem.service import tape_words

    swept = call.service().tape.reset(archive=archive)
    return Outcome(swept, safe_lines(tape_words.of_swept(swept)))


@_action
@command
@click.argument("action", type=click.Choice(ACTIONS))
@click.argument("text", nargs=-1)
@_text("--thread", metavar="THREAD", help="Id or title of a thread.")
@_text("--node", metavar="NODE", help="Id or name of a node.")
@_text("--name", help="What a new thread or node is called.")
@_text("--summary", help="Where the work stands.")
@_text("--purpose", help="One word or two.")
@click.option(
    "--decisions", "--decision", metavar="TEXT", multiple=True, help="Decided."
)
@click.option("--next", metavar="TEXT", multiple=True, help="What is to be done next.")
@click.option("--files", "--file", metavar="PATH", multiple=True, help="Worked on.")
@click.option("--memories", "--memory", metavar="PATH", multiple=True, help="To read.")
@click.option("--state", type=click.Choice(("active", "done", "archived")))
@click.option(
    "--budget",
    type=click.IntRange(min=200),
    default=4_000,
    help="With resume: the most characters.",
)
def thread(call: Call, /, action: str, text: tuple[str, ...], **given: Any) -> Outcome:  # noqa: ANN401  click's
    r"""Work on threads: trees of anchors on one topic, with a HEAD.

    `create` begins a thread called --name, `root` adds a root to it, `branch` a node
    below HEAD. `update` adds decisions, files and memories to a node, and replaces its
    summary, state and next steps; --next, --decisions, --files and --memories may be
    given several times. `checkout` moves HEAD to --node. `status` shows threads,
    `search` those that hold TEXT. `resume` shows what one has to know to go on.
    `archive` puts a thread away until it is worked on again.

    Without --thread the one that was touched last is meant, without --node its HEAD.

    \b
    Example:  gitmem tape thread create --name deploy --summary "move it to rsync"
              gitmem tape thread branch --name retries --next "test them"
    Next:     gitmem tape thread resume
    """
    from gitmem.service import tape_words
    from gitmem.service.weaving import Said

    state = given.pop("state") or ""
    said = Said(query=" ".join(text), state=state, **given)
    woven = call.service().tape.thread(action, said)
    return Outcome(woven, safe_lines(tape_words.of_woven(woven)))


def _wanted(given: dict[str, Any], *, scan: str, **more: Any) -> "Wanted":  # noqa: ANN401
    """Read the options that say which part of the tape is meant, and what of it."""
    from gitmem.service.looking_back import Wanted
    from gitmem.tape.span import Marks, Span

    span = Span(
        given["since_anchor"],
        given["last_anchor"],
        given["between_anchors"] or None,
        given["between_dates"] or None,
        given["entry_scope"],
        given["anchor_scope"],
    )
    marks = Marks(
        name=given.get("anchor_name", ""),
        type=given.get("anchor_type") or "",
        summary=given.get("anchor_summary", ""),
        purpose=given.get("anchor_purpose", ""),
        keywords=given.get("anchor_keywords", ()),
        scan=scan,
    )
    return Wanted(
        span,
        marks,
        given.get("kinds", ()),
        given["types"],
        given["limit"],
        given.get("context_lines", 0),
        **more,
    )
