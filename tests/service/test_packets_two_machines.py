"""A packet of one machine is recalled on another."""

import pytest

from gitmem.packets.read import read
from gitmem.service.packet_answers import Said, Wanted


def handoff(**more):
    said = {"topic": "auth refactor", "summary": "JWT in place of cookies.", **more}
    return Said("handoff", said)


@pytest.fixture
def machines(connected, bare_remote):
    """Two machines that share a memory."""
    oak, elm = connected("oak"), connected("elm")
    oak.init(str(bare_remote))
    oak.write("core/a.md", b"Text.\n", {"description": "a"})
    oak.sync()
    elm.init(str(bare_remote))
    return oak, elm


def test_what_one_archives_the_other_recalls(machines):
    oak, elm = machines
    filed = oak.packets.archive(handoff())
    oak.sync()
    elm.sync()

    [hit] = elm.packets.recall(Wanted("JWT")).hits

    assert hit.path == filed.path
    assert elm.read(str(hit.path)).data == oak.read(str(hit.path)).data


def test_two_packets_of_one_moment_and_one_topic_are_both_kept(machines):
    oak, elm = machines
    oak.packets.archive(handoff(next="from oak", decisions=["oak"]))
    elm.packets.archive(handoff(next="from elm", decisions=["elm"]))
    oak.sync()
    elm.sync()
    oak.sync()

    folder = oak.rooms.root / "beacon" / "packets" / "2026" / "03"
    packets = [read(path.read_bytes()) for path in sorted(folder.glob("*.md"))]
    found = [packet.told for packet in packets if packet is not None]

    assert sorted(told.next for told in found) == ["from elm", "from oak"]
    assert {told.next: told.decisions for told in found} == {
        "from elm": ("elm",),
        "from oak": ("oak",),
    }
