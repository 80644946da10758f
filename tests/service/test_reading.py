"""What a session reads after a cue comes a little earlier in the next one."""

import json
from dataclasses import replace

import pytest

from gitmem.app import Caller
from gitmem.service.answers import Visit
from gitmem.service.service import Service

NOTE = '---\ndescription: how the {} is laid out\nupdated: "2026-01-01"\n---\n'
FIRST = "beacon/notes/archive.md"
SECOND = "beacon/notes/workshop.md"
PROMPT = "where is the archive, and the workshop?"


@pytest.fixture
def cued(connected):
    """Name the memories of which a session is told, in their order."""
    service = connected(GITMEM_DELIVERY__START="[]")
    service.init()
    (service.rooms.root / "beacon/notes").mkdir(parents=True)
    (service.rooms.root / FIRST).write_text(NOTE.format("archive"), "utf-8")
    (service.rooms.root / SECOND).write_text(NOTE.format("workshop"), "utf-8")
    service.index()

    def ask(session):
        said = service.session.turn(Visit("claude-code", session), PROMPT).text
        places = (line for line in said.splitlines() if line.startswith("  path: "))
        root = f"  path: {service.rooms.root}/"
        return [place.removeprefix(root) for place in places]

    return ask


@pytest.fixture
def read(connected):
    """Read a memory on behalf of a session of Claude Code."""

    def ask(path, session):
        rooms = replace(connected().rooms, caller=Caller("claude-code", session))
        return Service(rooms).read(path)

    return ask


@pytest.fixture
def end(connected, tmp_path):
    """End a session that called a tool, as its transcript says."""

    def ask(session, tool, arguments, host="claude-code"):
        service = connected()
        root = str(service.rooms.root)
        said = {key: text.replace("{root}", root) for key, text in arguments.items()}
        call = {"type": "tool_use", "id": "t1", "name": tool, "input": said}
        entry = {
            "type": "assistant",
            "uuid": "u1",
            "sessionId": session,
            "timestamp": "2026-03-02T09:00:00.000Z",
            "message": {"role": "assistant", "content": [call]},
        }
        transcript = tmp_path / "projects" / "beacon" / f"{session}.jsonl"
        transcript.parent.mkdir(parents=True, exist_ok=True)
        transcript.write_text(f"not json\n{json.dumps(entry)}\n", "utf-8")
        visit = Visit(host, session, "startup", transcript=str(transcript))
        service.session.start(visit)
        service.session.end(host, session)

    return ask


def test_what_was_read_after_a_cue_comes_earlier(cued, read):
    assert cued("s1") == [FIRST, SECOND]

    read(SECOND, "s1")

    assert cued("s2") == [SECOND, FIRST]


def test_what_was_read_without_a_cue_stays_where_it_is(cued, read):
    read(SECOND, "s1")

    assert cued("s2") == [FIRST, SECOND]


def test_what_a_hosts_own_tool_opened_after_a_cue_counts_as_its_session_ends(cued, end):
    cued("s1")
    end("s1", "Read", {"file_path": "{root}/" + SECOND})

    assert cued("s2") == [SECOND, FIRST]


def test_what_a_shell_printed_after_a_cue_counts_too(cued, end):
    cued("s1")
    end("s1", "Bash", {"command": "head -3 '{root}/" + SECOND + "'"})

    assert cued("s2") == [SECOND, FIRST]


@pytest.mark.parametrize("host", ["claude-code", "opencode"])
def test_what_another_file_or_host_says_counts_for_nothing(cued, end, host):
    cued("s1")
    end("s1", "Read", {"file_path": "/elsewhere/" + SECOND}, host=host)

    assert cued("s2") == [FIRST, SECOND]


def test_a_session_counts_once_however_often_it_reads(cued, read):
    cued("s1")
    cued("s2")
    read(SECOND, "s1")
    read(SECOND, "s1")
    read(SECOND, "s1")
    read(FIRST, "s1")
    read(FIRST, "s2")

    assert cued("s3") == [FIRST, SECOND]


def test_a_lost_catalog_loses_the_counts_and_nothing_else(cued, read, connected):
    cued("s1")
    read(SECOND, "s1")
    service = connected(GITMEM_DELIVERY__START="[]")
    with service.rooms.catalog() as catalog:
        (catalog.folder / "current").unlink()
    service.index()

    assert cued("s2") == [FIRST, SECOND]
