"""The screens beside the main one: a transcript, a page, a question."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen

from gitmem.service.reviewing import Replayed
from gitmem.tui import rows, transcript
from gitmem.tui.lines import Lines
from gitmem.tui.text import FAINT, HEAD, STRONG, Line, line


class Page(Screen[str]):
    """A text to read; it ends with nothing, or with a command to leave with."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
    ]

    def __init__(self, head: Sequence[Line], body: Sequence[Line], foot: str) -> None:
        """Remember what to show."""
        super().__init__()
        self._head = head
        self._body = body
        self._foot = foot

    def compose(self) -> ComposeResult:
        """Lay out a head, the text, and the keys."""
        yield Lines(id="page-head", wraps=True)
        yield Lines(id="page", wraps=True)
        yield Lines(id="page-foot")

    def on_mount(self) -> None:
        """Fill it."""
        for name, lines in (
            ("#page-head", self._head),
            ("#page", self._body),
            ("#page-foot", [line((self._foot, FAINT))]),
        ):
            self.query_one(name, Lines).show(lines, is_new=True)
        self.query_one("#page-head", Lines).can_focus = False
        self.query_one("#page-foot", Lines).can_focus = False
        self.query_one("#page", Lines).focus()

    def say(self, text: str) -> None:
        """Say something in the last line."""
        self.query_one("#page-foot", Lines).show([line((text, HEAD))])

    def action_back(self) -> None:
        """Go back."""
        self.dismiss("")


class Transcript(Page):
    """What was said after an anchor, and how to go on with its session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", show=False),
        Binding("r", "leave", show=False),
    ]

    def __init__(self, played: Replayed) -> None:
        """Draw the transcript."""
        row = rows.row(played.anchor)
        self._command = played.resume
        shown = transcript.resumption(played)
        head = [line((row.name, STRONG), (f"  {row.moment}", FAINT))]
        head += [line(row.summary)] if row.summary else []
        head += [line(("Go on: ", FAINT), shown)] if shown else []
        more = "  y copy the command  r leave, and print it" if shown else ""
        super().__init__(head, transcript.transcript(played), f"Esc back{more}")

    def action_copy(self) -> None:
        """Copy the host's command, as far as the terminal allows it."""
        if self._command:
            self.app.copy_to_clipboard(self._command)
            self.say("Copied, if your terminal allows it.")

    def action_leave(self) -> None:
        """Leave with the host's command."""
        if self._command:
            self.dismiss(self._command)


class Question(ModalScreen[bool]):
    """A question that is answered with y, and with anything else denied."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", show=False),
        Binding("n,escape,q,enter", "answer(False)", show=False),
    ]

    def __init__(self, asked: Sequence[Line]) -> None:
        """Remember what is asked."""
        super().__init__()
        self._asked = asked

    def compose(self) -> ComposeResult:
        """Lay out a box."""
        with Vertical(id="question"):
            yield Lines(id="asked", wraps=True)

    def on_mount(self) -> None:
        """Ask."""
        asked = self.query_one("#asked", Lines)
        asked.show(self._asked)
        asked.can_focus = False

    def action_answer(self, is_meant: bool) -> None:  # noqa: FBT001  a key's argument
        """Take the answer."""
        self.dismiss(is_meant)
