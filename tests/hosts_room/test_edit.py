"""Whatever a file holds, what gitmem puts into it comes out again, byte for byte."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.hosts import block, registry
from gitmem.hosts.edit import Element, Member
from gitmem.hosts.hookedit import Hook
from gitmem.hosts.place import Installation, Where, Wishes
from gitmem.hosts.tomledit import Table

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
    assert block.drop(once, "our lines\n", FRAME, before) == before
    assert block.drop(once, "our lines\n", FRAME, None).rstrip() == before.rstrip()


@given(LINES, LINES, NEWLINES)
def test_what_stands_around_the_block_stays(above, below, newline):
    before = "".join(f"{line}{newline}" for line in above)
    after = "".join(f"{line}{newline}" for line in below)

    text = block.put(before, "our lines", FRAME) + after

    assert block.drop(text, "our lines", FRAME, before) == before + after


def test_an_older_block_is_replaced_in_its_place():
    older = block.put("above\n", "same\nold", FRAME) + "below\n"

    newer = block.put(older, "same\nnew", FRAME)

    assert newer == block.put("above\n", "same\nnew", FRAME) + "old\nbelow\n"


def test_a_block_whose_end_is_gone_is_refused():
    text = block.put("", "lines", FRAME).replace("gitmem:end", "")

    with pytest.raises(ValueError, match="no gitmem:end"):
        block.put(text, "lines", FRAME)
    with pytest.raises(ValueError, match="no gitmem:end"):
        block.drop(text, "lines", FRAME, "")


def test_what_the_person_writes_into_the_block_stays():
    text = block.put("above\n", "one\ntwo", FRAME) + "below\n"
    edited = text.replace("two", "mine\ntwo")

    assert block.drop(edited, "one\ntwo", FRAME, "above\n") == "above\nmine\nbelow\n"


@pytest.mark.parametrize(
    "text",
    [
        "Never touch lines from gitmem:begin\nmine\nto gitmem:end ever.\n",
        "See <!-- gitmem:begin -->\nmine\n<!-- gitmem:end -->\n",
        "<!-- gitmem:begin -->\nmine\n<!-- gitmem:end -->\n",
        "<!-- gitmem:end -->\n- <!-- gitmem:begin -->\n",
    ],
    ids=repr,
)
def test_a_text_that_mentions_the_markers_stays(text):
    once = block.put(text, "our lines", FRAME)

    assert once.startswith(text)
    assert block.put(once, "our lines", FRAME) == once
    assert block.drop(once + "more\n", "our lines", FRAME, text) == text + "more\n"
    assert block.drop(text, "our lines", FRAME, None) == text


SERVER = Table(
    HOME, ("mcp_servers", "gitmem"), {"command": "/a/gitmem", "n": ["é\x7f"]}
)
TOML = {
    "nothing": "",
    "no line end": "a = 1",
    "CRLF": "a = 1\r\n# x",
    "a comment": "# mine\n\n",
    "a table": "[mcp_servers.x]\ncommand = 'x' # y\n",
    "strings": 'a = """\n# gitmem:begin\nuser ""\\"\n# gitmem:end\n"""""\n',
    "literal": "a = '''\n[mcp_servers.gitmem]\n'''\nb = '#'\n",
    "a list": "a = [\n  # one [\n  1, { b = ']' },\n]\n[[c.\"d.e\"]]\n[f]\n\n\n",
    "a note": SERVER.apply("").partition("\n")[0],
}
LATER = '\n[tui]\nx = 1\n\n[hooks.state."a:b"]\ntrusted_hash = "1"\n'


@pytest.fixture(params=list(TOML.values()), ids=list(TOML))
def toml(request):
    return request.param


def test_a_table_is_added_and_taken_out(toml):
    once = SERVER.apply(toml)

    held = tomllib.loads(once)
    assert held["mcp_servers"]["gitmem"] == SERVER.values
    assert held.keys() >= tomllib.loads(toml).keys()
    assert SERVER.apply(once) == once
    assert SERVER.revoke(once, toml) == toml
    assert SERVER.revoke(toml, None) == toml


def test_tables_that_the_host_adds_behind_ours_stay(toml):
    once = (SERVER.apply(toml) + LATER).replace("\r\n", "\n")
    assert SERVER.apply(once) == once

    left = SERVER.revoke(once, toml)

    assert left.endswith(LATER.lstrip())
    assert tomllib.loads(left) == tomllib.loads(toml) | tomllib.loads(LATER)


def test_keys_beside_ours_stay_while_the_table_does():
    mine = 'mode = "approve" # mine\n# why\n\n[mcp_servers.gitmem.tools.x]\na = 1\n'
    text = SERVER.apply("a = 1\n") + mine + LATER
    newer = Table(HOME, SERVER.keys, {"command": "/b/gitmem", "n": ["é\x7f"], "k": 1})

    out = newer.apply(text)

    server = tomllib.loads(out)["mcp_servers"]["gitmem"]
    assert server == {**newer.values, "mode": "approve", "tools": {"x": {"a": 1}}}
    assert out.endswith(mine + LATER)
    assert newer.apply(out) == out
    assert newer.revoke(out, "a = 1\n") == "a = 1\n# why\n" + LATER


def test_a_server_of_ours_is_known_without_its_note():
    text = "[mcp_servers.gitmem] # x\ncommand = '/old/gitmem' # y\nargs = [\n'mcp']\n"

    out = SERVER.apply(text)

    assert 'command = "/a/gitmem" # y\n' in out
    assert SERVER.revoke(text, None) == text


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers.gitmem]\na = 1\n",
        "[mcp_servers.gitmem]\ncommand = 'gitmem'\nargs = ['mcp']\n",
        "mcp_servers = {}\n",
        "mcp_servers.gitmem.command = '/x/gitmem'\n",
        "mcp_servers = 1\n",
        "= 1\n",
    ],
)
def test_a_file_that_would_be_no_toml_is_refused(text):
    with pytest.raises(ValueError, match=r"TOML|already"):
        SERVER.apply(text)
