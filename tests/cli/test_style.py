"""Text from files cannot act on a terminal, and colour obeys."""

import pytest

from gitmem.cli import style


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\\u000alines\tand a tab"),
        ("\x1b[2J\x07", "\\u001b[2J\\u0007"),
        ("a\rb", "a\\u000db"),
        ("right\u202eleft", "right\\u202eleft"),
        ("\N{SNOWMAN} 設備", "\N{SNOWMAN} 設備"),
    ],
    ids=["plain", "lines", "escape", "return", "bidi", "unicode"],
)
def test_text_is_spelled_safely(text, expected):
    assert style.safe(text) == expected


def test_a_text_keeps_its_lines():
    assert style.safe_lines("two\n\x1b[2Jlines") == "two\n\\u001b[2Jlines"


def test_colour_is_for_terminals_and_no_color_takes_it_away(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert style.has_colour(is_terminal=True)
    assert not style.has_colour(is_terminal=False)

    monkeypatch.setenv("NO_COLOR", "1")
    assert not style.has_colour(is_terminal=True)


def test_a_painted_name_is_safe_too():
    assert "\\u001b" in style.bold("\x1b]0;title")
