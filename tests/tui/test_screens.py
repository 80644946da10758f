"""The screen says what the tape says, to the letter, and its keys do what they say.

`python -m pytest tests/tui --redraw` writes the pictures in `screens` anew.
"""

import pytest
from tests.tui.conftest import LARGE, SMALL, handoff

from gitmem.tape.anchor import HANDOFF, Meta, draft

SCENES = {
    "timeline": (),
    "threads": ("2", "down", "down"),
    "keywords": ("tab", "tab"),
    "filter": ("slash", *"depoly"),
    "delete": ("down", "ctrl+d"),
    "keys": ("question_mark",),
}


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "200x50"])
@pytest.mark.parametrize("scene", SCENES)
def test_a_screen_is_as_it_was_drawn(scene, size, theme, service, press, kept):
    seen = press(service, *SCENES[scene], size=size, theme=theme)

    assert kept(f"{scene}-{size[0]}x{size[1]}", seen.text) == seen.text


def test_light_and_dark_are_what_they_are_called(service, press):
    assert [press(service).is_light, press(service, "t").is_light] == [False, True]


def test_an_empty_tape_says_how_it_is_filled(empty, press):
    seen = press(empty)

    assert "There is no anchor yet. Set one: gitmem tape handoff NAME" in seen.text


@pytest.mark.parametrize("keys", [("c",), ("a",), ("ctrl+d",), ("enter",), ("n",)])
def test_no_key_harms_an_empty_tape(keys, empty, press):
    seen = press(empty, "2", *keys, "1", *keys, "3", *keys)

    assert "No anchor has a keyword yet." in seen.text


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
def test_a_filter_is_left(key, service, press):
    seen = press(service, "slash", *"rollback", key)

    assert seen.text == press(service).text


def test_a_filter_that_finds_nothing_says_so(service, press):
    seen = press(service, "slash", *"zzzz")

    assert "Nothing is like this filter. Esc leaves it." in seen.text


def test_a_filter_is_kept_when_one_goes_to_what_it_found(service, press):
    seen = press(service, "slash", *"rolback", "enter", "down", "down")

    assert seen.lines[1] == "1 anchor (1 handoff) · 0 threads"
    assert "◆ handoff/keyword-rollback-101500" in seen.lines[5]
    assert seen.lines[-2].startswith("Enter read")


def test_an_anchor_is_deleted_once_that_is_confirmed(service, press):
    seen = press(service, "down", "ctrl+d", "y")

    names = [each.name for each in service.rooms.tape().anchors()]
    assert "handoff/keyword-server-101500" not in names
    assert seen.lines[-2] == "Deleted handoff/keyword-server-101500."


@pytest.mark.parametrize("key", ["n", "escape", "enter"])
def test_an_anchor_stays_where_that_is_not_confirmed(key, service, press):
    before = service.rooms.tape().anchors()

    press(service, "down", "ctrl+d", key)

    assert service.rooms.tape().anchors() == before


def test_a_node_of_a_thread_is_not_deleted(service, press):
    before = service.rooms.tape().anchors()

    seen = press(service, "down", "down", "ctrl+d", "y")

    assert service.rooms.tape().anchors() == before
    assert "archive it in Threads with a" in seen.lines[-2]


def test_a_node_is_checked_out(service, press):
    seen = press(service, "2", "down", "c")

    [thread] = service.rooms.tape().threads()
    assert thread.heads == (thread.nodes[0].id,)
    assert seen.lines[-2] == "HEAD is here now."


def test_a_node_is_archived(service, press):
    press(service, "2", "down", "down", "a")

    [thread] = service.rooms.tape().threads()
    assert [each.state for each in thread.nodes] == [
        "active",
        "archived",
        "active",
        "active",
    ]


def test_a_thread_is_archived(service, press):
    press(service, "2", "a")

    [thread] = service.rooms.tape().threads()
    assert thread.is_archived


def test_a_keyword_leads_to_its_anchors(service, press):
    seen = press(service, "3", "enter")

    assert seen.lines[1] == "4 anchors (3 handoffs, 1 node) · 1 thread"
    assert seen.lines[3] == "deploy"


def test_pages_are_turned(service, press):
    first, second, last = (
        press(service, *keys, limit=2) for keys in ((), ("n",), ("n",) * 9)
    )

    pages = [each.lines[0].rpartition("page ")[2] for each in (first, second, last)]
    assert pages == ["1 of 5", "2 of 5", "5 of 5"]
    assert last.lines[-2].startswith("Enter read")


def test_a_transcript_that_is_elsewhere_is_said_to_be(service, press):
    seen = press(service, "enter")

    assert "The transcript of its session is not on this machine." in seen.text


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_the_review_is_left(key, service, press):
    assert [press(service).has_left, press(service, key).has_left] == [False, True]


@pytest.mark.parametrize("over", ["question_mark", "ctrl+d"])
def test_no_key_acts_on_what_is_covered(over, service, press):
    before = service.rooms.tape().threads()

    press(service, "2", "question_mark", "a", "c", "tab", "escape", "1", over, "a", "2")

    assert service.rooms.tape().threads() == before


def test_an_error_is_one_line_and_the_review_goes_on(service, press):
    newest = service.rooms.tape().anchors()[-1]

    seen = press(
        service,
        *("ctrl+d", "y"),
        meanwhile=lambda: service.tape.delete((newest.id,)),
    )

    assert seen.lines[-2] == f"No anchor has the id {newest.id}."


HOSTILE = "\x1b]0;owned\x07[bold red]x[/] [@click=app.bell]y[/]\u202e\r\nz"


def test_nothing_that_is_stored_acts_on_the_terminal_or_is_markup(empty, press):
    meta = Meta("manual", (HOSTILE,), HOSTILE, HOSTILE)
    record = draft(f"task/{HOSTILE}", HANDOFF, meta, session=HOSTILE, entry=HOSTILE)
    empty.rooms.tape().add(record)

    screens = [
        press(empty, *keys, size=LARGE).text for keys in ((), ("3",), ("enter",))
    ]

    shown = "".join(screens).replace("\n", "")
    assert [c for c in shown if not c.isprintable()] == []
    assert (
        r"task/\u001b]0;owned\u0007[bold red]x[/] [@click=app.bell]y[/]" in screens[0]
    )


def test_ten_thousand_anchors_are_filtered_as_one_types(empty, press):
    empty.rooms.tape().add(
        *(handoff(f"task/{number}", summary="a deploy") for number in range(10_000))
    )

    seen = press(empty, "slash", *"task/9999", limit=100)

    assert seen.lines[1].startswith("1 anchor ")
    assert "◆ task/9999  a deploy" in seen.text
