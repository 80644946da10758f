"""A tape on a real disk, and a person who presses keys before a screen of it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitmem.app import connect
from gitmem.service.reviewing import Reviewed
from gitmem.service.service import Service
from gitmem.service.weaving import Said
from gitmem.tape.anchor import HANDOFF, SESSION, Anchor, Meta, draft
from gitmem.tape.record import Draft
from gitmem.tui.app import Review
from gitmem.tui.desk import ServiceDesk
from gitmem.tui.model import Model

NOW = datetime(2026, 4, 4, 12, 30, tzinfo=UTC)
LARGE = (200, 50)
SMALL = (80, 24)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a person who changed a screen draw the kept ones anew, and look at them."""
    parser.addoption("--redraw", action="store_true", help="draw tests/tui/screens")


@pytest.fixture
def kept(request: pytest.FixtureRequest) -> Callable[[str, str], str]:
    """Give the text that a screen is kept as: `kept("timeline-80x24", seen.text)`."""

    def read(name: str, text: str) -> str:
        path = Path(__file__).with_name("screens") / f"{name}.txt"
        if request.config.getoption("--redraw", default=False):
            path.write_text(text, "utf-8")
        return path.read_text("utf-8")

    return read


@pytest.fixture(autouse=True)
def in_utc(empty_home: Path) -> None:
    """Read the time zone that the tests have set."""
    time.tzset()


def anchor(number: int = 1, name: str = "task/begin", **more: Any) -> Anchor:
    """Make an anchor: `anchor(3, "x", keywords=("a",))`, an hour older each."""
    kind = more.pop("type", HANDOFF)
    at = NOW - timedelta(hours=number)
    return Anchor(f"id{number}", at, name, kind, Meta(**more), "s1", f"e{number}")


def model(*anchors: Anchor, limit: int = 50) -> Model:
    """Make a model of anchors, and of no threads."""
    return Model(Reviewed("beacon", anchors, ()), limit)


def handoff(name: str, *keywords: str, summary: str = "", purpose: str = "") -> Draft:
    """Prepare a handoff anchor of one session."""
    trigger = "keyword" if keywords else "direct"
    meta = Meta(trigger, keywords, summary, purpose)
    return draft(name, HANDOFF, meta, session="s1", entry="e1")


class Clock:
    """A clock that stands until it is put on."""

    def __init__(self) -> None:
        """Stand three days before the present."""
        self.at = NOW - timedelta(days=3)

    def __call__(self) -> datetime:
        """Tell the time."""
        return self.at

    def pass_hours(self, hours: int) -> None:
        """Put the clock on."""
        self.at += timedelta(hours=hours)


@pytest.fixture
def clock() -> Clock:
    """Give the clock of the machine."""
    return Clock()


@pytest.fixture
def empty(tmp_path: Path, clock: Clock) -> Service:
    """Connect a project whose tape is open and empty."""
    project = tmp_path / "beacon"
    project.mkdir()
    environment = {
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path / "tmp"),
        "GITMEM_HOME": str(tmp_path / "gitmem"),
        "GITMEM_SYNC__MACHINE_ID": "oak",
        "GITMEM_TAPE__ENABLED": "true",
        "GITMEM_TAPE__ONLY_GIT": "false",
    }
    service = connect(project, environment=environment, now=clock)
    service.init()
    return service


@pytest.fixture
def service(empty: Service, clock: Clock) -> Service:
    """Fill a tape with anchors, a thread of four nodes, and keywords."""
    tape = empty.rooms.tape()

    def add(made: Draft) -> None:
        clock.pass_hours(7)
        tape.add(made)

    def weave(action: str, **said: Any) -> None:
        clock.pass_hours(1)
        empty.tape.thread(action, Said(**said))

    add(draft("session/startup", SESSION, Meta(), session="s1", entry="e0"))
    add(handoff("task/begin", summary="took the deploy on", purpose="deploy"))
    add(handoff("handoff/keyword-rollback-101500", "rollback", "deploy"))
    weave("create", name="Deploy", summary="nine minutes so far")
    weave("branch", name="rsync", next=("try on staging",))
    weave("branch", name="one server after the other")
    weave("branch", node="rsync", name="all servers at once")
    add(handoff("handoff/keyword-server-101500", "server", "deploy"))
    add(draft("session/end", SESSION, Meta(), session="s1", entry="e9"))
    return empty


@dataclass(frozen=True)
class Seen:
    """What stood on the screen in the end, and what the review ended with."""

    text: str
    is_light: bool
    copied: str
    has_left: bool
    left_with: str | None

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


Press = Callable[..., Seen]


@pytest.fixture
def press() -> Press:
    """Press keys before a screen: `press(service, "2", "down", size=SMALL)`."""

    def run(service: Service, *keys: str, **more: Any) -> Seen:
        limit, meanwhile = more.pop("limit", 50), more.pop("meanwhile", lambda: None)
        desk = ServiceDesk(service)
        app = Review(
            desk, Model(desk.review(), limit), lambda: Model(desk.review(), limit)
        )
        meanwhile()
        return asyncio.run(_pressed(app, keys, **more))

    return run


async def _pressed(
    app: Review,
    keys: tuple[str, ...],
    *,
    size: tuple[int, int] = SMALL,
    theme: str = "",
) -> Seen:
    async with app.run_test(size=size) as pilot:
        app.theme = theme or app.theme
        for key in keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
        await pilot.pause()
        ground = app.screen.background_colors[1]
        return Seen(
            text=screen(app),
            is_light=ground.brightness > 0.5,
            copied=app.clipboard,
            has_left=app._exit,
            left_with=app.return_value,
        )


def screen(app: Review) -> str:
    """Read the screen as a person does."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"
