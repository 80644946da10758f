"""The sentences say all that the screen draws, without a sign that must be seen."""

from tests.tui.conftest import NOW, anchor, model

from gitmem.service.reviewing import Replayed, Reviewed, Said
from gitmem.tape.threads import Node, Thread
from gitmem.tui import plain
from gitmem.tui.model import Model

PAGE = """\
Review of beacon: 9 anchors (2 of sessions, 3 handoffs, 4 nodes), 1 thread.
Newest days: 2026-04-03 1, 2026-04-02 7, 2026-04-01 1.

Anchors, page 3 of 3:
2026-04-01 19:30 session session/startup; id {startup}.

Threads:
Deploy: 4 nodes; id {thread}.
  level 1: Deploy, active; nine minutes so far; id {deploy}.
  level 2: rsync, active; id {rsync}.
  level 3: one server after the other, active; id {one}.
  level 3: all servers at once, active, HEAD; id {all}.

Keywords:
deploy, in 2 anchors; with rollback in 1, server in 1.
rollback, in 1 anchor; with deploy in 1.
server, in 1 anchor; with deploy in 1.

Next: gitmem review --show ID reads what was said after an anchor.
      gitmem tape delete ID deletes one."""


def test_a_page_is_written_as_sentences(service):
    [thread] = service.rooms.tape().threads()
    ids = dict(
        zip(
            ("deploy", "rsync", "one", "all"), (n.id for n in thread.nodes), strict=True
        )
    )
    startup = service.rooms.tape().anchors()[0].id

    text = plain.page("beacon", Model(service.tape.review(), 4).view(), 3)

    assert text == PAGE.format(thread=thread.id, startup=startup, **ids)


def test_an_empty_tape_is_said_to_be():
    text = plain.page("beacon", model().view("x"), 1)

    assert (
        text == "Review of beacon, filtered by x: 0 anchors, 0 threads.\n\nNo anchors."
    )


def test_heads_that_two_machines_moved_are_said_with_the_next_step():
    nodes = (Node("a", "a", NOW), Node("b", "b", NOW, "a"))
    thread = Thread("t", "Topic", NOW, NOW, nodes, ("a", "b"))

    command = "gitmem tape thread checkout --thread t --node ID"

    text = plain.page("beacon", Model(Reviewed("beacon", (), (thread,))).view(), 1)

    assert text.split("\n")[-4:] == [
        "Topic: 2 nodes; id t.",
        "  level 1: a, active, HEAD; id a.",
        "  level 2: b, active, HEAD; id b.",
        f"  HEAD was moved on 2 machines: check out one with {command}",
    ]


def test_what_was_said_is_written_with_who_said_it():
    said = (
        Said(NOW, "assistant", "one\n\ttwo \x1b[31m", ("Edit a.py",)),
        Said(NOW, "user", ""),
    )
    shown = Replayed(anchor(), "pi", said, is_cut=True, resume="pi --session x")

    assert plain.played(shown).split("\n")[1:] == [
        "",
        "assistant, 2026-04-04 12:30:00:",
        "one",
        r"    two \u001b[31m",
        "called Edit a.py",
        "",
        "user, 2026-04-04 12:30:00:",
        "",
        "There is more; the host's own command shows it.",
        "",
        "Go on: pi --session x",
    ]
