"""Scenarios are told rightly, and each way of telling wrongly is noticed."""

import importlib
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from gitmem.attention import score, weights, withheld
from gitmem.memory import unspoken
from gitmem.service import attending, view

EVALS = Path(__file__).parents[2] / "evals"
SCENARIOS = sorted(path.stem for path in (EVALS / "scenarios").glob("*.toml"))


@pytest.fixture(scope="module")
def run():
    sys.path.insert(0, str(EVALS))
    yield importlib.import_module("run")
    sys.path.remove(str(EVALS))


@pytest.fixture
def play(run, tmp_path):
    """Play a scenario by its name."""
    return lambda name: run.play(run.SCENARIOS / f"{name}.toml", tmp_path / name)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_told_rightly(play, name):
    outcome = play(name)

    assert outcome.violations == ()
    assert outcome.needed == outcome.told


def test_the_same_scenario_gives_the_same_outcome(run, tmp_path):
    path = run.SCENARIOS / "crowd.toml"

    outcomes = [run.play(path, tmp_path / each) for each in ("one", "two")]

    assert outcomes[0].noise == outcomes[1].noise
    assert outcomes[0].told == outcomes[1].told


def test_a_broken_floor_is_noticed(play, monkeypatch):
    monkeypatch.setattr(weights, "FLOOR", 0.0)

    assert any("not quiet" in each for each in play("everyday").violations)


def test_a_dropped_trigger_is_noticed(play, monkeypatch):
    monkeypatch.setattr(weights, "TRIGGER", replace(weights.TRIGGER, points=0.0))

    assert play("sensitive").violations == (
        "turn 3: needed and never named: beacon/records/health.md",
    )


def test_a_leaked_sensitive_memory_is_noticed(play, monkeypatch):
    monkeypatch.setattr(withheld, "_is_meant", lambda _judged: True)

    assert "turn 1: forbidden: beacon/records/health.md" in play("sensitive").violations


def test_a_stale_memory_told_as_current_is_noticed(play, monkeypatch):
    monkeypatch.setattr(unspoken, "over", lambda _traits, _today: "")

    assert (
        "turn 1: stale and told as current: beacon/records/employer-old.md"
        in play("stale").violations
    )


def test_a_start_that_tells_what_is_over_is_noticed(play, monkeypatch):
    monkeypatch.setattr(unspoken, "over", lambda _traits, _today: "")

    found = play("start").violations

    assert {"start: forbidden: Northwind", "start: forbidden: #vpn"} <= {*found}
    assert "start: forbidden: allergy" not in found


def test_a_start_that_tells_what_is_sensitive_is_noticed(play, monkeypatch):
    monkeypatch.setattr(view, "unspoken", partial(unspoken.unspoken, is_meant=True))

    found = play("start").violations

    assert {"start: forbidden: allergy", "start: forbidden: merger"} <= {*found}


def test_a_binding_memory_that_is_only_cued_is_noticed(play, monkeypatch):
    monkeypatch.setattr(score, "WHOLE_KINDS", frozenset())

    assert (
        "turn 2: needed and never named: beacon/core/backup.md"
        in play("binding").violations
    )


def test_a_critical_memory_that_is_only_cued_is_noticed(play, monkeypatch):
    monkeypatch.setattr(score.Judged, "is_whole", property(lambda _judged: False))

    assert (
        "turn 1: binds and was only cued: beacon/core/friday.md"
        in play("binding").violations
    )


def test_another_projects_memory_is_noticed(play, monkeypatch):
    monkeypatch.setattr(attending, "_layers", lambda _rooms: ("beacon", "lantern"))

    assert "turn 1: forbidden: lantern/core/deploy.md" in play("everyday").violations


def test_a_prompt_that_is_not_widened_is_noticed(play, monkeypatch):
    monkeypatch.setattr(attending, "last_turns", lambda _host, _path: ())

    assert (
        "turn 1: needed and never named: beacon/notes/hotel.md"
        in play("thin").violations
    )


def test_chatter_that_buries_the_prompt_is_noticed(play, monkeypatch):
    monkeypatch.setattr(weights, "BEFORE", 3.0)

    assert play("chatter").violations == ("turn 1: not first: beacon/notes/booking.md",)


def test_a_read_that_counts_for_nothing_is_noticed(play, monkeypatch):
    monkeypatch.setattr(weights, "READ", replace(weights.READ, points=0.0))

    assert "turn 3: not first: beacon/notes/relay.md" in play("useful").violations


def test_a_read_that_outweighs_what_is_said_is_noticed(play, monkeypatch):
    monkeypatch.setattr(weights, "READ", replace(weights.READ, points=400.0))

    assert play("useful").violations == ("turn 5: not first: beacon/notes/mailer.md",)


def test_a_rule_that_is_not_followed_is_noticed(play, monkeypatch):
    monkeypatch.setattr(weights, "RULE", replace(weights.RULE, points=0.0))

    assert (
        "turn 2: needed and never named: beacon/records/terms.md"
        in play("rules").violations
    )


def test_a_turn_that_says_too_much_is_noticed(run, play, monkeypatch):
    monkeypatch.setattr(run, "AT_MOST", 100)

    assert any("too long" in each for each in play("everyday").violations)


def test_a_turn_without_a_place_for_open_loops_is_noticed(play, monkeypatch):
    monkeypatch.setattr(weights, "RESERVED_FOR_OPEN", 0)
    monkeypatch.setattr(weights, "OPEN", replace(weights.OPEN, points=-40.0))

    assert (
        "turn 1: needed and never named: beacon/records/promise.md"
        in play("crowd").violations
    )
