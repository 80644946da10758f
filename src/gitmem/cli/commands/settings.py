"""`gitmem settings`: what holds, and why."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, faint, safe, worrying

if TYPE_CHECKING:
    from gitmem.settings.explain import Explained
    from gitmem.settings.report import Loaded


@command
@click.option(
    "--explain", is_flag=True, help="Say what each means, allows, and was refused."
)
def settings(call: Call, explain: bool) -> Outcome:
    r"""Print every setting, and where its value came from.

    Your settings are in config.toml and in variables such as GITMEM_SYNC__BRANCH. A
    project's .gitmem.toml counts only for what a project may set; what it was refused
    is listed at the end.

    \b
    Example:  gitmem settings --explain
    Next:     edit config.toml, in the folder that the first line names
    """
    loaded, explained = call.inspection().settings()
    value = {
        "config": loaded.folders.config / "config.toml",
        "folders": loaded.folders,
        "settings": explained,
        "refused": loaded.refused,
        "problems": (*loaded.problems, *loaded.inert),
    }
    return Outcome(value, "\n".join(_lines(loaded, explained, is_long=explain)))


def _lines(
    loaded: "Loaded", explained: "Sequence[Explained]", *, is_long: bool
) -> Iterator[str]:
    yield f"Your settings are in {bold(loaded.folders.config / 'config.toml')}"
    for each in explained:
        origin = f"{each.origin.kind.value} {each.origin.place}".strip()
        yield f"{bold(each.key)} = {safe(each.text)}  {faint(f'({origin})')}"
        if is_long:
            yield f"    {safe(each.doc)}"
            if each.is_inert:
                yield "    Not there yet: it changes nothing."
            yield f"    Allowed: {safe(each.allowed)}"
            yield f"    A project may set it: {safe(each.project)}"
            for refusal in each.refused:
                yield f"    {worrying(f'refused: {refusal}')}"
    for problem in (*loaded.problems, *loaded.inert):
        yield worrying(problem)
    for refusal in loaded.refused:
        yield worrying(refusal)
