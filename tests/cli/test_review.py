"""`gitmem review` as a person or a program calls it."""

import contextlib
import os
import pty
import select
import struct
import subprocess
import sys
from fcntl import ioctl
from termios import TIOCSWINSZ

import pytest

ESCAPE = "\x1b]0;owned\x07"


@pytest.fixture
def tape(gitmem, open_tape):
    """Open the tape of the project, and set three anchors."""
    gitmem("init")
    for name in ("task/begin", "task/deploy", "task/end"):
        gitmem("tape", "handoff", name, "--summary", "as it stands")


def test_a_pipe_gets_sentences(gitmem, tape):
    said = gitmem("review")

    assert said.out.startswith("Review of beacon: 3 anchors (3 handoffs), 0 threads.\n")
    assert (said.out == gitmem("review", "--plain").out, said.err) == (True, "")


def test_a_filter_and_pages_hold_for_sentences_and_for_programs(gitmem, tape):
    assert "task/deploy" in gitmem("review", "--filter", "depoly").out
    assert "task/begin" not in gitmem("review", "--filter", "depoly").out
    told = gitmem("review", "--limit", "2", "--page", "2", "--json").json
    names = [each["name"] for each in told["anchors"]]
    assert (names, told["page"], told["pages"], told["total"]) == (
        ["task/begin"],
        2,
        2,
        3,
    )


def test_a_page_that_there_is_not_is_refused(gitmem, tape):
    said = gitmem("review", "--page", "2")

    assert (said.status, said.err.split("\n")[0]) == (
        2,
        "error: There is no page 2; the last one is 1.",
    )


@pytest.mark.parametrize("limit", ["0", "101"])
def test_a_page_has_at_most_a_hundred_anchors(limit, gitmem):
    assert gitmem("review", "--limit", limit).status == 2


def test_an_anchor_is_shown_by_its_id(gitmem, tape):
    newest = gitmem("review", "--json").json["anchors"][0]

    said = gitmem("review", "--show", newest["id"])

    assert "The transcript of its session is not on this machine." in said.out


def test_a_page_of_html_takes_the_place_of_a_file(gitmem, tape, project):
    (project / "review.html").write_text("older", "utf-8")

    said = gitmem("review", "--html", "review.html")

    text = (project / "review.html").read_text("utf-8")
    assert said.out == f"Wrote 3 anchors to {project / 'review.html'}.\n"
    assert text.startswith("<!doctype html>")
    assert text.count("task/") == 3


def test_a_folder_that_is_not_there_is_said(gitmem, tape, project):
    hint = "Make it, or name another one."

    said = gitmem("review", "--html", "none/review.html")

    assert (said.status, said.out, said.err) == (
        1,
        "",
        f"error: There is no folder {project / 'none'}.\nhint: {hint}\n",
    )


def test_what_is_no_plain_file_is_not_replaced(gitmem, tape, project):
    os.mkfifo(project / "review.html")

    said = gitmem("review", "--html", "review.html")

    assert (said.status, said.out) == (1, "")
    assert said.err.startswith(f"error: {project / 'review.html'} is a pipe, and only")
    assert (project / "review.html").is_fifo()


def test_a_page_is_written_where_the_command_is_called_from(gitmem, tape, empty_home):
    folder = empty_home / "lantern"
    folder.mkdir()

    gitmem("review", "--html", "review.html", "--cwd", str(folder))

    assert [each.name for each in folder.iterdir()] == ["review.html"]


@pytest.mark.parametrize("name", ["-", "/dev/fd/1"])
def test_a_page_goes_to_standard_output_as_a_whole(name, gitmem, tape, project):
    said = subprocess.run(
        [sys.executable, "-m", "gitmem", "review", "--html", name],
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert said.stdout.startswith(b"<!doctype html>")
    assert said.stdout.endswith(b"</html>\n")
    assert (said.stdout.count(b"task/"), said.stderr) == (3, b"")
    assert list(project.iterdir()) == []


def test_a_page_and_a_document_do_not_share_standard_output(gitmem, tape):
    said = gitmem("review", "--html", "-", "--json")

    assert (said.status, said.json["error"]["kind"]) == (2, "UsageError")


def test_a_shut_gate_says_why(gitmem, memory):
    said = gitmem("review")

    assert said.status == 1
    assert said.err == (
        "error: There is no tape here: tape.enabled is off.\n"
        "hint: `gitmem settings --explain` says where it is set.\n"
    )


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_nothing_that_is_stored_acts_on_the_terminal(gitmem, tape, memory, form):
    line = '{"name":"task/%s","timestamp":"2026-04-04T12:30:00Z","type":"handoff"}\n'
    folder = memory / "tape" / "beacon"
    (folder / "ash.jsonl").write_text(line % r"\u001b]0;owned\u0007", "utf-8")

    said = gitmem("review", *form)

    assert "owned" in said.out
    assert [c for c in said.out if not c.isprintable() and c != "\n"] == []


def drawn_in_a_terminal(keys):
    """Run the review in a terminal of 80 by 24, and give what it wrote."""
    leader, follower = pty.openpty()
    ioctl(follower, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "gitmem", "review"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    ) as program:
        os.close(follower)
        written = b""
        # A terminal whose last program left cannot be read any more.
        with contextlib.suppress(OSError):
            while select.select([leader], [], [], 60)[0]:
                written += os.read(leader, 65536)
                if b"quit" in written:
                    os.write(leader, keys)
                    keys = b""
        os.close(leader)
        try:
            return written, program.wait(timeout=60)
        finally:
            program.kill()


@pytest.mark.slow
def test_a_terminal_gets_a_screen_and_is_given_back(gitmem, tape):
    written, status = drawn_in_a_terminal(b"q")

    assert status == 0
    assert b"task/deploy" in written
    assert b"\x1b[?1049h" in written
    assert b"\x1b[?1049l" in written[-400:]
