"""What was said after an anchor is read from the host's own transcript."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.errors import NotFound
from gitmem.hosts.entry import MESSAGE
from gitmem.tape.anchor import HANDOFF, THREAD, Meta, draft
from gitmem.tape.threads import CREATE, event

RECORDED = Path(__file__).parents[2] / "fixtures" / "transcripts"
WORK = "/home/sam/code/beacon"
OPEN = {"GITMEM_TAPE__ENABLED": "true", "GITMEM_TAPE__ONLY_GIT": "false"}
# Where a host keeps its sessions, what of a folder's name it does not keep, and how it
# goes on with one.
HOSTS = {
    "claude-code-2.1.332": (".claude/projects", "[^A-Za-z0-9]", "claude --resume"),
    "pi-0.73.1": (".pi/agent/sessions", "/", "pi --session"),
    "pi-1.6.0": (".pi/agent/sessions", "/", "pi --session"),
    "codex-0.171.0": (".codex/sessions", "/", "codex resume"),
}


@pytest.fixture
def service(connected, tmp_path):
    made = connected(TMPDIR=str(tmp_path / "tmp"), **OPEN)
    made.init()
    return made


@pytest.fixture
def record(service, tmp_path):
    """Lay what a host recorded where it would be, as if done in this project."""

    def lay(name):
        root = str(service.rooms.project.root)
        target = tmp_path / "oak" / HOSTS[name][0]
        for file in (RECORDED / name).rglob("*.jsonl"):
            place = str(file.relative_to(RECORDED / name))
            slug = re.sub(HOSTS[name][1], "-", root.strip("/"))
            path = target / place.replace("home-sam-code-beacon", slug)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.read_text("utf-8").replace(WORK, root), "utf-8")
        return min(service.rooms.transcripts().sessions(), key=lambda it: it.started)

    return lay


def set_anchor(service, session, entry):
    made = draft("task/x", HANDOFF, Meta(), session=session, entry=entry)
    return service.rooms.tape().set(made)


@pytest.mark.parametrize("name", HOSTS)
def test_it_begins_with_the_agents_first_answer(name, service, record):
    session = record(name)
    entries = tuple(service.rooms.transcripts().entries(session))
    asked = next(e for e in entries if e.role == "user" and "eighth" in e.text)
    anchor = set_anchor(service, session.id, asked.id)

    played = service.tape.replay(anchor.id)

    texts = [each.text for each in played.entries if each.text]
    assert played.entries[0].role == "assistant"
    assert "Change the eighth line." not in texts
    assert texts[-1] == "Went on."
    assert played.resume == f"cd {session.cwd} && {HOSTS[name][2]} {session.id}"


def test_what_came_before_the_anchor_is_left_out(service, record):
    session = record("claude-code-2.1.332")
    said = [e for e in service.rooms.transcripts().entries(session) if e.text]
    last = [e for e in said if e.kind == MESSAGE and e.role == "assistant"][-1]
    anchor = set_anchor(service, session.id, last.id)

    played = service.tape.replay(anchor.id)

    assert (played.entries, played.note) == (
        (),
        "The agent said nothing after this anchor.",
    )


def test_an_anchor_without_an_entry_is_found_by_its_moment(service, record):
    session = record("claude-code-2.1.332")
    service.rooms.tape().add(draft("x", HANDOFF, Meta(), session=session.id))
    [anchor] = service.rooms.tape().anchors()

    played = service.tape.replay(anchor.id)

    assert anchor.at + timedelta(days=1) < played.entries[0].at
    assert played.entries[-1].text == "Went on."


def test_the_tools_that_were_called_are_named_with_their_files(service, record):
    session = record("claude-code-2.1.332")
    anchor = set_anchor(service, session.id, "")

    tools = [t for e in service.tape.replay(anchor.id).entries for t in e.tools]

    assert any(re.fullmatch(r"Edit .*notes\.txt|Edit .+", each) for each in tools)


def test_a_session_of_another_machine_is_not_here(service):
    anchor = set_anchor(service, "elsewhere", "e1")

    played = service.tape.replay(anchor.id)

    assert (played.note, played.resume) == (
        "The transcript of its session is not on this machine.",
        "",
    )


def test_a_credential_in_a_transcript_is_masked(service, record):
    session = record("claude-code-2.1.332")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    path = Path(session.path)
    path.write_text(path.read_text("utf-8").replace("Went on.", secret), "utf-8")
    anchor = set_anchor(service, session.id, "")

    texts = [each.text for each in service.tape.replay(anchor.id).entries]

    assert secret not in "".join(texts)


def test_an_id_that_no_anchor_has_is_said(service):
    with pytest.raises(NotFound, match="No anchor has the id nope"):
        service.tape.replay("nope")


def test_a_shut_gate_says_why(connected, tmp_path):
    service = connected()
    service.init()

    with pytest.raises(NotFound, match=re.escape("tape.enabled is off")):
        service.tape.review()


def test_the_tape_is_reviewed_the_newest_first(service):
    ids = [set_anchor(service, "s1", entry).id for entry in ("e1", "e2")]

    reviewed = service.tape.review()

    assert [each.id for each in reviewed.anchors] == ids[::-1]
    assert reviewed.project == "beacon"


def test_a_credential_in_an_anchor_or_a_thread_is_masked(service):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    tape = service.rooms.tape()
    meta = Meta("manual", (secret,), f"use {secret}", secret)
    tape.add(draft("plain", HANDOFF, Meta()), draft(f"task/{secret}", HANDOFF, meta))
    [thread] = tape.add(event(CREATE, None, title=f"with {secret}"))
    said = {"event": "node.add", "thread": thread.id, "decisions": [secret]}
    tape.add(draft("thread/node", THREAD, Meta(summary=secret, more=said)))

    reviewed = service.tape.review()

    assert secret not in repr(reviewed)
    assert [each.name for each in reviewed.anchors][-1] == "plain"
    assert [each.name for each in reviewed.threads[0].nodes] == ["node"]
