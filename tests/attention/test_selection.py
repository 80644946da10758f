"""A floor, filters that no score overrides, places for open loops, and a limit."""

from datetime import date

import pytest

from gitmem.attention.selection import BELOW_FLOOR, NO_PLACE, select
from gitmem.attention.withheld import withheld

TODAY = date(2026, 3, 2)
SAID = {"prompt": "yaml parser", "words": ["yaml", "parser"]}


def paths(judged):
    return [each.path for each in judged]


def never(judged):
    return ""


def test_the_best_are_chosen_in_order_and_the_rest_say_why(weighed):
    many = [
        weighed(**SAID, path=f"p/{number}.md", score=float(number))
        for number in range(5)
    ]

    chosen = select(many, TODAY, 3, never)

    assert paths(chosen.cues) == ["p/4.md", "p/3.md", "p/2.md"]
    assert [(each.path, why) for each, why in chosen.left] == [
        ("p/1.md", NO_PLACE),
        ("p/0.md", NO_PLACE),
    ]


def test_the_same_memories_in_any_order_give_the_same_choice(weighed):
    many = [weighed(**SAID, path=f"p/{number}.md") for number in range(9)]

    assert select(many, TODAY, 4, never) == select(many[::-1], TODAY, 4, never)


def test_nothing_important_is_said_where_the_turn_is_not_about_it(weighed):
    judged = weighed(
        "spring", path="p/a.md", priority="critical", attention="open-loop"
    )

    chosen = select([judged], TODAY, 6, never)

    assert (chosen.cues, chosen.whole) == ((), ())
    assert chosen.left == ((judged, BELOW_FLOOR),)


def test_places_are_kept_for_open_loops(weighed):
    notes = [weighed(**SAID, path=f"p/{n}.md", score=50.0) for n in range(6)]
    loop = weighed(
        prompt="yaml parser", words=["yaml", "parser"], path="p/loop.md",
        attention="open-loop", priority="low", day=1,
    )  # fmt: skip

    chosen = select([*notes, loop], TODAY, 3, never)

    assert "p/loop.md" in paths(chosen.cues)
    assert len(chosen.cues) == 3


def test_what_the_session_knows_makes_room_for_the_next(weighed):
    many = [weighed(**SAID, path=f"p/{n}.md", score=float(n)) for n in range(4)]

    chosen = select(many, TODAY, 2, lambda each: "given" * (each.path == "p/3.md"))

    assert paths(chosen.cues) == ["p/2.md", "p/1.md"]
    assert (many[3], "given") in chosen.left


def test_what_binds_takes_no_place_of_a_cue(weighed):
    policy = weighed(**SAID, path="p/policy.md", kind="policy")
    note = weighed(**SAID, path="p/note.md")

    chosen = select([policy, note], TODAY, 1, never)

    assert (paths(chosen.whole), paths(chosen.cues)) == (["p/policy.md"], ["p/note.md"])


def test_without_a_place_only_what_binds_is_told(weighed):
    assert select([weighed(**SAID)], TODAY, 0, never).cues == ()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"status": "superseded"}, "status: superseded"),
        ({"status": "archived"}, "status: archived"),
        ({"attention": "closed-loop"}, "status: a closed loop"),
        ({"ended": "2026-03-02"}, "dates: it ended on 2026-03-02"),
        ({"ended": "2026-03-03"}, ""),
        ({"recorded": "2026-03-03"}, "dates: it holds from 2026-03-03"),
        ({"recorded": "2026-03-02"}, ""),
        (
            {"kind": "state", "review_after": "2026-03-01"},
            "dates: to be reviewed since 2026-03-01",
        ),
        ({"kind": "commitment", "review_after": "2026-03-02"}, ""),
        ({"kind": "fact", "review_after": "2026-03-01"}, ""),
        ({"path": "p/PROJECT.md"}, "layout: it says which project a layer belongs to"),
        ({"path": "p/a.conflict-0123abc.md"}, "conflict: it is the other side of one"),
        ({}, ""),
    ],
)
def test_no_score_overrides_a_filter(weighed, fields, why):
    judged = weighed("yaml parser", words=["yaml", "parser"], score=99.0, **fields)

    assert withheld(judged, TODAY) == why


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ({"prompt": "yaml", "words": ["yaml"], "score": 99.0}, False),
        ({"prompt": "yaml parser", "words": ["yaml", "parser"], "score": 99.0}, True),
        ({"prompt": "fix it", "triggers": ["fix it"]}, True),
        ({"prompt": "yes", "before": "fix it", "triggers": ["fix it"]}, False),
    ],
    ids=["one word", "clearly", "trigger", "trigger before"],
)
def test_what_is_sensitive_is_told_where_the_turn_is_clearly_about_it(
    weighed, said, is_told
):
    judged = weighed(sensitivity="sensitive", **said)

    assert (withheld(judged, TODAY) == "") is is_told
