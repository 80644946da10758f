"""The hosts run as a test wants them: scripted, alone, and with their own tools."""

import socket

import pytest
from tests.hosts.agents import APIS
from tests.hosts.model import say, use


def test_what_a_test_starts_reaches_the_loopback_only(no_way_out):
    if not no_way_out:
        pytest.skip("closing the network needs root, and Linux")

    with pytest.raises(OSError, match="unreachable"):
        socket.create_connection(("192.0.2.1", 80), timeout=5)


@pytest.mark.parametrize("api", APIS)
def test_pi_speaks_with_the_model_and_writes_a_file(make_pi, machine, model, api):
    pi = make_pi(machine, api)
    model.will(use("write", path="note.txt", content="written"), say("Done."))

    said = pi.ask("-p", "Write a note.")

    assert said.stdout.strip() == "Done."
    assert (machine.project / "note.txt").read_text("utf-8") == "written"
    assert "Write a note." in model.asked[0].said("user")
    assert "note.txt" in model.asked[1].said("tool")


def test_claude_speaks_with_the_model_and_writes_a_file(claude, machine, model):
    note = machine.project / "note.txt"
    written = use("Write", file_path=str(note), content="written")
    model.will(written, say("Done."))

    said = claude.ask("-p", "Write a note.", "--allowedTools", "Write")

    assert said.stdout.strip() == "Done."
    assert note.read_text("utf-8") == "written"


def test_codex_speaks_with_the_model(codex, model):
    model.will(say("Done."))

    said = codex.ask("exec", "--skip-git-repo-check", "Say something.")

    assert "Done." in said.stdout
    assert "Say something." in model.asked[0].said("user")


def test_opencode_speaks_with_the_model(opencode, model):
    model.will(say("Done."))

    said = opencode.ask("run", "Say something.")

    assert "Done." in said.stdout
    assert "Say something." in model.asked[0].said("user")
