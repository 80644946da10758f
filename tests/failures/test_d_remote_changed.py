"""The remote changed: it was rewritten, replaced, renamed, emptied, or is not there."""

import shutil

import pytest
from tests.sync.conftest import numbered, settled, write_all

from gitmem.errors import BadConfig, Diverged, Offline
from gitmem.sync.plan import Decision


def test_35_a_rewritten_history_is_held_and_nothing_is_forced(pair, git, bare_remote):
    first, second = pair
    first.write("kept.md", "kept\n")
    settled(pair)
    second.git_("commit", "-q", "--amend", "-m", "rewritten")
    second.git_("push", "-q", "--force", "origin", "main")
    rewritten = git("rev-parse", "main", cwd=bare_remote)
    first.write("new.md", "new\n")

    with pytest.raises(Diverged, match="rewr") as raised:
        first.cycle()

    assert "--accept" in raised.value.hint
    assert "--keep" in raised.value.hint
    assert {"kept.md", "new.md"} <= set(first.disk())
    assert git("rev-parse", "main", cwd=bare_remote) == rewritten
    first.cycle(Decision.ACCEPT)
    assert {"kept.md", "new.md"} <= set(first.tree())


def test_36_a_remote_of_another_beginning_is_held_and_both_can_be_kept(
    first, git, bare_remote, tmp_path
):
    first.write("ours.md", "ours\n")
    first.cycle()
    git("init", "-q", "-b", "main", "other", cwd=tmp_path)
    (tmp_path / "other" / "theirs.md").write_text("theirs\n", "utf-8")
    git("add", ".", cwd=tmp_path / "other")
    git("commit", "-q", "-m", "another", cwd=tmp_path / "other")
    git("push", "-q", "--force", bare_remote, "main", cwd=tmp_path / "other")

    with pytest.raises(Diverged):
        first.cycle()

    assert "ours.md" in first.disk()
    first.cycle(Decision.ACCEPT)
    assert {"ours.md", "theirs.md"} <= set(first.tree())


def test_37_a_shallow_clone_gets_its_history_and_pushes(
    first, machine, git, bare_remote, tmp_path
):
    first.write("a.md", "a\n")
    first.cycle()
    url = f"file://{bare_remote}"
    root = tmp_path / "third" / "memory"
    git("clone", "-q", "--depth", "1", url, root, cwd=tmp_path)
    third = machine("third", url=url)
    third.write("b.md", "b\n")

    report = third.cycle()

    assert report.pushed
    assert not third.repository.is_shallow()
    assert third.repository.is_ancestor(first.tip(), third.tip())


def test_38_an_empty_remote_and_no_commit_are_plain_beginnings(machine, bare_remote):
    only = machine("only")

    assert only.cycle().pushed
    assert only.cycle().pushed is False


def test_39_a_renamed_branch_is_told_and_not_followed(first, git, bare_remote):
    first.write("a.md", "a\n")
    first.cycle()
    git("branch", "-m", "main", "trunk", cwd=bare_remote)

    with pytest.raises(Diverged, match="main") as raised:
        first.cycle()

    assert "trunk" in raised.value.message + raised.value.hint
    assert first.git_("symbolic-ref", "HEAD").strip() == "refs/heads/main"


def test_40_a_vanished_branch_deletes_nothing_and_comes_back_when_told(
    pair, git, bare_remote
):
    first, _ = pair
    first.write("a.md", "a\n")
    first.cycle()
    git("update-ref", "-d", "refs/heads/main", cwd=bare_remote)

    with pytest.raises(Diverged):
        first.cycle()

    assert "a.md" in first.disk()
    assert git("branch", cwd=bare_remote) == ""
    assert first.cycle(Decision.KEEP).pushed


def test_41_a_remote_that_is_not_there_takes_no_memory_away(machine, alone, tmp_path):
    cut_off = alone.with_(url=str(tmp_path / "nowhere.git"))
    cut_off.write("a.md", "a\n")

    with pytest.raises(Offline):
        cut_off.cycle()

    assert "a.md" in cut_off.tree()
    assert cut_off.engine.status().unpushed == 2


@pytest.mark.parametrize(
    "key", ["remote.origin.pushurl", "url./tmp/evil.git.insteadOf"]
)
def test_42_another_address_in_the_repository_s_own_configuration_stops(first, key):
    first.git_("config", key, "/tmp/evil.git")
    first.write("a.md", "a\n")

    with pytest.raises(BadConfig, match="sets") as raised:
        first.cycle()

    assert "--unset-all" in raised.value.hint


def test_42_another_remote_than_that_of_the_settings_stops(first):
    first.git_("remote", "set-url", "origin", "/tmp/stale.git")

    with pytest.raises(BadConfig, match="not the one in your settings"):
        first.cycle()


def test_43_a_mass_deletion_that_arrives_waits_for_the_person(pair):
    first, second = pair
    write_all(first, numbered(30))
    settled(pair)
    second.git_("rm", "-q", "-r", "notes")
    second.git_("commit", "-q", "-m", "by hand")
    second.git_("push", "-q", "origin", "main")

    with pytest.raises(Diverged, match="30") as raised:
        first.cycle()

    assert "--accept" in raised.value.hint
    assert numbered(30).keys() <= first.disk().keys()
    first.cycle(Decision.KEEP)
    settled(pair)
    assert numbered(30).keys() <= second.disk().keys()


def test_43_a_deletion_that_was_accepted_elsewhere_is_asked_of_each_machine(pair):
    first, second = pair
    write_all(first, numbered(30))
    settled(pair)
    shutil.rmtree(first.root / "notes")
    first.cycle(Decision.ACCEPT)

    with pytest.raises(Diverged, match="30"):
        second.cycle()
    report = second.cycle(Decision.ACCEPT)

    assert set(map(str, report.gone)) == numbered(30).keys()
    assert not numbered(30).keys() & second.disk().keys()


def test_43_a_mass_deletion_that_leaves_waits_for_the_person(pair):
    first, second = pair
    write_all(first, numbered(30))
    settled(pair)
    shutil.rmtree(first.root / "notes")

    report = first.cycle()

    assert "30" in report.held
    second.cycle()
    assert numbered(30).keys() <= second.disk().keys()
    first.cycle(Decision.KEEP)
    assert numbered(30).keys() <= first.disk().keys()
