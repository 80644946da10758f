"""`gitmem write`: create or update one memory."""

import sys

import click

from gitmem.cli import offered, output
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, good


@command
@click.argument("path", shell_complete=offered.memories)
@click.option("--description", help="One line: what it holds and when to read it.")
@click.option(
    "--tag",
    "tags",
    multiple=True,
    shell_complete=offered.tags,
    help="A tag, once for each; they replace those it had.",
)
@click.option(
    "--expected-hash",
    metavar="HASH",
    help="Write only over the text of this hash, as `gitmem read --json` gave it.",
)
def write(
    call: Call,
    path: str,
    description: str | None,
    tags: tuple[str, ...],
    expected_hash: str | None,
) -> Outcome:
    r"""Create or update one memory from standard input.

    The input is a whole file with its frontmatter, or a text alone; then say with
    --description what it holds. On a terminal it is typed, and ended with Ctrl-D. Of a
    memory that is there, fields that are not named stay, and without any input the
    text stays too. What breaks the format or holds a credential is refused. PATH is as
    for `gitmem read`; one below `core/` is told to an agent in every session.

    \b
    Example:  echo "Ship with make ship." |
                gitmem write core/deploy.md --description "how to deploy" --tag deploy
    Next:     gitmem sync

    The memory is on disk at once; it is committed by the next `gitmem sync`.
    """
    fields: dict[str, object] = {}
    if description is not None:
        fields["description"] = description
    if tags:
        fields["tags"] = list(tags)
    service = call.service()
    may_be_absent = bool(fields) and service.exists(path)
    document = _document(may_be_absent=may_be_absent)
    stored = service.write(path, document, fields, expected_hash=expected_hash)
    done = good("Wrote") if stored.is_changed else "Nothing to change in"
    value = {
        "path": stored.path,
        "hash": stored.hash,
        "is_changed": stored.is_changed,
        "is_committed": False,
        "warnings": stored.warnings,
    }
    next_step = "; `gitmem sync` commits it." if stored.is_changed else "."
    text = f"{done} {bold(stored.path)}{next_step}"
    return Outcome(value, text, complaints=stored.warnings)


def _document(*, may_be_absent: bool) -> bytes | None:
    """Read standard input; nothing there means that the text stays."""
    if sys.stdin is None:
        return None if may_be_absent else b""
    if sys.stdin.isatty():
        if may_be_absent:
            return None
        output.complain("Type the memory's text; end it with Ctrl-D on a new line.")
    data = sys.stdin.buffer.read()
    return None if may_be_absent and not data.strip() else data
