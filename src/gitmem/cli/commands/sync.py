"""`gitmem sync`: exchange the memory with its remote."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome, command
from gitmem.errors import Diverged, UsageError

if TYPE_CHECKING:
    from gitmem.sync.report import Report
    from gitmem.sync.standing import Standing


@command
@click.argument("action", required=False, type=click.Choice(["pull", "push", "status"]))
@click.option("--force", is_flag=True, help="With pull: fetch however fresh it is.")
@click.option(
    "--accept",
    is_flag=True,
    help="Agree to the rewriting or the many deletions that `gitmem sync` asks about, "
    "there or here.",
)
@click.option(
    "--keep",
    is_flag=True,
    help="Refuse them: keep what was here, bring back what is missing, and push it.",
)
def sync(
    call: Call, action: str | None, force: bool, accept: bool, keep: bool
) -> Outcome:
    r"""Commit, take in what is new, and push.

    `sync pull` sends nothing, and asks nothing of the remote while the last fetch is
    recent. `sync push` takes in only what it must. `sync status` asks nobody.

    Nothing is ever lost: where two machines wrote the same lines, the other side comes
    to lie beside the file as a conflict copy. A file that may not be committed stays
    as it is, is named, and the status is 1.

    Where the remote was rewritten, or more than 20 files and more than a quarter of
    all are deleted there or here, you are asked: nothing of that happens until you say
    --accept or --keep. Each machine asks for itself. `sync status` ends with 1 while
    such a question waits, or when a commit has waited for more than 24 hours.

    \b
    Example:  gitmem sync
    Next:     gitmem log
    """
    _check(action, force=force, accept=accept, keep=keep)
    if action == "status":
        return _status(call)
    from gitmem.sync.plan import Decision

    decision = Decision.ACCEPT if accept else Decision.KEEP if keep else Decision.ASK
    service = call.service()
    try:
        match action:
            case "pull":
                report = service.pull(force=force, decision=decision)
            case "push":
                report = service.push()
            case _:
                report = service.sync(decision=decision)
    except Diverged:
        # A question, not a failure: it is put as any other that waits for the person.
        report = _asked(service.status())
    complaints = words.left_over(report)
    return Outcome(report, words.of_report(report), complaints, int(bool(complaints)))


def _status(call: Call) -> Outcome:
    standing, now = call.service().status(), datetime.now(UTC)
    complaints = words.overdue(standing, now)
    text = words.of_standing(standing, now)
    is_waiting = bool(complaints or standing.record.held)
    return Outcome(standing, text, complaints, int(is_waiting))


def _asked(standing: "Standing") -> "Report":
    from gitmem.sync.report import Report

    return Report(held=standing.record.held)


def _check(action: str | None, *, force: bool, accept: bool, keep: bool) -> None:
    if accept and keep:
        raise UsageError("--accept and --keep exclude each other.", "Choose one.")
    if force and action != "pull":
        raise UsageError(
            "--force goes with `sync pull` only.", "Plain `gitmem sync` always fetches."
        )
    if (accept or keep) and action in {"push", "status"}:
        raise UsageError(
            f"`sync {action}` decides nothing.", "Give --accept or --keep to `sync`."
        )
