"""The tape from the command line."""

import pytest


@pytest.fixture
def tape(gitmem, memory, monkeypatch, tmp_path):
    """Run `gitmem tape ARGS` where there is a tape."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("GITMEM_TAPE__ENABLED", "true")
    monkeypatch.setenv("GITMEM_TAPE__ONLY_GIT", "false")
    return lambda *arguments: gitmem("tape", *arguments)


def test_an_anchor_is_set_found_and_deleted(tape):
    made = tape("handoff", "task/begin", "--summary", "move it", "--purpose", "deploy")
    found = tape("search", "move", "--anchor-purpose", "deploy", "--json").json
    [anchor] = [each["anchor"] for each in found["anchors"]]
    shown = tape("search").out
    gone = tape("delete", anchor["id"])

    assert made.out.startswith("Set task/begin (handoff, ")
    assert anchor["meta"]["trigger"] == "manual"
    assert "  summary: move it\n  purpose: deploy\n" in shown
    assert gone.out.startswith("Deleted: 1 anchor.")
    assert tape("search").out == "Nothing found.\n"


def test_every_filter_of_a_search_is_an_option(tape):
    tape("handoff", "one")
    tape("handoff", "two")

    said = tape(
        *("search", "--kinds", "anchor", "--types", "message", "--limit", "5"),
        *("--context-lines", "2", "--entry-scope", "project"),
        *("--anchor-scope", "project", "--between-dates", "2020-01-01", "2099-01-01"),
        *("--anchor-name", "one", "--anchor-type", "handoff", "--scan", "one"),
        *("--anchor-summary", "", "--anchor-purpose", ""),
    )
    later = tape("search", "--since-anchor", "one")
    keyword = tape("search", "--anchor-keywords", "deploy")

    assert said.out.startswith("- one (handoff, ")
    assert later.out.startswith("- two (handoff, ")
    assert keyword.out == "Nothing found.\n"


def test_every_filter_of_reading_is_an_option(tape):
    tape("handoff", "one")
    tape("handoff", "two")

    said = tape(
        *("read", "--between-anchors", "one", "two", "--max-content-chars", "0"),
        *("--types", "message", "--scan", "x", "--limit", "3"),
        *("--entry-scope", "session", "--anchor-scope", "project"),
        *("--between-dates", "2020-01-01", "2099-01-01"),
    )
    last = tape("read", "--last-anchor")
    after = tape("read", "--after-anchor", "two")

    assert said.out.startswith("After one (handoff, ")
    assert "No entry" in last.out
    assert after.out == last.out


def test_a_thread_is_begun_grown_and_resumed(tape):
    tape("thread", "create", "--name", "deploy", "--summary", "rsync")
    tape("thread", "branch", "--name", "retry", "--next", "a", "--next", "b")
    tape("thread", "update", "--decisions", "no ftp", "--state", "done")

    resumed = tape("thread", "resume").out
    status = tape("thread", "status").out
    searched = tape("thread", "search", "FTP").out

    assert "next:\n- a\n- b\n" in resumed
    assert "decided:\n- no ftp\n" in resumed
    assert "[HEAD, done]" in status
    assert searched == status


def test_what_is_cut_is_said(tape):
    made = tape("handoff", "a", "--summary", "word " * 18, "--purpose", "a b c").out
    whole = tape("handoff", "a", "--summary", "word\n word", "--purpose", "a b").out

    kept = " ".join(["word"] * 17)
    assert f'Its summary was cut to "{kept}…". Its purpose was cut to "a b…".' in made
    assert "cut" not in whole


def test_files_of_a_thread_that_are_gone_are_named(tape):
    tape("thread", "create", "--name", "deploy", "--file", "gone.py")

    said = tape("thread", "resume").out

    assert "files that are not there any more:\n- gone.py\n" in said


def test_below_the_temporary_folder_it_is_said_that_nothing_sets_it(tape, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/tmp")

    said = tape("handoff", "a")

    assert said.err == (
        "error: There is no tape here: /tmp is the folder for temporary files, and "
        "never has one.\n"
        "hint: Work in a folder of your own; no setting gives this one a tape.\n"
    )


def test_a_reset_moves_the_anchors_aside(tape, memory):
    tape("handoff", "task/begin")

    said = tape("reset", "--archive")

    [kept] = (memory / "tape" / "beacon" / "archive").iterdir()
    assert f"Moved aside into tape/beacon/archive/{kept.name}: 1 anchor." in said.out
    assert "begins anew with session/new" in said.out


def test_without_a_tape_the_reason_is_said(tape, monkeypatch):
    monkeypatch.setenv("GITMEM_TAPE__ENABLED", "false")

    assert tape("info").out == "There is no tape here: tape.enabled is off.\n"
    refused = tape("handoff", "task/begin")
    assert refused.status == 1
    assert refused.err.startswith("error: There is no tape here: tape.enabled is off.")


def test_text_of_a_tape_cannot_act_on_a_terminal(tape):
    tape("thread", "create", "--name", "deploy", "--summary", "\x1b[2J\nfake: line")

    assert "\x1b" not in tape("thread", "status").out
    assert "\nfake" not in tape("thread", "status").out
