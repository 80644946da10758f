"""What was said after an anchor, as lines; pure."""

from collections.abc import Iterator

from gitmem.service.reviewing import Replayed, Said
from gitmem.tui.clock import local
from gitmem.tui.text import FAINT, HEAD, STRONG, Line, clean, clean_lines, line


def transcript(played: Replayed) -> tuple[Line, ...]:
    """Draw each entry with who said it; the tools that it called stand below."""
    lines = [each for said in played.entries for each in _of_entry(said)]
    if played.note:
        lines.append(line(played.note))
    if played.is_cut:
        lines.append(line(("There is more; the host's own command shows it.", FAINT)))
    return tuple(lines)


def resumption(played: Replayed) -> str:
    """Give the host's command as it is shown, which is as it was made."""
    return clean(played.resume)


def _of_entry(said: Said) -> Iterator[Line]:
    yield line(
        (clean(said.role) or "?", STRONG if said.role == "assistant" else HEAD),
        (f"  {local(said.at):%Y-%m-%d %H:%M:%S}", FAINT),
    )
    if said.text:
        yield from (line(f"  {each}") for each in clean_lines(said.text))
    for tool in said.tools:
        yield line((f"  → {clean(tool)}", FAINT))
    yield line()
