"""Start, stop and ask the daemon, and say in lines how it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome
from gitmem.cli.style import faint, good, listed, safe, safe_lines, worrying
from gitmem.errors import ErrorClass, NoDaemon
from gitmem.log import last_lines
from gitmem.service.notices import NAMED, age, counted

if TYPE_CHECKING:
    from gitmem.daemon.status import DaemonStatus, JobStatus
    from gitmem.sync.standing import Standing

ERRAND_SECONDS: Final = 120.0
# The jobs that ask the remote.
_EXCHANGE: Final = frozenset({"pull", "push"})
# What would stand there twice, as the sessions themselves are listed too.
_NAMES: Final = {"sessions": "orphans"}
_MINUTE_SECONDS: Final = 60
_INDENT: Final = " " * 14


def run(call: Call, *, stays: bool) -> Outcome:
    """Be the daemon."""
    from gitmem.daemon import lifecycle

    pid = lifecycle.run(lifecycle.Wish(call.cwd.resolve(), stays=stays))
    if pid is None:
        # Its log says when and why, and is where its output goes.
        return Outcome({"pid": None, "outcome": "left"})
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
    from gitmem.daemon import door, units

    service = call.service()
    pid = door.stop(service)
    if pid is None:
        return Outcome({"pid": None}, "No daemon runs.")
    standing = service.status()
    refused, next_step = standing.record.refused, ""
    lines = [f"Stopped; {_left_behind(standing)}."]
    lines += [f"Left out: {safe(each.path)}: {safe(each.reason)}" for each in refused]
    if standing.uncommitted > len(refused) or standing.unpushed:
        next_step = "gitmem sync"
        lines.append(f"Next:    {next_step}")
    if units.installed(service.rooms.home) is not None:
        lines.append(f"The system starts it again, unless: {units.stopping()}")
    value = {
        "pid": pid,
        "uncommitted": standing.uncommitted,
        "refused": refused,
        "unpushed": standing.unpushed,
        "next_step": next_step,
    }
    return Outcome(value, "\n".join(lines))


def status(call: Call) -> Outcome:
    """Say how the daemon is, and what waits."""
    from gitmem.daemon import door

    service, now = call.service(), datetime.now(UTC)
    try:
        found, why = door.ask_status(service), ""
    except NoDaemon as error:
        found, why = None, f"{_begun(error.message)}\n{_INDENT}{error.hint}"
    standing = service.status()
    trouble = _trouble(standing, found)
    lines = [
        *_daemon_lines(found, why, now, _told_below(standing, trouble)),
        *_waiting_lines(standing, trouble, now, is_pushing=_is_pushing(found)),
    ]
    complaints = words.overdue(standing, now)
    is_waiting = bool(complaints or standing.record.held)
    value = {
        "daemon": found,
        "unpushed": standing.unpushed,
        "oldest_unpushed": standing.oldest_unpushed,
        "uncommitted": standing.uncommitted,
        "is_pushing": _is_pushing(found),
        "conflicts": standing.conflicts,
        "refused": standing.record.refused,
        "error_class": trouble.kind if trouble else None,
        "reason": trouble.message if trouble else "",
        "next_step": _next_step(standing, trouble),
    }
    return Outcome(value, "\n".join(lines), complaints, int(is_waiting))


def logs(call: Call, lines: int) -> Outcome:
    """Give the last lines of the daemon's log."""
    from gitmem.daemon.lifecycle import LOG_NAME

    state = call.service().rooms.state
    last = last_lines(state, lines, name=LOG_NAME)
    text = "\n".join(map(safe, last)) or "The daemon has written nothing yet."
    return Outcome({"path": state / LOG_NAME, "lines": last}, text)


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
    then = f"Next:    {unit.next_step}" if unit.next_step else "It is stopped."
    return Outcome(unit, f"Removed: {safe(str(unit.path))}\n{then}")


def _begun(sentence: str) -> str:
    """Let a sentence go on after a name."""
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def _left_behind(standing: "Standing") -> str:
    """Say what a daemon that stopped leaves for later, or that it is nothing."""
    uncommitted, unpushed = standing.uncommitted, standing.unpushed
    waits = [
        f"{counted(uncommitted, 'file')} not committed" if uncommitted else "",
        f"{counted(unpushed, 'commit')} not pushed" if unpushed else "",
    ]
    where = "committed and pushed" if standing.url else "committed"
    return ", ".join(filter(None, waits)) or f"everything is {where}"


def _daemon_lines(
    found: "DaemonStatus | None", why: str, now: datetime, told_below: str
) -> Iterator[str]:
    if found is None:
        yield f"daemon:       {safe_lines(why)}"
        return
    since = age(datetime.fromisoformat(found.since), now)
    yield f"daemon:       process {found.pid}, gitmem {found.version}, for {since}"
    yield f"repository:   {safe(found.root)}"
    yield f"files:        {found.watch}"
    named = ", ".join(safe(f"{each.host} {each.id}") for each in found.sessions)
    yield f"sessions:     {named or 'none'}"
    for job in found.jobs:
        name = _NAMES.get(job.name, job.name)
        yield f"{name + ':':<14}{_job(job, now, told_below)}"


def _job(job: "JobStatus", now: datetime, told_below: str) -> str:
    """Say what a job did last, and when it comes again."""
    due = "; at work now" if job.is_running else _due(job.next, now)
    if job.at is None:
        return "at work now" if job.is_running else f"not yet{due}"
    when = f"{age(datetime.fromisoformat(job.at), now)} ago"
    is_said = job.message and job.message != told_below
    said = f": {safe(job.message.rstrip('.'))}" if is_said else ""
    if job.outcome != "failed":
        return f"{when}{said}{faint(due)}"
    kind = f" ({job.error_class})" if job.error_class else ""
    return worrying(f"failed{kind} {when}{said}") + faint(due)


def _due(text: str | None, now: datetime) -> str:
    if text is None:
        return ""
    then = datetime.fromisoformat(text)
    seconds = round((then - now).total_seconds())
    if seconds < 1:
        return "; next now"
    if seconds < _MINUTE_SECONDS:
        return f"; next in {counted(seconds, 'second')}"
    return f"; next in {age(now, then)}"


def _is_pushing(found: "DaemonStatus | None") -> bool:
    jobs = found.jobs if found else ()
    return any(each.name == "push" and each.is_running for each in jobs)


def _told_below(standing: "Standing", trouble: "_Trouble | None") -> str:
    """Give what the reason below says, which is not said twice."""
    return trouble.message if trouble and _next_step(standing, trouble) else ""


@dataclass(frozen=True, slots=True)
class _Trouble:
    """What keeps the memory from being exchanged, and the next step, if it is known."""

    kind: str
    message: str
    next_step: str = ""


def _trouble(standing: "Standing", found: "DaemonStatus | None") -> _Trouble | None:
    """Say what whoever tried last ran into; a daemon's jobs know the most."""
    jobs = [
        each
        for each in (found.jobs if found else ())
        if each.name in _EXCHANGE and each.outcome == "failed"
    ]
    if jobs:
        job = max(jobs, key=lambda each: each.at or "")
        return _Trouble(job.error_class, job.message, job.hint)
    record = standing.record
    steps = [each for each in (record.fetch, record.push) if each.failed_at]
    last = max(steps, key=lambda each: str(each.failed_at), default=None)
    return _Trouble(str(last.error_class), last.message, last.hint) if last else None


def _waiting_lines(
    standing: "Standing",
    trouble: _Trouble | None,
    now: datetime,
    *,
    is_pushing: bool,
) -> Iterator[str]:
    if standing.uncommitted:
        yield f"uncommitted:  {counted(standing.uncommitted, 'file')}"
    for refused in standing.record.refused[:NAMED]:
        yield worrying(f"left out:     {safe(refused.path)}: {safe(refused.reason)}")
    if standing.conflicts:
        copies = counted(len(standing.conflicts), "conflict copy", "conflict copies")
        more = len(standing.conflicts) - NAMED
        rest = f" and {more} more" if more > 0 else ""
        named = listed(standing.conflicts[:NAMED])
        yield worrying(f"to settle:    {copies}: {named}{rest}")
    oldest = standing.oldest_unpushed
    if oldest is None:
        yield good("not pushed:   nothing")
    else:
        commits = counted(standing.unpushed, "commit")
        since = f"{commits}, the oldest for {age(oldest, now)}"
        now_so = "; pushing now" if is_pushing else ""
        yield worrying(f"not pushed:   {since}{now_so}")
    yield from map(worrying, words.question(standing.record.held))
    if _is_asked(standing, trouble):
        return
    step = _next_step(standing, trouble)
    if step and trouble:
        kind = f"{trouble.kind}: " if trouble.kind else ""
        yield worrying(f"why:          {kind}{safe(trouble.message)}")
    if step:
        yield f"next step:    {safe(step)}"


def _next_step(standing: "Standing", trouble: _Trouble | None) -> str:
    """Say the one thing to do about what waits."""
    if _is_asked(standing, trouble):
        return standing.record.held
    if not standing.unpushed and not standing.record.held:
        return ""
    known = trouble.next_step if trouble else ""
    return known or "Run `gitmem sync`."


def _is_asked(standing: "Standing", trouble: _Trouble | None) -> bool:
    """Say whether a decision of the person's is all that is waited for."""
    is_other = trouble is not None and trouble.kind != ErrorClass.DIVERGED
    return bool(standing.record.held) and not is_other
