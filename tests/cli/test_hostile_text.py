"""What a stranger wrote into a memory is shown, and cannot act on a terminal."""

import os

import pytest

ESCAPE = "\x1b]0;owned\x07"
SHOWN = [
    ["check"],
    ["sync"],
    ["sync", "status"],
    ["log"],
    ["search", "wombat"],
    ["search", "--grep", "wombat"],
    ["search", "--tag", "evil"],
    ["search", "nothing"],
    ["context"],
    ["doctor"],
    ["settings"],
    ["refresh"],
]


@pytest.fixture
def hostile(gitmem, memory, project):
    """Lay down names, fields and texts with escapes in them."""
    core = memory / "beacon" / "core"
    head = f"---\ndescription: 'evil {ESCAPE}'\ntags: ['evil {ESCAPE}']\n---\n"
    (core / "evil.md").write_text(f"{head}# wombat {ESCAPE}\n\u202ewombat\n", "utf-8")
    (core / f"name{ESCAPE.replace('/', '')}.md").write_text("wombat\n", "utf-8")
    (core / os.fsdecode(b"raw\xff.md")).write_text("wombat\n", "utf-8")
    (project / ".gitmem.toml").write_text('x = "\\u001b]0;owned"\n', "utf-8")


@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_no_command_hands_an_escape_to_the_terminal(gitmem, hostile, arguments, form):
    said = gitmem(*arguments, *form)

    shown = (said.out + said.err).replace("\n", "").replace("\t", "")
    assert "Unexpected" not in said.err
    assert [c for c in shown if not c.isprintable()] == []
    assert not form or said.json is not None
