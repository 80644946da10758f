"""It is remembered where hosts keep their transcripts."""

import json

import pytest

from gitmem.sessions import roots


def test_a_place_that_was_seen_is_known_the_last_one_first(tmp_path):
    folder = tmp_path / "sessions"
    roots.note(folder, "pi", "/one")
    roots.note(folder, "pi", "/two")
    roots.note(folder, "pi", "/one")
    roots.note(folder, "claude-code", "/three")

    assert roots.known(folder) == {"pi": ("/two", "/one"), "claude-code": ("/three",)}


def test_only_so_many_are_kept(tmp_path):
    several = [f"/{number}" for number in range(20)]
    (tmp_path / roots.FILE_NAME).write_text(json.dumps({"pi": several}), "utf-8")
    roots.note(tmp_path, "pi", "/new")

    assert roots.known(tmp_path) == {"pi": ("/new", *several[: roots.KEPT - 1])}


@pytest.mark.parametrize("root", ["", "relative", "/a\0b"])
def test_what_is_no_place_is_not_kept(root, tmp_path):
    roots.note(tmp_path, "pi", root)

    assert roots.known(tmp_path) == {}


@pytest.mark.parametrize("text", ["", "[]", '{"pi": 3}', '{"pi": [3]}'])
def test_what_cannot_be_read_is_nothing(text, tmp_path):
    (tmp_path / roots.FILE_NAME).write_text(text, "utf-8")

    assert not any(roots.known(tmp_path).values())


def test_where_nothing_can_be_kept_nothing_is_raised(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")

    roots.note(tmp_path / "file" / "below", "pi", "/one")
