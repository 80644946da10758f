"""Say what tools found or did, in few words; pure.

What a memory or a remote holds is data to whoever reads it, so all of it is fenced.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

from gitmem.delivery import fence
from gitmem.mcp_server import answers
from gitmem.memory.frontmatter.read import read
from gitmem.memory.load import tags_of
from gitmem.secrets import mask
from gitmem.service import packet_words
from gitmem.service.notices import age, counted, has_joined, took_in

if TYPE_CHECKING:
    from gitmem.catalog.ripgrep import Grepped
    from gitmem.catalog.search import Answer
    from gitmem.errors import GitmemError
    from gitmem.memory.store import Stored
    from gitmem.service.answers import Health, Text
    from gitmem.service.packet_answers import Filed, Recollection
    from gitmem.sync.report import Report
    from gitmem.sync.standing import Standing

NAMED: Final = 10
FINDINGS: Final = 50
BODY_LIMIT: Final = 60_000
SHORT: Final = 12


def of_error(error: "GitmemError") -> str:
    """Say what failed, and what to do next."""
    said = filter(None, (mask(error.message), mask(error.hint)))
    return "\n".join(map(fence.text, said))


def of_report(action: str, report: "Report") -> answers.Synced:
    """Say what an exchange did."""
    lines = list(_report_lines(report)) or ["Everything is in sync."]
    return answers.Synced(
        action=action, lines=lines, needs_attention=list(_left_over(report))
    )


def of_standing(standing: "Standing", now: datetime) -> answers.Synced:
    """Say where the memory stands."""
    record = standing.record
    url = fence.line(standing.url) if standing.url else "none"
    since = standing.oldest_unpushed
    waiting = f", the oldest for {age(since, now)}" if since else ""
    lines = [
        f"remote: {url}",
        f"uncommitted: {counted(standing.uncommitted, 'file')}",
        f"not pushed: {counted(standing.unpushed, 'commit')}{waiting}",
    ]
    steps = (("commit", record.commit), ("fetch", record.fetch), ("push", record.push))
    failed = [
        f"the last {name} failed: {fence.line(step.message)}"
        for name, step in steps
        if step.failed_at
    ]
    copies = [f"to settle: {fence.name(str(each))}" for each in standing.conflicts]
    refused = [_refused(each.path, each.reason) for each in record.refused]
    held = [f"waits for a person: {fence.line(record.held)}"] if record.held else []
    return answers.Synced(
        action="status",
        lines=lines,
        needs_attention=[*failed, *copies[:NAMED], *refused[:NAMED], *held],
    )


def of_answer(answer: "Answer") -> answers.Found:
    """List what a search found."""
    return answers.Found(
        hits=[
            answers.Hit(
                path=fence.name(str(hit.path)),
                description=fence.line(hit.description),
                tags=[fence.line(tag) for tag in hit.tags],
                snippet=fence.line(hit.snippet),
                over=fence.line(hit.over),
            )
            for hit in answer.hits
        ],
        nearest_tags=[fence.line(each.tag) for each in answer.nearest_tags],
        newest=[
            f"{fence.name(str(row.path))}: {fence.line(row.description)}"
            for row in answer.newest
        ],
        other_layers=[
            f"{fence.name(each.layer)}: {counted(each.hits, 'hit')}"
            for each in answer.elsewhere
        ],
    )


def of_lines(found: "Grepped") -> answers.Found:
    """List the lines that match a pattern."""
    lines = [
        answers.Line(
            path=fence.name(str(line.path)),
            line=line.number,
            text=fence.line(line.text),
        )
        for line in found.lines
    ]
    return answers.Found(lines=lines, is_cut=found.is_cut)


def found_text(found: answers.Found) -> str:
    """Say in a text what was found."""
    return "\n".join(_found_lines(found)) or "Nothing found."


def of_health(health: "Health", now: datetime) -> answers.Checked:
    """Say how the memory repository is, and what is to mend."""
    findings = health.checked.findings
    standing = of_standing(health.standing, now)
    troubles = [*health.problems, *health.refused, *standing.needs_attention]
    return answers.Checked(
        directory=fence.name(str(health.root)),
        project_layer=fence.name(health.project_layer),
        shared_layer=fence.name(health.shared_layer or ""),
        memories=health.checked.memories,
        findings=[
            answers.Finding(
                path=fence.name(str(each.path)),
                line=each.line,
                severity=each.severity.value,
                code=each.code,
                message=fence.line(each.message),
            )
            for each in findings[:FINDINGS]
        ],
        findings_left_out=max(0, len(findings) - FINDINGS),
        state=[*standing.lines, *(fence.line(str(each)) for each in troubles)],
    )


def checked_text(checked: answers.Checked) -> str:
    """Say in a text how the memory repository is."""
    layers = ", ".join(filter(None, (checked.project_layer, checked.shared_layer)))
    lines = [
        f"{checked.directory}: {counted(checked.memories, 'memory', 'memories')}",
        f"layers used here: {layers or 'none'}",
        *checked.state,
        *(
            f"{each.path}:{each.line}: {each.severity}: {each.message} ({each.code})"
            for each in checked.findings
        ),
    ]
    if checked.findings_left_out:
        lines.append(f"and {checked.findings_left_out} more; name a directory")
    return "\n".join(lines)


def of_memory(found: "Text") -> answers.Memory:
    """Give a memory: its fields, and its text with what could act in it shown."""
    document = read(found.data)
    body = document.body_text[:BODY_LIMIT]
    fenced = fence.text(body)
    return answers.Memory(
        path=fence.name(str(found.path)),
        hash=found.hash,
        description=fence.line(str(document.fields.get("description", ""))),
        tags=[fence.line(tag) for tag in tags_of(document.fields)],
        body=fenced,
        is_exact=fenced == document.body_text.replace("\r\n", "\n"),
        is_cut=len(body) < len(document.body_text),
    )


def memory_text(memory: answers.Memory) -> str:
    """Show a memory as what it is: a note, and no order."""
    notes = [
        "" if memory.is_exact else "Not to the letter: do not write this text back.",
        "Cut: search for a part of it with `grep`." if memory.is_cut else "",
    ]
    return "\n".join(
        [
            f'<memory_file path="{fence.attribute(memory.path)}" hash="{memory.hash}">',
            f"description: {memory.description}",
            f"tags: {', '.join(memory.tags)}",
            "",
            memory.body.rstrip("\n"),
            "</memory_file>",
            *filter(None, notes),
        ]
    )


def of_stored(stored: "Stored") -> answers.Outcome:
    """Say what was written."""
    return answers.Outcome(
        status="written" if stored.is_changed else "unchanged",
        path=fence.name(str(stored.path)),
        hash=stored.hash,
        warnings=[fence.line(each) for each in stored.warnings],
    )


def of_filed(filed: "Filed") -> answers.Outcome:
    """Say which packet was written."""
    return answers.Outcome(
        status="written",
        path=fence.name(str(filed.path)),
        hash=filed.hash,
        warnings=[fence.line(each) for each in filed.warnings],
    )


def of_recalled(found: "Recollection") -> answers.Recollection:
    """List what was recalled."""
    return answers.Recollection(
        advice=packet_words.ADVICE if found.hits else "",
        hits=[
            answers.Recalled(
                path=fence.name(str(hit.path)),
                kind=hit.kind,
                title=fence.line(hit.title),
                day=hit.day.isoformat(),
                tags=[fence.line(tag) for tag in hit.tags],
                description=fence.line(hit.description),
                why=[fence.line(each) for each in hit.why],
            )
            for hit in found.hits
        ],
        among=found.among,
        nearest_tags=[fence.line(tag) for tag in found.nearest_tags],
    )


def outcome_text(outcome: answers.Outcome) -> str:
    """Say in a text what became of a write."""
    said = {
        "written": f"Wrote {outcome.path}; its hash is {outcome.hash[:SHORT]}.",
        "unchanged": f"{outcome.path} says all of that already.",
        "declined": f"The person declined: {outcome.path} was not written.",
        "cancelled": f"The person was not there to agree: {outcome.path} was not "
        "written. Ask in the conversation before you try again.",
        "unconfirmed": f"{outcome.path} is NOT written yet. Show the person what would "
        "be written. When they agree, repeat exactly this call with "
        f"`confirm`: {outcome.confirm}",
    }
    return "\n".join([said[outcome.status], *outcome.warnings])


def _found_lines(found: answers.Found) -> Iterator[str]:
    for number, hit in enumerate(found.hits, start=1):
        yield f"{number}. {hit.path}: {hit.description}"
        if hit.over:
            yield f"   not current ({hit.over})"
        if hit.snippet:
            yield f"   {hit.snippet}"
    for line in found.lines:
        yield f"{line.path}:{line.line}: {line.text}"
    if found.is_cut:
        yield "There are more lines; narrow the pattern."
    if not found.hits and (found.nearest_tags or found.newest):
        yield "Nothing found."
    yield from _listed("Tags like it", found.nearest_tags)
    yield from _listed("The newest memories", found.newest)
    yield from _listed("In other layers", found.other_layers)


def _listed(title: str, items: Iterable[str]) -> Iterator[str]:
    if named := "; ".join(items):
        yield f"{title}: {named}"


def _report_lines(report: "Report") -> Iterator[str]:
    if report.skipped:
        yield f"Nothing asked of the remote: {fence.line(report.skipped)}."
    if report.committed:
        yield f"Committed {report.committed[:SHORT]}."
    if has_joined(report):
        yield "Merged what another machine wrote with what was here."
    if report.applied:
        what = took_in(len(report.applied), len(report.gone))
        yield f"Took in {what}: {_some(report.applied)}"
    if report.pushed:
        yield "Pushed."


def _left_over(report: "Report") -> Iterator[str]:
    for copy in report.copies[:NAMED]:
        yield f"both sides wrote the same lines; settle {fence.name(str(copy))}"
    for each in report.refused[:NAMED]:
        yield _refused(each.path, each.reason)
    if report.held:
        yield f"waits for a person: {fence.line(report.held)}"


def _refused(path: object, reason: str) -> str:
    return f"not committed: {fence.name(str(path))}: {fence.line(reason)}"


def _some(paths: "Iterable[object]") -> str:
    names = [fence.name(str(path)) for path in paths]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
