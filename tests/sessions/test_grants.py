"""What a person allows a session holds once, for that session."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.sessions.grants import FOLDER, HOLDS_FOR, Grant, Grants

NOW = datetime(2026, 4, 4, 12, tzinfo=UTC)


@pytest.fixture
def grants(tmp_path):
    return Grants(tmp_path / "sessions")


def give(grants, grant=None, kind="anchor"):
    grants.give("pi", "s1", kind, grant or Grant(), NOW)


def take(grants, kind="anchor", session="s1", after=timedelta(), name=""):
    return grants.take("pi", session, kind, NOW + after, name=name)


def test_it_holds_once(grants):
    give(grants)

    assert take(grants) == Grant()
    assert take(grants) is None


def test_it_holds_for_one_session_and_one_kind(grants):
    give(grants)

    assert take(grants, session="s2") is None
    assert take(grants, kind="thread") is None
    assert take(grants) == Grant()


def test_one_with_a_name_holds_for_that_name(grants):
    give(grants, Grant("handoff/keyword-x-1", ("x",)))

    assert take(grants, name="another") is None
    assert take(grants, name="handoff/keyword-x-1") == Grant(
        "handoff/keyword-x-1", ("x",)
    )


def test_a_later_one_takes_the_place_of_an_earlier(grants):
    give(grants, Grant("first"))
    give(grants, Grant("second"))
    give(grants, kind="thread")

    assert take(grants, name="first") is None
    assert take(grants, name="second") == Grant("second")
    assert take(grants, kind="thread") == Grant()


def test_an_old_one_does_not_hold(grants):
    give(grants)

    assert take(grants, after=HOLDS_FOR + timedelta(seconds=1)) is None


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"format": 1, "kinds": {"anchor": 7}}', '{"format": 2}'],
)
def test_what_cannot_be_understood_allows_nothing(grants, text):
    give(grants)
    [path] = (grants.folder / FOLDER).iterdir()
    path.write_text(text, "utf-8")

    assert take(grants) is None
