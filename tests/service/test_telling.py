"""What a session is given stays below what its host takes, and is given once."""

import errno
from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from gitmem.service.answers import Delivered, Visit

# What Claude Code takes of one answer.
LIMIT = 10_000
SCRIPTS = {
    "latin": "deploy with care ",
    "accents": "de\u0301ploie\u0301 ",
    "chinese": "部署服务器之前请先备份数据库",
    "emoji": "🙂👩\u200d🚀🇳🇴",
    "arabic": "انشر بحذر",
    "musical": "𝄞𝄢",
    "quotes": '"\\\n',
}


def units(text):
    """Count as JavaScript does."""
    return len(text.encode("utf-16-le")) // 2


@pytest.fixture
def visit():
    return Visit("claude-code", "s1", "startup")


def fill(service, script):
    """Keep more of a script than any host takes, in every place that is told."""
    body = SCRIPTS[script] * 20_000
    root = service.rooms.root
    for path in ("global/USER.md", "beacon/MEMORY.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(
            "\n".join(body[at : at + 100] for at in range(0, 7_000, 100)), "utf-8"
        )
    for number in range(60):
        path = root / "beacon" / "core" / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        told = SCRIPTS[script].strip().splitlines()[0] * 9
        path.write_text(f"---\ndescription: '{told}'\n---\n# {number}\n", "utf-8")


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_script_crosses_the_hosts_limit(script, connected, visit):
    service = connected(GITMEM_DELIVERY__BUDGET__START="1000000")
    service.init()
    fill(service, script)

    text = service.session.text(visit).text

    assert 5_000 < units(text) <= LIMIT - 500
    assert "left out" in text


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_start_text_and_news_in_one_turn_stay_below_it_too(script, connected, visit):
    service = connected(GITMEM_DELIVERY__BUDGET__TURN="1000000")
    service.init()
    fill(service, script)

    text = service.session.turn(visit, "how do we deploy").text

    assert 0 < units(text) <= LIMIT - 500


def test_a_host_that_can_is_given_the_same_system_prompt_at_each_turn(connected):
    service = connected(GITMEM_DELIVERY__MODE="system-prompt")
    service.init()
    fill(service, "latin")
    visit = Visit("pi", "s1", "startup")

    given = [
        service.session.text(visit),
        service.session.turn(visit, "one"),
        service.session.turn(visit, "two"),
    ]

    assert given[0].standing.startswith("<memory_context")
    assert given == [Delivered(standing=given[0].standing)] * 3


def test_a_session_without_a_name_is_told_without_a_memory_of_it(service):
    fill(service, "latin")
    visit = Visit("claude-code", "")

    texts = {service.session.text(visit).text for _ in range(2)}

    assert len(texts) == 1
    assert texts != {""}


def remember(service, name="deploy"):
    path = service.rooms.root / "beacon" / "core" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\ndescription: how to {name}\n---\n# {name}\n", "utf-8")
    return PurePosixPath("beacon/core") / path.name


@pytest.fixture
def known(connected):
    """Give a memory of one file."""
    service = connected()
    service.init()
    remember(service)
    return service


def attempt(visit, number, request="r1"):
    return replace(visit, request=request, attempt=number)


@pytest.mark.parametrize("reason", ["startup", "resume", "compact"])
def test_of_two_attempts_the_later_one_delivers(known, visit, reason):
    visit = replace(visit, reason=reason)
    known.session.text(attempt(visit, 1))
    second = known.session.text(attempt(visit, 2)).text
    late = known.session.text(attempt(visit, 1))
    known.session.missed(attempt(visit, 1))

    assert "how to deploy" in second
    assert late == Delivered()
    assert known.session.turn(visit, "") == Delivered()


def test_an_attempt_that_comes_late_to_a_turn_says_nothing(known, visit):
    second = known.session.turn(attempt(visit, 2), "").text

    assert "how to deploy" in second
    assert known.session.turn(attempt(visit, 1), "") == Delivered()
    assert known.session.turn(attempt(visit, 1, "r2"), "") == Delivered()


def test_news_that_did_not_arrive_are_told_again_and_the_start_is_not(known, visit):
    known.session.start(visit)
    known.session.text(visit)
    known.rooms.sessions().bring_news([remember(known, "build")])
    first = known.session.turn(attempt(visit, 1), "").text
    known.session.missed(attempt(visit, 1))

    again = known.session.turn(attempt(visit, 1, "r2"), "").text

    assert "beacon/core/build.md" in again
    assert (again, "how to deploy" in again) == (first, False)
    assert known.session.turn(visit, "") == Delivered()


def test_every_pull_is_news_to_a_session_but_not_what_it_wrote(known, visit):
    known.session.start(visit)
    known.session.text(visit)
    own, other = remember(known, "own"), remember(known, "other")
    known.session.wrote(visit, [str(known.rooms.root / own)])
    known.rooms.sessions().bring_news([own, other])

    text = known.session.turn(visit, "").text

    assert str(other) in text
    assert str(own) not in text


def test_what_came_before_the_start_text_is_no_news(known, visit):
    known.session.start(visit)
    known.rooms.sessions().bring_news([remember(known, "build")])

    assert "how to build" in known.session.text(visit).text
    assert known.session.turn(visit, "") == Delivered()


def test_without_an_id_no_session_begins(known):
    nobody = Visit("claude-code", "", "startup")
    known.session.start(nobody)

    assert "how to deploy" in known.session.text(nobody).text
    assert known.session.live() == ()


def test_a_state_folder_that_cannot_be_written_costs_no_text(known, visit, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.EROFS, "read-only")

    monkeypatch.setattr("gitmem.sessions.live.write", fail)
    monkeypatch.setattr("gitmem.sessions.ledger.write", fail)
    known.session.start(visit)

    assert "how to deploy" in known.session.text(visit).text
    assert "how to deploy" in known.session.turn(visit, "").text
