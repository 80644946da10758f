"""What a session is given stays below what its host takes, and is given once."""

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
