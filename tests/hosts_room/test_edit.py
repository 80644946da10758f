"""Whatever a file holds, what gitmem puts into it comes out again, byte for byte."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.hosts import block, registry
from gitmem.hosts.edit import Block, Element, Member
from gitmem.hosts.hookedit import Hook
from gitmem.hosts.place import Installation, Where, Wishes

HOME = Path("/home/pat")
PACKAGE = Path(registry.__file__).parents[1]
OWN = Path("/home/pat/own")
INSTALLATION = Installation(
    "1.0", Path("/opt/a b/python"), PACKAGE, ("/opt/gitmem",), OWN, OWN
)
EDITS = {
    name: [
        edit
        for edit in registry.plan(
            name, Where(HOME), INSTALLATION, Wishes(replaces_auto_memory=True)
        ).edits
        if isinstance(edit, Element | Hook | Member)
    ]
    for name in ("claude-code", "codex", "opencode", "pi")
}
FRAME = ("<!-- ", " -->")
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
LEAVES = st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=3), SCALARS)
NAMED = st.dictionaries(st.sampled_from(["x", "y@z", "Stop"]), LEAVES, max_size=2)
HOOKS = st.dictionaries(
    st.sampled_from(["Stop", "SessionStart", "Other"]), st.lists(LEAVES, max_size=2)
)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "model": SCALARS,
        "autoMemoryEnabled": st.booleans(),
        "enabledPlugins": NAMED,
        "extraKnownMarketplaces": NAMED,
        "mcp": NAMED,
        "packages": st.lists(st.sampled_from(["npm:x", "../y"]), max_size=2),
        "hooks": HOOKS,
        "é": LEAVES,
    },
)
LAYOUTS = st.sampled_from(
    [{"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}, {"indent": 0}, {}]
)
ENDS = st.sampled_from(["", "\n", "\r\n", "\n\n"])
NEWLINES = st.sampled_from(["\n", "\r\n"])
LINES = st.lists(st.text(alphabet="ab #<!->é", max_size=6), max_size=5)


def applied(edits, text):
    for edit in edits:
        text = edit.apply(text)
    return text


def revoked(edits, text, original):
    for edit in reversed(edits):
        text = edit.revoke(text, original)
    return text


@pytest.mark.parametrize("name", EDITS)
@given(DOCUMENTS, LAYOUTS, ENDS, NEWLINES)
def test_any_settings_come_back(name, document, layout, end, newline):
    before = (json.dumps(document, **layout) + end).replace("\n", newline)

    once = applied(EDITS[name], before)

    assert once != before
    assert json.loads(once).keys() >= document.keys()
    assert applied(EDITS[name], once) == once
    assert revoked(EDITS[name], once, before) == before


@pytest.mark.parametrize("name", EDITS)
def test_nothing_comes_back_as_nothing(name):
    assert revoked(EDITS[name], applied(EDITS[name], ""), "") == ""


@given(LINES, ENDS, NEWLINES)
def test_any_text_comes_back(lines, end, newline):
    before = "\n".join(lines).replace("\n", newline) + end

    once = block.put(before, "our lines\n", FRAME)

    assert block.put(once, "our lines\n", FRAME) == once
    assert block.drop(once, before) == before
    assert block.drop(once, None).rstrip() == before.rstrip()


@given(LINES, LINES, NEWLINES)
def test_what_stands_around_the_block_stays(above, below, newline):
    before = "".join(f"{line}{newline}" for line in above)
    after = "".join(f"{line}{newline}" for line in below)

    text = block.put(before, "our lines", FRAME) + after

    assert block.drop(text, before) == before + after


def test_an_older_block_is_replaced_in_its_place():
    older = block.put("above\n", "old", FRAME) + "below\n"

    newer = block.put(older, "new", FRAME)

    assert newer == older.replace("old", "new")


def test_a_block_whose_end_is_gone_is_not_taken_for_one():
    text = block.put("", "lines", FRAME).replace("gitmem:end", "")

    assert block.drop(text, "") == text


@pytest.mark.parametrize(
    "text", ["[mcp_servers.gitmem]\na = 1\n", "mcp_servers = {}\n", "= 1\n"]
)
def test_a_file_that_would_be_no_toml_is_refused(text):
    edit = Block(HOME, "[mcp_servers.gitmem]\nb = 1\n", ("# ", ""), "toml")

    with pytest.raises(ValueError, match=r"TOML|already"):
        edit.apply(text)
