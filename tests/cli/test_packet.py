"""Packets from the command line: written, listed, shown, indexed, recalled."""

import json

import pytest

from gitmem.cli.commands import packet as packet_command

SAID = {
    "topic": "auth refactor",
    "summary": "JWT in place of cookies.",
    "tags": ["auth", "backend"],
    "files": ["src/auth.ts"],
    "decisions": ["an hour of life"],
    "next": "Write the migration.",
}
FAKE_KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture
def packet(gitmem, memory):
    """Run `gitmem packet ARGS` where there is a memory."""
    return lambda *arguments, **more: gitmem("packet", *arguments, **more)


def never():
    raise AssertionError("standard input was read")


@pytest.fixture
def archived(packet):
    """Write a handoff from JSON."""
    return packet("new", "--json", stdin=json.dumps(SAID)).json


def test_a_packet_is_written_from_json(archived, memory):
    text = (memory / archived["path"]).read_text("utf-8")
    assert "title: auth refactor\n" in text
    assert "## Decisions\n\n- an hour of life\n" in text


def test_options_go_before_what_is_piped(packet, memory):
    said = packet(
        *("new", "--topic", "other", "--tags", "one, two", "--decision", "a"),
        *("--decision", "b", "--stdin", "--json"),
        stdin=json.dumps(SAID),
    ).json["packet"]["told"]
    assert said["topic"] == "other"
    assert said["tags"] == ["one", "two"]
    assert said["decisions"] == ["a", "b"]
    assert said["summary"] == SAID["summary"]


def test_every_field_of_both_kinds_is_an_option(packet, memory):
    handoff = packet(
        *("new", "--topic", "t", "--summary", "s", "--goal", "g", "--command", "c"),
        *("--blocker", "b", "--question", "q", "--next", "n", "--file", "a.py"),
    )
    checkpoint = packet(
        *("new", "--kind", "checkpoint", "--task", "t", "--summary", "s"),
        *("--change", "c", "--risk", "r", "--pending-decision", "p", "--next", "n"),
    )
    assert handoff.out.startswith("Archived beacon/packets/")
    assert "1 file" in handoff.out
    assert checkpoint.status == 0


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--kind", "summary"), 2, "'summary' is not one of"),
        (("--topic", "t" * 161), 1, "topic has 161 characters; 160 is the most"),
        (("--file", "/etc/passwd"), 1, "is not a path inside the project"),
        (("--next", f"use {FAKE_KEY}"), 1, "seems to hold a credential"),
    ],
    ids=["kind", "long", "outside", "secret"],
)
def test_what_cannot_be_is_refused_in_one_line(packet, memory, arguments, status, said):
    refused = packet("new", *arguments, "--stdin", stdin=json.dumps(SAID))
    assert refused.status == status
    [error, _hint] = refused.err.splitlines()
    assert said in error
    assert not (memory / "beacon" / "packets").exists()


@pytest.mark.parametrize("text", ["{", "[1]", '"a"', "[" * 100_000])
def test_what_is_no_json_object_is_wrong_usage(packet, text):
    refused = packet("new", stdin=text)
    assert refused.status == 2
    assert "Standard input is no JSON" in refused.err


def test_an_open_pipe_holds_up_no_packet_that_options_say(packet, monkeypatch):
    monkeypatch.setattr(packet_command, "_piped", never)
    done = packet("new", "--topic", "t", "--summary", "s")
    assert done.out.startswith("Archived beacon/packets/")


def test_the_kind_may_be_a_field_and_an_option_goes_before_it(packet):
    said = {"kind": "checkpoint", "task": "t", "summary": "s"}
    by_field = packet("new", "--json", stdin=json.dumps(said)).json["packet"]["told"]
    by_option = packet("new", "--stdin", "--kind", "handoff", stdin=json.dumps(said))
    unknown = packet("new", stdin=json.dumps({**said, "kind": ["x"]}))
    assert (by_field["kind"], by_field["topic"]) == ("checkpoint", "t")
    assert "A handoff has no field task." in by_option.err
    assert unknown.status == 2
    assert "There is no kind of packet called" in unknown.err


def test_without_anything_it_is_said_what_lacks(packet):
    refused = packet("new")
    assert refused.status == 1
    assert "The packet has no topic." in refused.err


def test_packets_are_listed_and_the_newest_is_shown(archived, packet):
    listed = packet(
        "list", "--kind", "handoff", "--tags", "auth", "--since", "2020-01-01"
    )
    shown = packet("show")
    assert archived["path"] in listed.out
    assert "auth refactor" in listed.out
    assert shown.out.startswith("---\ndescription:")
    assert packet("show", archived["path"], "--json").json["text"] == shown.out
    assert (
        packet("list", "--kind", "checkpoint").out == "There is no packet that fits.\n"
    )


def test_the_list_tells_programs_all_that_a_packet_says(archived, packet):
    [listed] = packet("list", "--json").json["packets"]
    assert listed["packet"]["told"] == archived["packet"]["told"]
    assert listed["packet"]["told"]["decisions"] == SAID["decisions"]


def test_only_a_packet_is_shown_as_one(archived, packet, memory):
    broken = memory / archived["path"].replace("auth", "broken")
    broken.write_bytes(b"---\npacket: [\n---\nLost.\n")
    refused = packet("show", "core/deploy.md")
    assert refused.status == 1
    assert refused.err == (
        "error: beacon/core/deploy.md is no packet.\n"
        "hint: `gitmem packet list` lists the packets; `gitmem read` prints any"
        " memory.\n"
    )
    assert "Lost." in packet("show", str(broken.relative_to(memory))).out


def test_the_index_is_lines_of_json(archived, packet, project):
    head, line = packet("index").out.splitlines()
    assert json.loads(head) == {"version": 1, "kind": "thread-index", "entries": []}
    entry = json.loads(line)
    assert list(entry) == [
        *("version", "kind", "packetKind", "threadId", "timestamp", "repo", "cwd"),
        *("path", "topic", "tags", "files", "summary"),
    ]
    assert f"beacon/{entry['path']}" == archived["path"]
    assert entry["cwd"] == str(project)
    assert packet("index", "--json").json == {"entries": [entry]}


def test_a_packet_is_recalled_with_its_path_and_why(archived, gitmem):
    found = gitmem("recall", "cookies")
    assert f"1. path: {archived['path']}\n" in found.out
    assert "   why: description: cookies" in found.out
    assert "Read the one to three that bear on the task" in found.out
    [hit] = gitmem("recall", "cookies", "--json").json["hits"]
    assert hit["path"] == archived["path"]


def test_what_does_not_fit_is_not_recalled(archived, gitmem):
    some = gitmem("recall", "auth", "--tags", "auth,backend", "--kind", "handoff")
    none = gitmem("recall", "auth", "--tags", "auth,frontend")
    later = gitmem("recall", "auth", "--since", "2999-01-01", "--notes")
    other = gitmem("recall", "zeppelin")
    assert "1. path:" in some.out
    assert none.out.startswith("Nothing found: there is no packet that fits.\n")
    assert later.out.startswith("Nothing found: there is no memory that fits.\n")
    assert other.out.startswith("Nothing found among the 1 packet that fit.\n")


@pytest.mark.parametrize(
    "arguments",
    [("--since", "yesterday"), ("--since", "2026-13-01"), ("--kind", "summary")],
)
def test_a_bad_date_or_kind_is_wrong_usage(archived, gitmem, arguments):
    refused = gitmem("recall", "auth", *arguments)
    assert refused.status == 2
    assert arguments[1] in refused.err


def test_other_memories_come_along_where_they_are_wanted(archived, gitmem):
    gitmem("write", "notes/a.md", "--description", "auth of old", stdin="Old auth.\n")
    found = gitmem("recall", "auth", "--notes", "--json").json["hits"]
    assert {hit["kind"] for hit in found} == {"handoff", "note"}
