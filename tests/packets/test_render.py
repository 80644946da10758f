"""A packet is one Markdown file, and reads back as it was."""

from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.packets.conftest import AT, ORIGIN

from gitmem.memory.load import load
from gitmem.packets import index
from gitmem.packets.check import told
from gitmem.packets.packet import Packet
from gitmem.packets.read import read
from gitmem.packets.render import document

TEXT = some.text(min_size=1, max_size=80)
LINES = some.lists(TEXT, max_size=4).map("\n## ".join)


@pytest.mark.parametrize("kind", ["handoff", "checkpoint"])
def test_a_packet_reads_back_as_it_was_written(kind, request):
    packet = request.getfixturevalue(kind)
    assert read(document(packet)) == packet


def test_its_frontmatter_is_that_of_a_memory_and_its_entry_in_the_index(handoff):
    memory = load(PurePosixPath("beacon/packets/a.md"), document(handoff), "beacon")
    assert memory.problems == ()
    assert memory.tags == ("auth", "backend")
    assert memory.title == "auth refactor"
    assert memory.description.startswith("Handoff, auth refactor: Replaced the")
    assert memory.fields["kind"] == "episode"
    assert memory.fields["timestamp"] == "2026-05-05T05:47:04.250Z"
    assert memory.fields["session"] == ORIGIN.session
    assert memory.fields["node"] == "b2"


def test_its_text_has_the_headings_of_its_kind(checkpoint):
    text = document(checkpoint).decode()
    headings = [line for line in text.split("\n") if line.startswith("#")]
    assert headings == [
        "# auth refactor",
        "## Current task",
        "## Changes since the last checkpoint",
        "## Risk",
        "## Pending decisions",
        "## Next step",
        "## Files",
    ]


@given(topic=TEXT, summary=LINES, goal=LINES, items=some.lists(LINES, max_size=3))
def test_whatever_is_said_reads_back(topic, summary, goal, items):
    said = {"topic": f"t {topic}", "summary": f"s {summary}"}
    said |= {"goal": goal, "decisions": items, "next": goal}
    packet = Packet(AT, told("handoff", said))
    assert read(document(packet)) == packet


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# a plain memory\n",
        b"---\npacket: summary\ntimestamp: 2026-05-05\n---\n",
        b"---\npacket: handoff\ntimestamp: yesterday\n---\n",
        b"---\npacket: [handoff]\ntimestamp: {a: b}\n---\n",
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_packet_is_none(data):
    assert read(data) is None


def test_a_packet_that_somebody_edited_is_read_as_far_as_it_goes():
    data = (
        b"\xef\xbb\xbf---\r\npacket: handoff\r\ntimestamp: 2026-05-05\r\n"
        b"files: [a.py, ../b.py]\r\ntags: one, two\r\nsession: [1]\r\n---\r\n"
        b"## Blockers\r\n\r\n- one\r\n  more\r\n\r\n## Mine\r\n\r\nfree text\r\n"
    )
    found = read(data)
    assert found is not None
    assert found.at == datetime(2026, 5, 5, tzinfo=UTC)
    assert found.told.files == ("a.py",)
    assert found.told.tags == ("one", "two")
    assert found.told.blockers == ("one\nmore",)
    assert found.origin.session == ""


def test_the_index_has_the_form_of_pi_warm_memory(handoff):
    path = PurePosixPath("packets/2026/05/a.md")
    assert list(index.lines([index.entry(path, handoff)])) == [
        '{"version":1,"kind":"thread-index","entries":[]}',
        (
            '{"version":1,"kind":"packet-ref","packetKind":"handoff",'
            '"threadId":"019dc293-286f","timestamp":"2026-05-05T05:47:04.250Z",'
            '"repo":"beacon","cwd":"","path":"packets/2026/05/a.md",'
            '"topic":"auth refactor","tags":["auth","backend"],'
            '"files":["src/auth.ts","docs/認証.md"],'
            '"summary":"Replaced the session-cookie auth with JWT."}'
        ),
    ]
