"""Start, stop and ask the daemon, and say in lines how it is."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome
from gitmem.cli.style import faint, good, safe, worrying
from gitmem.errors import NoDaemon
from gitmem.service.notices import age, counted

if TYPE_CHECKING:
    from gitmem.daemon.status import DaemonStatus, JobStatus
    from gitmem.sync.standing import Standing

ERRAND_SECONDS = 120.0


def run(call: Call, *, stays: bool) -> Outcome:
    """Be the daemon."""
    from gitmem.daemon import lifecycle

    pid = lifecycle.run(lifecycle.Wish(call.cwd.resolve(), stays=stays))
    if pid is None:
        return Outcome({"pid": None, "outcome": "left"}, "The daemon left.")
    other = f" (process {pid})" if pid else ""
    return Outcome(
        {"pid": pid or None, "outcome": "another lives"},
        f"A daemon of this repository lives already{other}.",
    )


def errand(call: Call) -> Outcome:
    """Do what a daemon would do now, and leave."""
    from gitmem.daemon import lifecycle

    lifecycle.errand(call.cwd.resolve(), wait_seconds=ERRAND_SECONDS)
    return Outcome({"outcome": "done"}, "Done.")


def start(call: Call) -> Outcome:
    """Start a daemon."""
    from gitmem.daemon import door

    found, is_new = door.start(call.service())
    text = "Started" if is_new else "It runs already"
    return Outcome(found, f"{text}: process {found.pid}.")


def stop(call: Call) -> Outcome:
    """Stop the daemon."""
    from gitmem.daemon import door

    pid = door.stop(call.service())
    text = "No daemon runs." if pid is None else "Stopped; everything is committed."
    return Outcome({"pid": pid}, text)


def status(call: Call) -> Outcome:
    """Say how the daemon is, and what waits."""
    from gitmem.daemon import door

    service, now = call.service(), datetime.now(UTC)
    try:
        found, why = door.ask_status(service), ""
    except NoDaemon as error:
        found, why = None, f"{error.message} {error.hint}"
    standing = service.status()
    lines = [*_daemon_lines(found, why, now), *_waiting_lines(standing, found, now)]
    complaints = words.overdue(standing, now)
    value = {
        "daemon": found,
        "unpushed": standing.unpushed,
        "oldest_unpushed": standing.oldest_unpushed,
        "uncommitted": standing.uncommitted,
        "error_class": standing.record.push.error_class
        or standing.record.fetch.error_class,
        "next_step": _next_step(standing, found),
    }
    return Outcome(value, "\n".join(lines), complaints, int(bool(complaints)))


def logs(call: Call, lines: int) -> Outcome:
    """Give the last lines of the daemon's log."""
    from gitmem.daemon.lifecycle import LOG_NAME

    path = call.service().rooms.state / LOG_NAME
    try:
        found = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        found = []
    last = found[-lines:]
    text = "\n".join(map(safe, last)) or "The daemon has written nothing yet."
    return Outcome({"path": path, "lines": last}, text)


def install(call: Call) -> Outcome:
    """Have the system start the daemon when the person logs in."""
    from gitmem.daemon import units

    unit = units.install(call.service().rooms)
    return Outcome(unit, f"Written: {safe(str(unit.path))}\nNext:    {unit.next_step}")


def uninstall(_: Call) -> Outcome:
    """Have the system start it no more."""
    from gitmem.daemon import units

    unit = units.uninstall()
    if unit is None:
        return Outcome({"path": None}, "Nothing was installed.")
    return Outcome(unit, f"Removed: {safe(str(unit.path))}\nNext:    {unit.next_step}")


def _daemon_lines(
    found: "DaemonStatus | None", why: str, now: datetime
) -> Iterator[str]:
    if found is None:
        yield f"daemon:       none; {safe(why)}"
        return
    since = age(datetime.fromisoformat(found.since), now)
    yield f"daemon:       process {found.pid}, gitmem {found.version}, for {since}"
    yield f"repository:   {safe(found.root)}"
    yield f"files:        {found.watch}"
    named = ", ".join(safe(f"{each.host} {each.id}") for each in found.sessions)
    yield f"sessions:     {named or 'none'}"
    for job in found.jobs:
        yield f"{job.name + ':':<14}{_job(job, now)}"


def _job(job: "JobStatus", now: datetime) -> str:
    """Say what a job did last, and when it comes again."""
    due = _due(job.next, now)
    if job.at is None:
        return f"not yet{due}"
    when = f"{age(datetime.fromisoformat(job.at), now)} ago"
    said = f": {safe(job.message)}" if job.message else ""
    if job.outcome != "failed":
        return f"{when}{said}{faint(due)}"
    kind = f" ({job.error_class})" if job.error_class else ""
    return worrying(f"failed{kind} {when}{said}") + faint(due)


def _due(text: str | None, now: datetime) -> str:
    if text is None:
        return ""
    seconds = (datetime.fromisoformat(text) - now).total_seconds()
    return f"; next in {max(seconds, 0):.0f} s"


def _waiting_lines(
    standing: "Standing", found: "DaemonStatus | None", now: datetime
) -> Iterator[str]:
    if standing.uncommitted:
        yield f"uncommitted:  {counted(standing.uncommitted, 'file')}"
    oldest = standing.oldest_unpushed
    if not standing.unpushed or oldest is None:
        yield good("not pushed:   nothing")
        return
    commits = counted(standing.unpushed, "commit")
    yield worrying(f"not pushed:   {commits}, the oldest for {age(oldest, now)}")
    push = standing.record.push
    trouble = push if push.failed_at else standing.record.fetch
    if trouble.failed_at:
        yield worrying(f"why:          {trouble.error_class}: {safe(trouble.message)}")
    yield f"next step:    {safe(_next_step(standing, found))}"


def _next_step(standing: "Standing", found: "DaemonStatus | None") -> str:
    """Say the one thing to do about what waits."""
    if not standing.unpushed:
        return ""
    hints = [job.hint for job in found.jobs if job.hint] if found else []
    return hints[0] if hints else "Run `gitmem sync`."
