"""The main screen: three views of a tape, and the keys that act on it."""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Final

from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Input

from gitmem.errors import GitmemError
from gitmem.service.reviewing import Replayed
from gitmem.tape.anchor import THREAD
from gitmem.tui import head, relations, rows, tree
from gitmem.tui.desk import Desk
from gitmem.tui.head import KEYWORDS, THREADS, TIMELINE, VIEWS
from gitmem.tui.lines import Lines
from gitmem.tui.model import Model
from gitmem.tui.rows import Row
from gitmem.tui.screens import Page, Question, Transcript
from gitmem.tui.text import FAINT, STRONG, Line, clean, line

_WIDE: Final = 120
# What keys do that the screens on top have as well.
_ANYWHERE: Final = frozenset({"theme", "quit", "interrupt"})
_LIGHT, _DARK = "textual-light", "textual-dark"


class Filter(Input):
    """The line that one types a filter into."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.leave_filter", show=False),
        Binding("down", "app.focus_list", show=False),
    ]


class Review(App[str]):
    """The review; it ends with a command of the host's, or with nothing."""

    CSS_PATH = Path(__file__).with_name("review.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"view('{each}')") for n, each in enumerate(VIEWS, 1)),
        Binding("tab", "turn(1)", show=False, priority=True),
        Binding("shift+tab", "turn(-1)", show=False, priority=True),
        Binding("slash", "filter", show=False),
        Binding("escape", "leave_filter", show=False),
        Binding("ctrl+d", "delete", show=False),
        Binding("c", "check_out", show=False),
        Binding("a", "archive", show=False),
        Binding("n", "page(1)", show=False),
        Binding("p", "page(-1)", show=False),
        Binding("t", "theme", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q", "quit", show=False),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self, desk: Desk, model: Model, reread: Callable[[], Model], query: str = ""
    ) -> None:
        """Remember what to show; `reread` gives it as it is after a change."""
        super().__init__()
        self.animation_level = "none"
        self._desk = desk
        self._model = model
        self._reread = reread
        self._query = query
        self._view = model.view(query)
        self._shown = TIMELINE
        self._page = 1

    def compose(self) -> ComposeResult:
        """Lay out the head, the filter, a list with its details, and the keys."""
        yield Lines(id="head")
        yield Filter(id="filter", compact=True, placeholder="filter", value=self._query)
        with Container(id="body"):
            yield Lines(id="list")
            yield Lines(id="details", wraps=True)
        yield Lines(id="foot")

    def on_mount(self) -> None:
        """Fill it."""
        for name in ("#head", "#details", "#foot"):
            self.query_one(name, Lines).can_focus = False
        field = self.query_one(Filter)
        field.cursor_blink = False
        field.display = bool(self._query)
        self.screen.set_focus(self._list)
        self._show(is_new=True)
        self.run_worker(self._get_ready, thread=True)

    def _get_ready(self) -> None:
        self._model.warm()
        # What was read stays to the end; a look for garbage in it is a visible pause.
        gc.freeze()

    def on_resize(self, event: events.Resize) -> None:
        """Put the details beside the list where there is room."""
        self.query_one("#body").set_class(event.size.width >= _WIDE, "wide")
        self._show_head()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let no key act on the main screen while another one is on top."""
        own = set(vars(Review)) - {f"action_{each}" for each in _ANYWHERE}
        if f"action_{action}" in own and len(self.screen_stack) > 1:
            return False
        return super().check_action(action, parameters)

    @property
    def _list(self) -> Lines:
        return self.screen_stack[0].query_one("#list", Lines)

    # What is shown

    def _show(self, *, is_new: bool = False, said: str = "") -> None:
        self._page = min(self._page, self._view.pages)
        lines = self._lines() or head.nothing(self._shown, self._view)
        self._list.show(lines, is_new=is_new)
        self._show_head()
        self._say(said)

    def _lines(self) -> tuple[Line, ...]:
        if self._shown == TIMELINE:
            return rows.timeline(self._view.page(self._page))
        if self._shown == THREADS:
            return tree.tree(self._view.threads)
        return relations.drawn(self._view.keywords)

    def _show_head(self) -> None:
        lines = head.head(
            self._model.project, self._shown, self._view, self._page, self.size.width
        )
        self.screen_stack[0].query_one("#head", Lines).show(lines)

    def _say(self, said: str) -> None:
        foot = self.screen_stack[0].query_one("#foot", Lines)
        foot.show(head.keys(self._shown, said))

    def on_lines_moved(self, event: Lines.Moved) -> None:
        """Show the details of the chosen line."""
        if event.lines.id == "list":
            details = self.screen_stack[0].query_one("#details", Lines)
            details.show(self._details(event.key), is_new=True)

    def _details(self, key: str) -> tuple[Line, ...]:
        if self._shown == TIMELINE:
            row = self._row(key)
            return rows.details(row) if row else ()
        if self._shown == THREADS:
            thread = self._view.thread(key.partition("\n")[0])
            node = thread.node(key.partition("\n")[2]) if thread else None
            return tree.details(thread, node) if thread else ()
        return (line(("Enter shows the anchors of: ", FAINT), key),) if key else ()

    def _row(self, key: str) -> Row | None:
        return next((r for r in self._view.page(self._page) if r.id == key), None)

    # Going about

    def action_view(self, name: str) -> None:
        """Show another view."""
        self._shown = name
        self._show(is_new=True)

    def action_turn(self, step: int) -> None:
        """Show the view beside this one."""
        at = VIEWS.index(self._shown)
        self.action_view(VIEWS[(at + step) % len(VIEWS)])

    def action_page(self, step: int) -> None:
        """Show another page of the timeline."""
        wanted = self._page + step
        if self._shown == TIMELINE and 1 <= wanted <= self._view.pages:
            self._page = wanted
            self._show(is_new=True)

    def action_filter(self) -> None:
        """Type a filter."""
        field = self.query_one(Filter)
        field.display = True
        # Now, not when there is time: what is typed at once is no longer a command.
        self.screen.set_focus(field)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as it is typed."""
        if event.value != self._query:
            self._query = event.value
            self._view = self._model.view(self._query)
            self._page = 1
            self._show(is_new=True)

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Keep the filter, and go to what it found."""
        self.action_focus_list()

    def action_focus_list(self) -> None:
        """Go from the filter to the list."""
        self.screen.set_focus(self._list)

    def action_leave_filter(self) -> None:
        """Show everything again."""
        field = self.query_one(Filter)
        field.value = ""
        field.display = False
        self.screen.set_focus(self._list)

    def action_interrupt(self) -> None:
        """Leave the filter, or else the review."""
        if self.screen is self.screen_stack[0] and self.query_one(Filter).display:
            self.action_leave_filter()
        else:
            self.exit("")

    def action_theme(self) -> None:
        """Turn light into dark, and back."""
        self.theme = _DARK if self.theme == _LIGHT else _LIGHT

    def action_help(self) -> None:
        """List the keys."""
        body = [line(each) for each in head.HELP.split("\n")]
        self.push_screen(Page([line(("Keys", STRONG))], body, "Esc back"))

    # Acting

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        """Read what follows an anchor or a node, or filter by a keyword."""
        if event.lines.id != "list":
            return
        if self._shown == KEYWORDS:
            self.action_filter()
            self.query_one(Filter).value = event.key
            self._shown = TIMELINE
            self.screen.set_focus(self._list)
        elif anchor := event.key.rpartition("\n")[2]:
            self._say("Reading …")
            self._read(anchor)

    @work(thread=True, exclusive=True)
    def _read(self, anchor: str) -> None:
        try:
            played = self._desk.replay(anchor)
        except (GitmemError, OSError) as error:
            self.call_from_thread(self._say, clean(str(error)))
        else:
            self.call_from_thread(self._open, played)

    def _open(self, played: Replayed) -> None:
        self._say("")
        self.push_screen(Transcript(played), self._leave_with)

    def _leave_with(self, command: str | None) -> None:
        if command:
            self.exit(command)

    def action_delete(self) -> None:
        """Ask, and delete the chosen anchor."""
        row = self._row(self._list.key) if self._shown == TIMELINE else None
        if row is None:
            return
        if row.type == THREAD:
            self._say("This is a node of a thread; archive it in Threads with a.")
            return
        asked = [
            line("Delete this anchor, on every machine?"),
            line((row.name, STRONG)),
            line((row.moment, FAINT)),
            line(),
            line("y delete  n keep"),
        ]

        def answered(is_meant: bool | None) -> None:  # noqa: FBT001  textual's call
            if is_meant:
                self._do(lambda: self._desk.delete(row.id), f"Deleted {row.name}.")

        self.push_screen(Question(asked), answered)

    def action_check_out(self) -> None:
        """Go on from the chosen node."""
        thread, _, node = self._list.key.partition("\n")
        if self._shown == THREADS and node:
            self._do(lambda: self._desk.check_out(thread, node), "HEAD is here now.")

    def action_archive(self) -> None:
        """Archive the chosen thread, or node."""
        thread, _, node = self._list.key.partition("\n")
        if self._shown == THREADS and thread:
            self._do(lambda: self._desk.archive(thread, node), "Archived.")

    def _do(self, action: Callable[[], None], done: str) -> None:
        self._say("…")
        self._carry_out(action, done)

    @work(thread=True, group="doing")
    def _carry_out(self, action: Callable[[], None], done: str) -> None:
        try:
            action()
            model = self._reread()
            model.warm()
        except (GitmemError, OSError) as error:
            self.call_from_thread(self._say, clean(str(error)))
        else:
            self.call_from_thread(self._take, model, done)

    def _take(self, model: Model, done: str) -> None:
        """Show the tape as it is now."""
        self._model = model
        self._view = model.view(self._query)
        self._show(said=done)

    @property
    def failure(self) -> Exception | None:
        """Give what went wrong, if something did."""
        return self._exception

    def _fatal_error(self) -> None:
        """Leave the telling to the command line, which logs it and masks secrets."""
        self._close_messages_no_wait()
