"""`gitmem check`: look at everything, mend what is safe."""

from collections.abc import Iterator
from datetime import UTC, datetime

import click

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bad, bold, faint, good, listed, safe, worrying
from gitmem.files.names import shown
from gitmem.memory.findings import Finding
from gitmem.memory.memory import Severity
from gitmem.service.answers import Health
from gitmem.service.notices import counted

_COLOURS = {Severity.ERROR: bad, Severity.WARNING: worrying, Severity.NOTE: faint}


@command
@click.argument("folder", metavar="[DIR]", required=False, default="")
@click.option("--fix", is_flag=True, help="Mend what needs no judgement, file by file.")
def check(call: Call, folder: str, fix: bool) -> Outcome:
    r"""Look at the repository, its files and its sync.

    Each finding names the file, the line, and a code; the status is 1 while there are
    errors. DIR narrows the files to a folder of this project's layer, or of the
    repository. --fix changes only what it can change without guessing, and no other
    byte.

    \b
    Example:  gitmem check
    Next:     gitmem check --fix
    """
    health = call.service().check(folder, fix=fix)
    errors = [each for each in _findings(health) if each.severity is Severity.ERROR]
    complaints = (f"{counted(len(errors), 'error')} to mend.",) if errors else ()
    text = "\n".join(_lines(health))
    return Outcome(health, text, complaints, int(bool(errors)))


def _findings(health: Health) -> tuple[Finding, ...]:
    return health.checked.findings


def _lines(health: Health) -> Iterator[str]:
    checked = health.checked
    yield f"repository:   {bold(health.root)}"
    yield f"layers:       {listed(each.name for each in checked.layers) or 'none yet'}"
    shared = health.shared_layer or "none"
    project = health.project_layer or "none"
    yield f"this project: {safe(project)}; shared: {safe(shared)}"
    yield f"memories:     {checked.memories}"
    yield words.of_standing(health.standing, datetime.now(UTC))
    for problem in health.problems:
        yield worrying(problem)
    for refusal in health.refused:
        yield worrying(refusal)
    for mended in health.mended:
        what = listed(mended.codes) or f"left: {safe(mended.left_because)}"
        yield good(f"mended {shown(str(mended.path))}: {what}")
    for found in _findings(health):
        name = shown(str(found.path))
        place = f"{name}:{found.line}" if found.line else name
        paint = _COLOURS[found.severity]
        label = paint(f"{found.severity.value}:")
        yield f"{bold(place)}: {label} {safe(found.message)} {faint(found.code)}"
    if not checked.findings:
        yield good("Nothing to mend in the files.")
