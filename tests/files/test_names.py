"""What may be a path inside a memory repository."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import PathRefused
from gitmem.files.names import confine, refusal, shown

EMPTY = 'it has an empty part, "." or ".."'
GIT = "it names Git's own folder"
INVISIBLE = "it has a control or invisible character"
UNHOLDABLE = "some file systems cannot hold this name"
DEVICE = "it is the name of a device on Windows"
LONG = "it is longer than 255 bytes"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", EMPTY),
        (".", EMPTY),
        ("..", EMPTY),
        (".git", GIT),
        (".GIT", GIT),
        (".Git ", GIT),
        (".git.", GIT),
        (".g\u200cit", GIT),
        ("\ufeff.git", GIT),
        (".\uff47it", GIT),
        ("git~1", GIT),
        ("GIT~12", GIT),
        ("a\nb", INVISIBLE),
        ("a\tb", INVISIBLE),
        ("a\x00b", INVISIBLE),
        ("a\x1b[2Jb", INVISIBLE),
        ("a\x7fb", INVISIBLE),
        ("a\u202eb", INVISIBLE),
        ("a\u2066b", INVISIBLE),
        ("a\u2028b", INVISIBLE),
        ("a\udcffb", INVISIBLE),
        ("a:b", UNHOLDABLE),
        (".git::$INDEX_ALLOCATION", UNHOLDABLE),
        ("a\\b", UNHOLDABLE),
        ("a?", UNHOLDABLE),
        ("a ", UNHOLDABLE),
        ("a.", UNHOLDABLE),
        ("CON", DEVICE),
        ("con.md", DEVICE),
        ("Nul .md", DEVICE),
        ("com1.tar.gz", DEVICE),
        ("COM\u00b9", DEVICE),
        ("CONIN$", DEVICE),
        ("a" * 256, LONG),
        ("\u00e9" * 128, LONG),
    ],
)
def test_a_name_that_is_refused_says_why(name, reason):
    assert refusal(name) == reason


@pytest.mark.parametrize(
    "name",
    [
        "user.md",
        ".gitignore",
        ".github",
        "git",
        "gitmem.md",
        "console.md",
        "com10.md",
        "com0.md",
        "a" * 255,
        "caf\u00e9.md",
        "cafe\u0301.md",
        "回滚.md",
        "\u06a9\u200c\u06cc.md",
        "👩\u200d💻.md",
        "-rf",
        "#draft.md",
        "a b.md",
    ],
)
def test_a_plain_name_is_allowed(name):
    assert refusal(name) == ""


@pytest.mark.parametrize(
    "text",
    [
        *("", "/", "//", "/etc/passwd", "..", "../x", "a/../b", "a/..", "./a", "a//b"),
        *("a/.git/config", "a/\n", "~/.ssh/../x", "a/./b", "C:/x", "\\\\host\\share"),
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(text):
    with pytest.raises(PathRefused) as caught:
        confine(text)

    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("core/user.md", "core/user.md"),
        ("core/", "core"),
        ("a b/ü.md", "a b/ü.md"),
        ("cafe\u0301.md", "cafe\u0301.md"),
    ],
    ids=["file", "folder", "spaces", "decomposed"],
)
def test_a_path_inside_is_kept_as_it_is(text, path):
    assert confine(text) == PurePosixPath(path)


def test_a_refusal_cannot_move_the_cursor():
    with pytest.raises(PathRefused) as caught:
        confine("notes/\x1b]0;owned\x07.md")

    assert caught.value.message == (
        "notes/\\u001b]0;owned\\u0007.md cannot be used: " + INVISIBLE + "."
    )


@given(st.text())
def test_whatever_is_let_through_stays_below_its_root(text):
    try:
        path = confine(text)
    except PathRefused:
        return

    assert not path.is_absolute()
    assert path.parts
    assert {"..", ".git"}.isdisjoint(part.casefold() for part in path.parts)


@given(st.text())
def test_what_is_shown_is_one_printable_line(text):
    assert all(character.isprintable() for character in shown(text))
