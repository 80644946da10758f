"""A session is gone on with by its host's own command, or by none."""

import pytest

from gitmem.hosts.entry import EPOCH, Session
from gitmem.hosts.resume import command

ID = "5f0c4f5e-8a5e-4d13-9a53-0c7b2f3f6a10"


def session(host="claude-code", session_id=ID, cwd="/home/sam/beacon"):
    return Session(host, session_id, "/x.jsonl", cwd, EPOCH)


@pytest.mark.parametrize(
    ("host", "resumed"),
    [
        ("claude-code", f"claude --resume {ID}"),
        ("pi", f"pi --session {ID}"),
        ("codex", f"codex resume {ID}"),
    ],
)
def test_each_host_has_its_command(host, resumed):
    assert command(session(host)) == f"cd /home/sam/beacon && {resumed}"


def test_a_folder_is_quoted():
    said = command(session(cwd="/home/sam/it's; rm -rf x"))

    assert said == f"""cd '/home/sam/it'"'"'s; rm -rf x' && claude --resume {ID}"""


def test_a_session_without_a_folder_is_resumed_from_anywhere():
    assert command(session(cwd="")) == f"claude --resume {ID}"


@pytest.mark.parametrize(
    "strange",
    [
        {"host": "opencode"},
        {"session_id": "--dangerously-skip-permissions"},
        {"session_id": "x; rm -rf ~"},
        {"session_id": "x\n"},
        {"session_id": ""},
        {"cwd": "-"},
        {"cwd": "/home/\x1b]0;owned\x07"},
        {"cwd": "/home/sam\nrm -rf ~"},
    ],
    ids=repr,
)
def test_what_no_host_writes_makes_no_command(strange):
    assert command(session(**strange)) == ""
