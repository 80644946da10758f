"""The lines of an index say which file they are about."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.importers.hooks import Hook, lines, path_of


def only(text):
    (found,) = lines(text)
    return found


@pytest.mark.parametrize(
    ("line", "target", "title", "hook"),
    [
        ("- [T](f.md) — why", "f.md", "T", "why"),
        ("- [T](f.md) - why", "f.md", "T", "why"),
        ("* [T](f.md): why", "f.md", "T", "why"),
        ("1. [T](f.md)", "f.md", "T", ""),
        ("- **[T](f.md)** — why", "f.md", "T", "why"),
        ("- [T](<a b.md>) – why: so", "a b.md", "T", "why: so"),
        ("- [T](a%20b.md) why", "a b.md", "T", "why"),
        ("- [T](a(1).md) — why", "a(1).md", "T", "why"),
        ("- [T](./f.md#part) — why", "./f.md", "T", "why"),
        ("  - [日本](日本.md) — 略語", "日本.md", "日本", "略語"),
        ("- [[f]] — why", "f", "", "why"),
        ("- [[f|T]]", "f", "T", ""),
    ],
)
def test_a_line_names_a_file(line, target, title, hook):
    found = only(line)
    assert isinstance(found, Hook)
    assert (found.target, found.title, found.hook) == (target, title, hook)


@pytest.mark.parametrize(
    "line",
    [
        "# Memory",
        "plain words with [a link](f.md) in them",
        "- [T](https://example.invalid/x) — web",
        "- [T](mailto:a@example.invalid)",
        "- [T]() — nothing",
        "",
        "- [T](f.md) " + "x" * 6_000,
    ],
)
def test_other_lines_are_words(line):
    assert not isinstance(only(line), Hook)


def test_a_line_in_a_code_block_is_words():
    found = list(lines("```\n- [T](f.md) — why\n```\n- [T](f.md) — why"))
    assert [isinstance(each, Hook) for each in found] == [False, False, False, True]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("a/../f.md", PurePosixPath("f.md")),
        ("./f.md", PurePosixPath("f.md")),
        ("../f.md", None),
        ("/etc/passwd", None),
        ("~/f.md", None),
    ],
)
def test_a_path_is_one_below_the_store_or_none(target, expected):
    assert path_of(Hook(1, "", target, "", "")) == expected


@given(st.text(max_size=200))
def test_every_line_is_given_once(text):
    written = text.replace("\r\n", "\n").split("\n")
    assert [each.written for each in lines(text)] == written
