"""Machines share a memory, whatever happens between them."""

import os
import re
import shutil
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.sync.conftest import numbered, protect, settled, write_all

from gitmem.errors import (
    BadConfig,
    BranchProtected,
    Busy,
    Diverged,
    ErrorClass,
    NoRepository,
    Offline,
    PushRejected,
)
from gitmem.files.lock import locked
from gitmem.sync import engine as engines
from gitmem.sync.create import set_remote
from gitmem.sync.integrate import merge_commits
from gitmem.sync.plan import Decision

NOTE = """\
---
description: {description}
tags: [{tags}]
created: {created}
updated: {updated}
---
# Title

one

two

three
"""
START = {
    "description": "start",
    "tags": "base, old",
    "created": "2026-01-02",
    "updated": "2026-01-02",
}


def test_interleaved_edits_of_two_machines_all_stay(pair):
    first, second = pair
    first.write("core/note.md", NOTE.format(**START))
    first.write("core/other.md", "start\n")
    settled(pair, rounds=2)
    first.write(
        "core/note.md",
        NOTE.format(**START | {"tags": "base, alpha", "updated": "2026-01-03"})
        .replace("one", "ONE alpha1")
        .replace("three", "THREE alpha2"),
    )
    first.write("core/alpha.md", "alpha3\n")
    first.cycle()
    second.write(
        "core/note.md",
        NOTE.format(
            **START
            | {"description": "omega0", "tags": "base, old, omega"}
            | {"created": "2026-01-01", "updated": "2026-01-04"}
        )
        .replace("two", "TWO omega1")
        .replace("three", "THREE omega2"),
    )
    second.write("core/other.md", "start\n\nomega3\n")
    second.cycle()
    first.write("core/other.md", "alpha4\n\nstart\n")

    settled(pair, rounds=2)

    assert first.tree() == second.tree() == first.disk() == second.disk()
    note = first.read("core/note.md")
    assert note.startswith(
        "---\ndescription: omega0\ntags: [base, omega, alpha]\n"
        "created: 2026-01-01\nupdated: 2026-01-04\n---\n"
    )
    words = set(re.findall(rb"(?:alpha|omega)\d", first.text()))
    assert words == {b"alpha%d" % n for n in (1, 2, 3, 4)} | {
        b"omega%d" % n for n in (0, 1, 2, 3)
    }
    assert re.search(rb"^(?:<<<<|====|>>>>)", first.text(), re.MULTILINE) is None
    copies = [path for path in first.tree() if ".conflict-" in path]
    assert len(copies) == 1
    assert b"conflict_of: core/note.md\n" in first.tree()[copies[0]]


def test_three_machines_that_all_change_one_line_end_alike(pair, machine):
    third = machine("third")
    machines = (*pair, third)
    pair[0].write("a.md", "start\n")
    settled(machines, rounds=1)
    for each, word in zip(machines, ("alpha", "omega", "gamma"), strict=True):
        each.write("a.md", f"{word}\n")

    settled(machines, rounds=3)

    assert pair[0].tree() == pair[1].tree() == third.tree()
    assert all(w in third.text() for w in (b"alpha", b"omega", b"gamma"))


def test_the_machines_differ_in_how_the_person_set_git_and_merge_alike(
    pair, empty_home
):
    first, second = pair
    first.write("a.md", "start\n")
    settled(pair, rounds=1)
    first.write("a.md", "same\n\nalpha\n")
    second.write("a.md", "same\n\nomega\n")
    second.write("b.md", "---\ndescription: d\n---\nsame\nomega\n")
    first.write("b.md", "---\ndescription: d\n---\nsame\nalpha\n")
    first.engine.commit()
    second.engine.commit()
    first.git_("push", "-q", "origin", "main:first")
    second.git_("push", "-q", "origin", "main:second")
    first.git_("fetch", "-q", "origin", "second")
    second.git_("fetch", "-q", "origin", "first")

    plain = merged_tree(first, "FETCH_HEAD")
    (empty_home / ".gitconfig").write_text(
        "[merge]\ndefault = union\nconflictStyle = diff3\n"
        "renames = false\nrenameLimit = 1\n"
        "[diff]\nalgorithm = patience\nrenames = copies\n",
        encoding="utf-8",
    )

    assert merged_tree(second, "FETCH_HEAD") == plain


def merged_tree(machine, other: str) -> str:
    theirs = machine.git_("rev-parse", other).strip()
    return merge_commits(machine.repository, machine.tip(), theirs).tree


def test_a_deletion_meets_an_edit_and_the_edit_stays(pair):
    first, second = pair
    first.write("a.md", "start\n")
    settled(pair, rounds=1)
    first.delete("a.md")
    second.write("a.md", "start\n\nomega\n")

    settled(pair)

    assert first.disk() == second.disk()
    assert first.read("a.md") == "start\n\nomega\n"


def test_a_moved_folder_takes_no_new_note_of_another_machine_with_it(pair):
    first, second = pair
    write_all(first, {"x/a.md": "alpha\n", "x/b.md": "beta\n"})
    settled(pair, rounds=1)
    (first.root / "x").rename(first.root / "y")
    second.write("x/new.md", "new\n")

    settled(pair)

    assert first.disk() == second.disk()
    assert set(first.disk()) >= {"x/new.md", "y/a.md", "y/b.md"}


def test_a_first_push_goes_to_an_empty_remote(machine, bare_remote, git):
    first = machine("first")
    first.write("a.md", "a\n")

    report = first.cycle()

    assert report.pushed
    assert git("rev-parse", "main", cwd=bare_remote).strip() == first.tip()
    assert first.engine.record().push.tip == first.tip()


def test_two_machines_that_began_before_either_had_pushed_meet(machine, bare_remote):
    first, second = machine("first"), machine("second")
    second.clock.advance(hours=1)
    first.write("a.md", "alpha\n")
    first.cycle()

    taken_in = second.cycle()
    second.write("b.md", "omega\n")
    settled((second, first), rounds=1)

    assert not taken_in.merged
    assert [str(path) for path in taken_in.applied] == ["a.md"]
    assert first.tree() == second.tree()
    assert {"a.md", "b.md"} <= set(first.disk())


def test_a_copy_that_somebody_wrote_on_is_not_merged_over(pair):
    first, second = pair
    first.write("a.md", "start\n")
    settled(pair, rounds=1)
    first.write("a.md", "alpha\n")
    second.write("a.md", "omega\n")
    settled(pair)
    (copy,) = (path for path in first.disk() if ".conflict-" in path)
    loser = first.read(copy).splitlines()[-1] + "\n"
    first.write(copy, first.read(copy) + "a note\n")
    settled(pair, rounds=1)
    second.write("a.md", loser)
    first.write("a.md", f"{first.read('a.md')}again\n")

    settled(pair)

    assert b"a note" in first.text()
    assert first.tree() == second.tree()


def test_a_repository_without_a_commit_takes_what_the_remote_has(
    pair, machine, git, tmp_path
):
    first, _ = pair
    first.write("a.md", "a\n")
    first.cycle()
    root = tmp_path / "third" / "memory"
    git("init", "-q", "-b", "main", root, cwd=tmp_path)
    third = machine("third")

    third.cycle()

    assert third.tip() == first.tip()
    assert third.disk() == first.disk()


def test_without_a_remote_a_cycle_commits(alone):
    alone.write("a.md", "a\n")

    report = alone.cycle()

    assert (report.fetched, report.pushed) == (False, False)
    assert "a.md" in alone.tree()


@pytest.fixture
def race(pair, bare_remote):
    """Let another push land between our looking and our writing."""
    first, second = pair
    first.write("a.md", "alpha\n")
    first.engine.commit()
    first.git_("push", "-q", "origin", "main:faster")
    protect(
        bare_remote,
        "mv hooks/pre-receive hooks/done\n"
        "env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main faster\n",
    )
    return second


@pytest.mark.parametrize("verb", ["cycle", "push"])
def test_a_push_that_lost_the_race_merges_and_pushes_again(race, verb, bare_remote):
    race.write("b.md", "omega\n")

    report = getattr(race.engine, verb)()

    assert report.pushed
    assert {"a.md", "b.md"} <= set(race.tree())
    assert (bare_remote / "hooks" / "done").exists()
    assert race.engine.record().push.error_class is None


def test_a_push_alone_does_not_fetch_when_nobody_was_faster(pair):
    first, _ = pair
    first.write("a.md", "a\n")

    report = first.engine.push()

    assert (report.pushed, report.fetched) == (True, False)


def test_a_remote_that_is_gone_stops_no_commit(pair, bare_remote):
    first, second = pair
    hidden = bare_remote.rename(bare_remote.with_name("away"))
    first.write("a.md", "a\n")

    with pytest.raises(Offline):
        first.cycle()

    assert "a.md" in first.tree()
    assert first.engine.record().fetch.error_class is ErrorClass.OFFLINE
    assert first.engine.record().fetch.at is not None
    assert first.engine.status().unpushed == 1
    hidden.rename(bare_remote)
    settled((first, second), rounds=1)
    assert second.tree() == first.tree()
    assert first.engine.status().unpushed == 0


def test_a_remote_that_never_answers_is_given_up(machine, tmp_path, alone):
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/memory"
        silent = alone.with_(url=url, timeout_seconds=0.3)
        started = time.monotonic()

        with pytest.raises(Offline, match=r"0\.3 s"):
            silent.cycle()

    assert time.monotonic() - started < 20


def test_a_protected_branch_is_told_and_what_others_wrote_arrives(pair, bare_remote):
    first, second = pair
    second.write("theirs.md", "omega\n")
    second.cycle()
    protect(bare_remote)
    first.write("mine.md", "alpha\n")

    with pytest.raises(BranchProtected, match="hook declined"):
        first.cycle()

    assert {"mine.md", "theirs.md"} <= set(first.disk())
    assert first.is_clean()
    push = first.engine.record().push
    assert push.error_class is ErrorClass.PROTECTED
    assert "hook declined" in push.message
    assert first.engine.status().unpushed == 2


# The remote changed


def rewrite(machine, git) -> None:
    """Replace the last commit of the remote by another."""
    machine.git_("commit", "-q", "--amend", "-m", "rewritten")
    machine.git_("push", "-q", "--force", "origin", "main")


@pytest.fixture
def rewritten(pair, git):
    first, second = pair
    first.write("a.md", "start\n")
    settled(pair, rounds=1)
    second.write("mine.md", "omega\n")
    first.write("a.md", "rewritten alpha\n")
    first.git_("add", "-A")
    rewrite(first, git)
    return second


@pytest.fixture
def unrelated(pair, bare_remote, git):
    first, second = pair
    second.write("mine.md", "omega\n")
    second.cycle()
    shutil.rmtree(first.root / ".git")
    git("init", "-q", "-b", "main", cwd=first.root)
    first.write("a.md", "alpha\n")
    git("add", "-A", cwd=first.root)
    git("commit", "-qm", "anew", cwd=first.root)
    git("push", "-q", "--force", bare_remote, "main", cwd=first.root)
    second.git_("update-ref", "-d", "refs/gitmem/seen/main")
    return second


@pytest.fixture
def vanished(pair, bare_remote, git):
    _, second = pair
    second.write("mine.md", "omega\n")
    git("update-ref", "-d", "refs/heads/main", cwd=bare_remote)
    return second


@pytest.fixture
def emptied(pair):
    first, second = pair
    write_all(first, numbered(30))
    settled(pair, rounds=1)
    second.write("mine.md", "omega\n")
    first.delete(*numbered(30))
    first.cycle(Decision.ACCEPT)
    return second


HELD = [
    ("rewritten", "rewritten"),
    ("unrelated", "nothing in common"),
    ("vanished", "no branch main"),
    ("emptied", "deletes 30 of 33 files"),
]


@pytest.mark.parametrize(("kind", "words"), HELD)
def test_a_remote_that_lost_something_waits_for_the_person(kind, words, request):
    machine = request.getfixturevalue(kind)
    before = machine.disk()

    with pytest.raises(Diverged, match=words) as raised:
        machine.cycle()

    assert machine.disk() == before
    assert "--keep" in raised.value.hint
    told = f"{raised.value.message} {raised.value.hint}"
    assert machine.engine.record().held == told
    with pytest.raises(Diverged):
        machine.pull()


def test_a_vanished_branch_is_not_made_anew_by_a_push(vanished, bare_remote, git):
    with pytest.raises(Diverged, match="no branch main"):
        vanished.engine.push()

    assert git("for-each-ref", cwd=bare_remote) == ""


@pytest.mark.parametrize("kind", ["rewritten", "unrelated", "emptied"])
def test_the_person_accepts_what_the_remote_has(kind, request):
    machine = request.getfixturevalue(kind)

    report = machine.cycle(Decision.ACCEPT)

    assert report.pushed
    assert machine.read("mine.md") == "omega\n"
    assert kind == "emptied" or b"alpha" in machine.text()
    assert not numbered(30).keys() & machine.disk().keys()
    assert machine.disk() == machine.tree()
    assert machine.engine.record().held == ""
    assert machine.cycle().committed is None


@pytest.mark.parametrize("kind", ["rewritten", "unrelated", "vanished", "emptied"])
def test_the_person_keeps_what_is_here(kind, request, bare_remote, git):
    machine = request.getfixturevalue(kind)
    before = machine.disk()

    machine.cycle(Decision.KEEP)

    assert machine.disk() == before == machine.tree()
    assert git("rev-parse", "main", cwd=bare_remote).strip() == machine.tip()
    assert machine.engine.record().held == ""
    machine.cycle()


def test_deletions_that_are_not_wanted_go_back_at_once(pair, bare_remote, git):
    first, second = pair
    write_all(first, numbered(30))
    settled(pair, rounds=1)
    first.delete(*numbered(30))
    first.cycle(Decision.ACCEPT)

    report = second.cycle(Decision.KEEP)

    assert report.pushed
    assert second.disk().keys() >= numbered(30).keys()
    assert git("rev-parse", "main", cwd=bare_remote).strip() == second.tip()


def test_a_remote_that_was_set_back_is_noticed(pair, bare_remote, git):
    first, _ = pair
    old = first.tip()
    first.write("a.md", "a\n")
    first.cycle()
    git("update-ref", "refs/heads/main", old, cwd=bare_remote)

    with pytest.raises(Diverged, match="rewritten"):
        first.cycle()

    first.cycle(Decision.KEEP)
    assert git("rev-parse", "main", cwd=bare_remote).strip() == first.tip()


def test_a_remote_that_moves_a_whole_folder_deletes_nothing(pair):
    first, second = pair
    write_all(first, numbered(30))
    settled(pair, rounds=1)
    (first.root / "notes").rename(first.root / "archive")
    first.cycle()

    second.cycle()

    assert second.disk() == first.disk()


# The throttle


@pytest.fixture
def git_calls(tmp_path, monkeypatch):
    """Write down each git process that is started from now on."""
    log, folder = tmp_path / "calls", tmp_path / "bin"
    log.touch()
    folder.mkdir()
    wrapper = folder / "git"
    wrapper.write_text(
        f'#!/bin/sh\necho "$1" >>{log}\nexec {shutil.which("git")} "$@"\n',
        encoding="utf-8",
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return lambda: log.read_text(encoding="utf-8").split()


def test_a_second_pull_starts_no_process(pair, git_calls):
    first, _ = pair
    first.pull(force=True)
    count = len(git_calls())

    report = first.pull()

    assert count > 0
    assert len(git_calls()) == count
    assert report.skipped


def test_force_fetches(pair, git_calls):
    first, _ = pair
    first.pull(force=True)
    count = len(git_calls())

    assert first.pull(force=True).fetched
    assert "ls-remote" in git_calls()[count:]


@pytest.fixture
def stale(pair):
    """Give a machine whose last fetch is long ago, on a clock of today."""
    first, _ = pair
    first.clock.at = datetime.now(UTC)
    (first.root / ".git" / "FETCH_HEAD").unlink(missing_ok=True)
    return first


def test_a_pull_after_the_time_is_up_fetches(stale):
    assert stale.pull().fetched


def test_a_failed_fetch_does_not_count(stale, bare_remote, git_calls):
    hidden = bare_remote.rename(bare_remote.with_name("away"))
    with pytest.raises(Offline):
        stale.pull()
    stale.git_("fetch", "-q", ".", "main")
    hidden.rename(bare_remote)

    assert stale.pull().fetched


def test_a_success_in_the_future_does_not_count(stale):
    stale.pull()
    stale.clock.advance(days=-400)

    assert stale.pull().fetched


def test_a_fetch_head_of_the_future_does_not_count(stale):
    stale.git_("fetch", "-q", "origin")
    later = time.time() + 1e6
    os.utime(stale.root / ".git/FETCH_HEAD", (later, later))

    assert stale.pull().fetched


def test_an_empty_fetch_head_does_not_count(stale):
    (stale.root / ".git/FETCH_HEAD").touch()

    assert stale.pull().fetched


def test_a_fetch_of_another_address_does_not_count(stale, bare_remote, tmp_path):
    other = tmp_path / "other.git"
    shutil.copytree(bare_remote, other)
    stale.git_("fetch", "-q", other, "main")

    assert stale.pull().fetched


def test_a_fetch_by_hand_is_enough_to_merge_without_the_network(stale, pair, git_calls):
    _, second = pair
    second.write("b.md", "omega\n")
    second.cycle()
    stale.git_("fetch", "-q", "origin")
    count = len(git_calls())
    stale.clock.at = datetime.now(UTC)

    report = stale.pull()

    assert stale.read("b.md") == "omega\n"
    assert not report.fetched
    assert not {"fetch", "ls-remote"} & set(git_calls()[count:])


def test_a_fetch_by_hand_that_moved_no_ref_of_ours_is_not_enough(
    stale, pair, bare_remote
):
    _, second = pair
    second.write("b.md", "omega\n")
    second.cycle()
    stale.git_(
        "-c",
        "remote.origin.fetch=+refs/heads/no:refs/heads/no",
        "fetch",
        "-q",
        bare_remote,
        "main",
    )
    stale.clock.at = datetime.now(UTC)

    stale.pull()

    assert stale.read("b.md") == "omega\n"


def test_another_remote_makes_the_last_fetch_worthless(pair, tmp_path, bare_remote):
    first, _ = pair
    other = tmp_path / "other.git"
    shutil.copytree(bare_remote, other)
    first.pull(force=True)
    set_remote(first.options, str(other))

    moved = first.with_(url=None)

    assert moved.pull().fetched
    assert moved.engine.record().url == str(other)


def test_one_address_spelled_in_two_ways_is_one(pair, bare_remote):
    first, _ = pair

    spelled = first.with_(url=f"{bare_remote}/")
    spelled.pull(force=True)

    assert spelled.pull().skipped


# Odd repositories


def test_a_shallow_clone_is_deepened(pair, machine, git, bare_remote, tmp_path):
    first, _ = pair
    first.write("a.md", "a\n")
    first.cycle()
    root = tmp_path / "third" / "memory"
    git("clone", "-q", "--depth=1", f"file://{bare_remote}", root, cwd=tmp_path)
    git("remote", "set-url", "origin", bare_remote, cwd=root)
    third = machine("third")
    third.write("b.md", "b\n")

    third.cycle()
    settled((first, third), rounds=1)

    assert not (root / ".git" / "shallow").exists()
    assert first.tree() == third.tree()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("remote.origin.pushurl", "/tmp/evil.git"),
        ("url./tmp/evil.insteadOf", "/"),
        ("core.sshCommand", "touch ran"),
        ("core.fsmonitor", "touch ran"),
        ("core.worktree", "/"),
        ("filter.x.clean", "touch ran"),
        ("diff.x.textconv", "touch ran"),
        ("credential.helper", "!touch ran"),
        ("include.path", "/etc/passwd"),
        ("remote.origin.uploadpack", "touch ran"),
        ("http.proxy", "http://evil.invalid"),
        ("alias.x", "!touch ran"),
    ],
)
def test_a_configuration_that_runs_or_redirects_something_is_refused(alone, key, value):
    alone.git_("config", key, value)

    with pytest.raises(BadConfig, match=re.escape(key.split(".")[0])):
        alone.cycle()

    assert not (alone.root / "ran").exists()


@pytest.mark.parametrize("verb", ["pull", "push", "commit", "undo", "status"])
def test_no_verb_follows_such_a_configuration(alone, verb):
    alone.git_("config", "core.fsmonitor", "touch ran")

    with pytest.raises(BadConfig):
        getattr(alone.engine, verb)()

    assert not (alone.root / "ran").exists()


def test_a_remote_that_is_not_the_one_of_the_settings_is_refused(pair, tmp_path):
    first, _ = pair

    with pytest.raises(BadConfig, match="not the one"):
        first.with_(url=str(tmp_path / "other.git")).cycle()


def test_a_folder_that_is_no_repository_says_so(alone):
    shutil.rmtree(alone.root / ".git")

    with pytest.raises(NoRepository):
        alone.cycle()


def test_a_linked_work_tree_is_refused(alone, tmp_path):
    alone.git_("worktree", "add", "-q", tmp_path / "linked", "-b", "linked")

    with pytest.raises(BadConfig, match="linked work tree"):
        alone.with_(root=tmp_path / "linked").cycle()


def test_a_key_that_cannot_sign_is_told_and_commits_nothing(alone, empty_home):
    (empty_home / ".gitconfig").write_text(
        "[gpg]\nprogram = /bin/false\n", encoding="utf-8"
    )
    tip = alone.tip()
    alone.write("a.md", "a\n")

    with pytest.raises(BadConfig, match="sign"):
        alone.with_(sign=True).cycle()

    assert alone.tip() == tip
    assert alone.read("a.md") == "a\n"
    assert alone.cycle().committed == alone.tip()


def test_a_second_cycle_at_the_same_time_waits_and_says_so(alone):
    hurried = alone.with_(lock_seconds=0.05)
    with (
        locked(alone.options.state / engines.LOCK_NAME, timeout_seconds=1),
        pytest.raises(Busy, match="Another gitmem"),
    ):
        hurried.cycle()


def test_files_that_never_stop_changing_end_a_cycle_and_lose_nothing(pair):
    first, second = pair
    first.write("a.md", "start\n")
    settled(pair, rounds=1)
    first.write("a.md", "start\n\nalpha\n")
    first.cycle()
    second.write("b.md", "b\n")
    count = iter(range(100))

    def agent(_: bytes) -> None:
        second.write("a.md", f"omega{next(count)}\n\nstart\n")

    second.with_(progress=agent).cycle()
    second.cycle()

    assert b"alpha" in second.text()
    assert f"omega{next(count) - 1}".encode() in second.text()
    assert second.is_clean()


def test_a_cycle_that_never_comes_to_rest_is_given_up_and_goes_on_later(
    pair, monkeypatch
):
    first, second = pair
    first.write("a.md", "start\n")
    settled(pair, rounds=1)
    first.write("a.md", "start\n\nalpha\n")
    first.cycle()
    monkeypatch.setattr(engines, "STARTS", 1)

    def agent(_: bytes) -> None:
        second.write("a.md", "omega\n\nstart\n")

    with pytest.raises(Busy, match="kept changing"):
        second.with_(progress=agent).cycle()

    monkeypatch.undo()
    second.cycle()
    assert second.read("a.md") == "omega\n\nstart\n\nalpha\n"


def test_a_race_that_is_lost_for_too_long_is_given_up(race, monkeypatch):
    monkeypatch.setattr(engines, "RACE_SECONDS", -1)
    race.write("b.md", "omega\n")

    with pytest.raises(PushRejected):
        race.cycle()

    assert race.engine.record().push.error_class is ErrorClass.REJECTED
    race.cycle()
    assert {"a.md", "b.md"} <= set(race.tree())


def test_the_standing_says_what_waits(pair):
    first, _ = pair
    first.write("a.md", "a\n")
    first.engine.commit()
    first.write("b.md", "b\n")
    first.write("c.conflict-0123abcd.md", "c\n")
    first.engine.commit()
    first.write("d.md", "d\n")

    found = first.engine.status()

    assert (found.branch, found.url) == ("main", first.options.url)
    assert (found.uncommitted, found.unpushed) == (1, 2)
    assert found.oldest_unpushed == first.clock.at
    assert [str(path) for path in found.conflicts] == ["c.conflict-0123abcd.md"]
    assert found.leftovers == ()


def test_another_branch_of_the_settings_is_another_memory(pair, bare_remote, git):
    first, _ = pair
    git("branch", "notes", "main", cwd=bare_remote)

    moved = first.with_(branch="notes")
    moved.write("a.md", "a\n")
    moved.engine.cycle()

    assert git("rev-parse", "notes", cwd=bare_remote) == git(
        "rev-parse", "refs/heads/notes", cwd=first.root
    )


def test_options_without_an_address_use_the_repository_s_own(pair):
    first, _ = pair
    own = replace(first.options, url=None)

    assert engines.Engine(own).cycle().fetched
    assert engines.Engine(replace(own, fetch_ttl=timedelta(hours=1))).pull().skipped
