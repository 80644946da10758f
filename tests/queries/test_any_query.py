"""Whatever is asked, at whatever door: an answer or a plain refusal, and in time."""

import pytest


@pytest.mark.slow
def test_the_catalog_takes_any_query(asked, by_catalog, queries):
    assert asked(by_catalog, queries) == {}


@pytest.mark.slow
def test_ripgrep_takes_any_pattern_or_says_what_is_wrong(asked, by_pattern, queries):
    assert asked(by_pattern, queries) == {}


@pytest.mark.slow
def test_a_turn_takes_any_prompt(asked, by_turn, queries):
    assert asked(by_turn, queries) == {}


@pytest.mark.slow
def test_the_command_line_takes_any_query(asked, by_command, queries):
    assert asked(by_command, queries) == {}


@pytest.mark.slow
def test_the_server_takes_any_query(asked, by_server, queries):
    assert asked(by_server, queries) == {}
