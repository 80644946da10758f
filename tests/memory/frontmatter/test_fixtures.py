"""Every file that somebody's tool or hand has made of frontmatter."""

import json
import re
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from gitmem.memory.frontmatter.edit import edit
from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import join, split
from gitmem.memory.load import load

FOLDER = Path(__file__).parents[3] / "fixtures" / "frontmatter"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text("utf-8"))
FILES = {name: (FOLDER / name).read_bytes() for name in EXPECTED}
EDITABLE = [name for name, data in FILES.items() if split(data).block("updated")]


def test_every_file_is_expected_and_every_expected_file_is_there():
    assert sorted(EXPECTED) == sorted(path.name for path in FOLDER.glob("*.md"))


@pytest.mark.parametrize("name", EXPECTED)
def test_file_is_listed_with_what_can_be_read_and_its_problems(name: str):
    memory = load(PurePosixPath(name), FILES[name], "global")

    assert EXPECTED[name] == {
        "description": memory.description,
        "tags": list(memory.tags),
        "problems": [f"{found.line} {found.code}" for found in memory.problems],
    }


def test_no_byte_is_lost_in_the_cutting():
    assert {name: join(split(data)) for name, data in FILES.items()} == FILES


@pytest.mark.parametrize("name", EDITABLE)
def test_rewriting_updated_changes_only_that_line(name: str):
    before = FILES[name]

    after = edit(before, {"updated": "2026-11-30"})

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    changed = [line for line, now in zip(old, new, strict=True) if line != now]
    assert [b"updated"] == [re.findall(rb"[a-z]+", line)[0] for line in changed]
    assert read(after).fields["updated"] == "2026-11-30"


def test_any_file_takes_a_field_and_gives_it_back():
    edited = {
        name: edit(data, {"conflict_of": "notes/a: b.md"})
        for name, data in FILES.items()
    }

    values = {name: read(data).fields["conflict_of"] for name, data in edited.items()}
    assert values == dict.fromkeys(FILES, "notes/a: b.md")


def test_any_file_keeps_its_text_when_a_field_is_added():
    kept = {
        name: split(data).body in edit(data, {"conflict_of": "notes/a.md"})
        for name, data in FILES.items()
    }

    assert kept == dict.fromkeys(FILES, True)


def test_enough_files_are_edited_and_enough_are_without_a_problem():
    clean = [name for name in EXPECTED if not EXPECTED[name]["problems"]]

    assert len(EDITABLE) > 60
    assert len(clean) > 20
