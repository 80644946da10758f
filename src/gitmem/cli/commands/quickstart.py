"""`gitmem quickstart`: the main job, on this machine alone."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem.cli import output
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, good, has_colour, safe, safe_lines
from gitmem.service.notices import counted

if TYPE_CHECKING:
    from gitmem.cli.exchange import Ending, Scene

_WRONG = "Something did not arrive; please report it with what stands above."


@dataclass(frozen=True, slots=True)
class _Played:
    scenes: "tuple[Scene, ...]"
    ending: "Ending"
    folder: Path | None


@command
@click.option("--keep-folder", is_flag=True, help="Leave the folder to look around in.")
def quickstart(call: Call, keep_folder: bool) -> Outcome:
    r"""See two machines share a memory, in a temporary folder.

    Makes a bare repository as a remote and two machines with homes of their own, and
    lets them write, sync, meet in a conflict, search, and tell an agent. All of it is
    the program itself at work; nothing outside the folder is written.

    \b
    Example:  gitmem quickstart
    Next:     gitmem init
    """
    folder = Path(tempfile.mkdtemp(prefix="gitmem-quickstart-")).resolve()
    try:
        say = _quiet if call.is_json else _say
        played = _play(folder, say)
    finally:
        if not keep_folder:
            shutil.rmtree(folder, ignore_errors=True)
    kept = folder if keep_folder else None
    where = f"The folder is kept: {kept}" if kept else ""
    complaints = () if played.ending.is_well else (_WRONG,)
    value = _Played(played.scenes, played.ending, kept)
    return Outcome(value, where, complaints, int(bool(complaints)))


def _play(folder: Path, say: Callable[[str], None]) -> _Played:
    from gitmem.cli.exchange import Exchange

    exchange = Exchange(folder)
    scenes = []
    for number, scene in enumerate(exchange.scenes(), start=1):
        scenes.append(scene)
        say(bold(f"{number}. {scene.title}"))
        say("".join(f"   {safe(line)}\n" for line in scene.lines))
    ending = exchange.ending()
    same = "the same" if ending.is_identical else "NOT the same"
    say(good(f"Both machines hold {same} {counted(len(ending.files), 'file')}:"))
    say("".join(f"   {safe(name)}\n" for name in ending.files))
    say(bold("What an agent on the desktop is told when its next session starts:"))
    say("")
    say(safe_lines(ending.start_text))
    return _Played(tuple(scenes), ending, None)


def _say(text: str) -> None:
    is_coloured = has_colour(is_terminal=output.is_terminal())
    output.line(text if is_coloured else click.unstyle(text))


def _quiet(_: str) -> None:
    """Say nothing: the document says it all."""
