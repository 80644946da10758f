"""Every known failure is listed, and shown by a test that exists."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
ROW = re.compile(r"^\| (\d+) \| .+ \| (.+) \|$", re.MULTILINE)
README = TESTS.joinpath("README.md").read_text("utf-8")
ROWS = {int(number): shown for number, shown in ROW.findall(README)}
NAME = re.compile(r"^def (test_\w+)\(", re.MULTILINE)


def names(path: Path) -> list[str]:
    return NAME.findall(path.read_text("utf-8"))


def numbers(path: Path) -> set[int]:
    """List the failures that the tests of a file carry in their names."""
    heads = [re.match(r"test_((?:\d\d(?:_and)?_)+)", name) for name in names(path)]
    return {int(n) for head in heads if head for n in re.findall(r"\d\d", head[1])}


def places(shown: str) -> list[tuple[str, str]]:
    """Read where a failure is shown: a file, and a test in it where one is named."""
    found = re.findall(r"`(\S+?\.py)(?:::(\w+))?`", shown)
    return [(path.removeprefix("tests/"), name) for path, name in found]


def is_shown(number: int, path: str, name: str) -> bool:
    if name:
        return name in names(TESTS / path)
    return number in numbers(TESTS / path)


def test_all_failures_are_listed():
    assert sorted(ROWS) == list(range(1, 85))


@pytest.mark.parametrize("number", ROWS)
def test_a_failure_is_shown_by_a_test_that_exists(number):
    shown = places(ROWS[number])

    assert shown
    assert [each for each in shown if not is_shown(number, *each)] == []
