"""Quoting what YAML rejects changes no field and no other byte."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.requote import requote

FOLDER = Path(__file__).parents[3] / "fixtures" / "frontmatter"
FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.md"))}
LINES = st.lists(
    st.sampled_from(
        ["a: b: c", "x: @y", "# z", "", "t: [a", "  - b", "'q", "e: 'it's'", "i: *a"]
    )
)


@pytest.mark.parametrize("name", FILES)
def test_quoting_changes_no_field_of_any_fixture(name):
    data = FILES[name]
    better = requote(data)
    assert (read(data).fields, better) == (read(better).fields, requote(better))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("at-sign.md", b"@scope/pkg", b'"@scope/pkg"'),
        ("apostrophe.md", b"'it's quoted'", b'"it\'s quoted"'),
        ("unclosed-quote.md", b'"not closed', b'"\\"not closed"'),
    ],
)
def test_only_the_rejected_text_gets_quotes(name, old, new):
    assert FILES[name].replace(old, new, 1) == requote(FILES[name])


@settings(max_examples=100, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_quoting_takes_any_head(lines, newline):
    data = newline.join(["---", *lines, "---", "a: b: c"]).encode()
    assert read(data).fields == read(requote(data)).fields
