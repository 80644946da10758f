"""`gitmem doctor`: what keeps gitmem from working."""

from collections.abc import Iterator, Sequence

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bad, good, safe, worrying
from gitmem.service.answers import Diagnosis, Verdict
from gitmem.service.notices import counted

_PAINT = {Verdict.FINE: good, Verdict.WORRY: worrying, Verdict.BROKEN: bad}


@command
def doctor(call: Call) -> Outcome:
    r"""Find what keeps gitmem from working, and the mend.

    Looks at Git, ripgrep, your settings, the folder of the repository, the repository,
    its sync, its remote, which is asked, and its daemon. Changes nothing. The status
    is 1 while something is broken.

    \b
    Example:  gitmem doctor
    Next:     do what stands behind an arrow, then run it again
    """
    from gitmem.daemon import checkup

    service = call.inspection()
    found = (*service.doctor(), *checkup.examine(service))
    broken = sum(each.verdict is Verdict.BROKEN for each in found)
    complaints = (f"{counted(broken, 'thing')} broken.",) if broken else ()
    text = "\n".join(_lines(found))
    return Outcome({"findings": found}, text, complaints, int(bool(broken)))


def _lines(found: Sequence[Diagnosis]) -> Iterator[str]:
    for each in found:
        mark = _PAINT[each.verdict](f"{each.verdict.value:<7}")
        yield f"{mark} {each.what}: {safe(each.message)}"
        if each.mend:
            yield f"        -> {safe(each.mend)}"
