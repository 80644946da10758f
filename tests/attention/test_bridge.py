"""Of the session before, a prompt is told what answers to it."""

from datetime import UTC, datetime

from gitmem.attention.bridge import anchored, pick, said
from gitmem.attention.bridged import Bridged
from gitmem.hosts.entry import Entry
from gitmem.tape.anchor import Anchor, Meta

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def entry(text, found="e", kind="message", role="user"):
    return Entry(found, "s", AT, kind, role, text)


def bridged(text, by="user"):
    return Bridged(by, AT, text)


def test_only_messages_are_said_and_what_gitmem_gave_is_not():
    own = '<memory_context mode="normal">\nA note.\n</memory_context>'
    entries = [
        entry("The parser fails."),
        entry("output", kind="tool_result", role="tool"),
        entry("aside", kind="other"),
        entry(own),
        entry(f"{own}\nAnd this is mine.", role="assistant"),
        entry("<memory_bridge>\ntold before"),
    ]

    assert said(entries, frozenset()) == (
        bridged("The parser fails."),
        bridged("And this is mine.", by="assistant"),
    )


def test_what_a_fork_holds_itself_is_not_said():
    entries = [entry("copied", "a"), entry("new", "b")]

    assert said(entries, frozenset({"a"})) == (bridged("new"),)


def test_only_handoffs_of_that_session_are_anchors():
    def anchor(kind="handoff", session="s"):
        return Anchor("i", AT, "fix/parser", kind, Meta(summary="Mend it"), session)

    anchors = [anchor(), anchor(kind="session"), anchor(session="t")]

    assert anchored(anchors, "s") == (bridged("fix/parser Mend it", by="anchor"),)


def test_what_answers_to_the_prompt_is_picked_the_best_first():
    messages = [
        bridged("Lunch was good."),
        bridged("The parser fails on an empty query."),
        bridged("An empty line."),
    ]
    anchors = [bridged("fix/parser", by="anchor"), bridged("lunch", by="anchor")]

    assert pick("Why does the parser fail on an empty query?", messages, anchors) == (
        anchors[0],
        messages[1],
        messages[2],
    )


def test_at_most_five_messages_and_three_anchors_are_picked():
    several = [bridged(f"The parser, part {number}") for number in range(9)]
    others = [bridged(f"Something else {number}") for number in range(30)]

    found = pick("the parser", [*several, *others], [*several, *others])
    assert len(found) == 8


def test_a_word_that_stands_everywhere_is_below_the_floor():
    several = [bridged(f"The parser, part {number}") for number in range(9)]

    assert pick("the parser", several, []) == ()
    assert pick("", several, several) == ()
