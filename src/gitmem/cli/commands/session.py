"""`gitmem session`: what a host says of its sessions."""

from typing import TYPE_CHECKING

import click

from gitmem.cli import complete
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, listed, safe, safe_lines
from gitmem.cli.words import SHORT, left_over
from gitmem.errors import UsageError
from gitmem.lineage import LARGEST_PID

if TYPE_CHECKING:
    from datetime import datetime

    from gitmem.service.answers import Visit
    from gitmem.service.service import Service
    from gitmem.sessions.live import Session
    from gitmem.sync.report import Report

_ACTIONS = ("start", "end", "list", "pause", "resume")
_LATE = "The pull takes longer; what it brings is told at a later turn."


@command
@click.argument("action", type=click.Choice(_ACTIONS))
@click.option(
    "--host",
    metavar="HOST",
    shell_complete=complete.sessions_hosts,
    help="The agent program: claude-code, pi, …",
)
@click.option("--id", "session_id", metavar="ID", help="What the host calls it.")
@click.option("--reason", metavar="WORD", default="", help="Why it starts or ends.")
@click.option(
    "--pid",
    type=click.IntRange(min=1, max=LARGEST_PID),
    metavar="PID",
    help="The host's process: the session ends when that dies.",
)
def session(
    call: Call,
    action: str,
    host: str | None,
    session_id: str | None,
    reason: str,
    pid: int | None,
) -> Outcome:
    r"""Say that a session starts, ends or pauses, or list them.

    `start` prints what the agent is told. A pull that is due begins with it and is
    waited for only as long as pulls usually take, at most `sync.start_wait`; what
    comes later is told at a turn. `end` commits what is there before it returns, and
    has it pushed afterwards. Both may be said twice, and by several hosts at once.
    A session without --pid that gives no sign for 24 hours is ended like one whose
    host died; `list` says how long each has been quiet.

    A session that starts with --reason resume is not told again what it was told
    before. `pause` tells a session nothing until `resume`; what it writes is committed
    all the same. `list` takes --host and --id to show fewer.

    The daemon does this where one runs. Where none does, it is done here, and one is
    started unless `daemon.autostart` is off. It pulls as it begins, and what that
    brings is told at a turn.

    \b
    Example:  gitmem session start --host pi --id 7f3a --pid $PPID
    Next:     gitmem session list
    """
    from gitmem.app import Caller
    from gitmem.service.answers import Visit

    if action == "list":
        return _list(call, host, session_id)
    if not host or not session_id:
        raise UsageError(
            f"`session {action}` needs --host and --id.",
            f"For example: gitmem session {action} --host pi --id 7f3a",
        )
    service = call.service(caller=Caller(host, session_id))
    if action in {"pause", "resume"}:
        return _pause(service, host, session_id, is_paused=action == "pause")
    visit = Visit(host, session_id, reason, pid)
    return _start(service, visit) if action == "start" else _end(service, visit)


def _start(service: "Service", visit: "Visit") -> Outcome:
    from gitmem.daemon import door

    told = door.session_start(service, visit)
    return Outcome(told, safe_lines(told.text), (_LATE,) if told.is_late else ())


def _end(service: "Service", visit: "Visit") -> Outcome:
    from gitmem.daemon import door

    ended = door.session_end(service, visit)
    complaints = left_over(ended.report)
    return Outcome(ended, _ended(ended.report), complaints, int(bool(complaints)))


def _pause(service: "Service", host: str, session: str, *, is_paused: bool) -> Outcome:
    service.session.pause(host, session, is_paused=is_paused)
    is_known = service.rooms.sessions().find(host, session) is not None
    told = "nothing until it is resumed" if is_paused else "again what it may need"
    value = {"is_paused": is_paused, "is_known": is_known}
    if is_known:
        return Outcome(value, f"This session is told {told}.")
    unknown = f"no session of {host} that is at work is called {session}"
    see = "`gitmem session list` says which are"
    return Outcome(value, f"One that starts so is told {told}.", (f"{unknown}; {see}",))


def _ended(report: "Report") -> str:
    if not report.committed:
        return "Nothing new to commit."
    return f"Committed {bold(report.committed[:SHORT])}."


def _list(call: Call, host: str | None, session: str | None) -> Outcome:
    from dataclasses import asdict
    from datetime import UTC, datetime

    from gitmem.service.notices import age

    service, now = call.service(), datetime.now(UTC)
    seen, ledger = service.rooms.sessions().last_seen, service.rooms.ledger()
    found = [
        (each, ledger.read(each.host, each.id).is_paused)
        for each in service.session.live()
        if host in {None, each.host} and session in {None, each.id}
    ]
    lines = [
        f"{safe(each.host)}  {safe(each.id)}  for {age(each.started, now)}"
        f"{_quiet(each, seen(each), now)}{', paused' if is_paused else ''}"
        f"  in {safe(each.cwd)}{_news(each.news)}"
        for each, is_paused in found
    ]
    text = "\n".join(lines) or "No session is at work."
    listed = [{**asdict(each), "is_paused": is_paused} for each, is_paused in found]
    return Outcome({"sessions": listed}, text)


def _quiet(session: "Session", seen: "datetime", now: "datetime") -> str:
    """Say how long a session whose process nobody knows gave no sign of life."""
    from gitmem.service.notices import age
    from gitmem.sessions.live import UNSEEN_FOR

    if session.pid is not None:
        return ""
    is_over = now - seen > UNSEEN_FOR
    ends = "; the daemon or the next session ends it" if is_over else ""
    return f", quiet for {age(seen, now)}{ends}"


def _news(paths: tuple[str, ...]) -> str:
    return f"  (came in since: {listed(paths)})" if paths else ""
