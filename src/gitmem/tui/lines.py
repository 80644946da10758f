"""The one widget that draws: lines of clean text, of which one may be chosen.

It takes no markup, so nothing in a text can be read as such.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len, chop_cells
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gitmem.tui.text import LOOKS, PLAIN, Line

if TYPE_CHECKING:
    from rich.style import Style

_CHOSEN: Final = "chosen"


class Lines(ScrollView, can_focus=True):
    """Lines that are scrolled, and walked through where they have keys."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"lines--{look}" for look in LOOKS} | {
        "lines--chosen"
    }
    DEFAULT_CSS = """
    Lines {
        .lines--faint { color: $foreground 62%; }
        .lines--strong { text-style: bold; }
        .lines--session { color: $text-primary; }
        .lines--handoff { color: $text-warning; }
        .lines--thread { color: $text-success; }
        .lines--head { color: $text-accent; text-style: bold; }
        .lines--bar { color: $text-primary; }
        .lines--chosen { background: $surface-lighten-2; text-style: bold; }
        &:focus .lines--chosen { background: $primary; color: $text; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "walk(-1)", show=False),
        Binding("down,j", "walk(1)", show=False),
        Binding("pageup", "leap(-1)", show=False),
        Binding("pagedown,space", "leap(1)", show=False),
        Binding("home,g", "edge(-1)", show=False),
        Binding("end,G", "edge(1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    class Moved(Message):
        """Another line is the chosen one."""

        def __init__(self, lines: "Lines", key: str) -> None:
            """Say which."""
            super().__init__()
            self.lines = lines
            self.key = key

    class Chosen(Moved):
        """Enter was pressed on a line."""

    def __init__(self, *, id: str, wraps: bool = False) -> None:  # noqa: A002  textual's
        """Begin empty."""
        super().__init__(id=id)
        self._given: tuple[Line, ...] = ()
        self._drawn: tuple[Line, ...] = ()
        self._wraps = wraps
        self._at = -1
        self._looks: dict[str, Style] = {}

    @property
    def key(self) -> str:
        """Give the key of the chosen line; empty where there is none."""
        return self._drawn[self._at].key if 0 <= self._at < len(self._drawn) else ""

    def show(self, lines: Sequence[Line], *, is_new: bool = False) -> None:
        """Draw other lines; the chosen one stays so, if it is still there."""
        before, at = self.key, self._at
        self._given = tuple(lines)
        self._lay_out()
        numbers = [n for n, each in enumerate(self._drawn) if each.key]
        same = [n for n in numbers if before and self._drawn[n].key == before]
        near = [n for n in numbers if n >= at] or numbers[-1:]
        wanted = numbers[:1] if is_new else (same or near)
        self._at = wanted[0] if wanted else -1
        if is_new:
            self.scroll_to(y=0, animate=False, force=True)
        self._reveal()
        self.post_message(self.Moved(self, self.key))
        self.refresh()

    def on_resize(self, _: events.Resize) -> None:
        """Wrap to the new width."""
        if self._wraps:
            self._lay_out()
        self._reveal()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw a part of the screen; what its lines look like is found out once."""
        ground = self.rich_style
        self._looks = {
            look: ground + self.get_component_rich_style(f"lines--{look}")
            for look in LOOKS
        }
        self._looks[PLAIN] = ground
        self._looks[_CHOSEN] = ground + self.get_component_rich_style(
            "lines--chosen", partial=True
        )
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        width = self.scrollable_content_region.width
        number = y + self.scroll_offset.y
        if number >= len(self._drawn):
            return Strip.blank(width, self._looks[PLAIN])
        is_chosen = number == self._at
        ground = self._looks[_CHOSEN if is_chosen else PLAIN]
        strip = Strip(
            Segment(text, ground if is_chosen else self._looks[look])
            for text, look in self._drawn[number].parts
        )
        if strip.cell_length > width:
            strip = Strip([*strip.crop(0, width - 1), Segment("…", ground)])
        return strip.adjust_cell_length(width, ground)

    def action_walk(self, step: int) -> None:
        """Go to the next line that has a key, or scroll where none has."""
        numbers = range(self._at + step, len(self._drawn) if step > 0 else -1, step)
        found = next((n for n in numbers if n >= 0 and self._drawn[n].key), None)
        if found is None:
            self.scroll_relative(y=step, animate=False, force=True)
        else:
            self._go(found)

    def action_leap(self, step: int) -> None:
        """Go a screen further."""
        height = max(1, self.scrollable_content_region.height - 1)
        if self._at < 0:
            self.scroll_relative(y=step * height, animate=False, force=True)
            return
        aim = min(max(self._at + step * height, 0), len(self._drawn) - 1)
        numbers = [n for n, each in enumerate(self._drawn) if each.key]
        self._go(min(numbers, key=lambda n: abs(n - aim)))

    def action_edge(self, side: int) -> None:
        """Go to the first line, or the last."""
        numbers = [n for n, each in enumerate(self._drawn) if each.key]
        if numbers:
            self._go(numbers[0] if side < 0 else numbers[-1])
        elif side < 0:
            self.scroll_home(animate=False, force=True)
        else:
            self.scroll_end(animate=False, force=True)

    def action_choose(self) -> None:
        """Say that the chosen line is meant."""
        if self.key:
            self.post_message(self.Chosen(self, self.key))

    def on_click(self, event: events.Click) -> None:
        """Choose the line that was clicked."""
        number = event.y + self.scroll_offset.y
        if number < len(self._drawn) and self._drawn[number].key:
            self._go(number)

    def _go(self, number: int) -> None:
        self._at = number
        self._reveal()
        self.post_message(self.Moved(self, self.key))
        self.refresh()

    def _reveal(self) -> None:
        height = self.scrollable_content_region.height
        top = self.scroll_offset.y
        if self._at < 0 or height <= 0:
            return
        if self._at < top:
            self.scroll_to(y=self._at, animate=False, force=True)
        elif self._at >= top + height:
            self.scroll_to(y=self._at - height + 1, animate=False, force=True)

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if self._wraps and width > 0:
            self._drawn = tuple(
                part for each in self._given for part in _wrapped(each, width)
            )
        else:
            self._drawn = self._given
        self.virtual_size = Size(width, len(self._drawn))


def _wrapped(line: Line, width: int) -> Sequence[Line]:
    """Break the last part of a line where the screen ends; it hangs below itself."""
    if not line.parts:
        return (line,)
    *before, (text, look) = line.parts
    words = text.lstrip(" ")
    label = "".join(part for part, _ in before) + text[: len(text) - len(words)]
    indent = min(cell_len(label), width // 2)
    if cell_len(label) > indent:
        return (line,)
    first, *rest = _broken(words, width - indent)
    lead = (text[: len(text) - len(words)] + first, look)
    hanging = (Line(((" " * indent + each, look),)) for each in rest)
    return (Line((*before, lead), line.key), *hanging)


def _broken(text: str, width: int) -> list[str]:
    """Break at the last space that fits, or where a word is longer than the screen."""
    found: list[str] = []
    while len(pieces := chop_cells(text, width)) > 1:
        space = pieces[0].rfind(" ") + 1
        is_end = text[len(pieces[0])] == " "
        cut = len(pieces[0]) if is_end or not space else space
        found.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*found, text]
