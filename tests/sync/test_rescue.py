"""What an interrupted Git operation left behind is settled, and nothing is lost."""

import re

import pytest
from tests.sync.conftest import SECRET, Machine, write_all

MARKER = re.compile(rb"^(?:<{7}|={7}|>{7})", re.MULTILINE)


@pytest.fixture
def forked(alone, git):
    """Give a machine with two branches that changed one line each their own way."""

    def attempt(*arguments: str) -> None:
        """Run what is to stop half-way."""
        with pytest.raises(pytest.fail.Exception):
            alone.git_(*arguments)

    alone.attempt = attempt
    write_all(alone, {"a.md": "start\n", "b.md": "start\n"})
    alone.git_("add", "-A")
    alone.git_("commit", "-qm", "start")
    alone.git_("branch", "other")
    alone.write("a.md", "alpha\n")
    alone.git_("commit", "-qam", "alpha")
    alone.git_("checkout", "-q", "other")
    write_all(alone, {"a.md": "omega\n", "c.md": "gamma\n"})
    alone.git_("add", "-A")
    alone.git_("commit", "-qm", "omega")
    alone.git_("checkout", "-q", "main")
    return alone


WORDS = {b"alpha", b"omega", b"gamma"}


def check_settled(machine, words=WORDS) -> None:
    text = machine.text()
    assert {word for word in words if word in text} == set(words)
    assert not MARKER.search(text)
    assert machine.is_clean()
    assert machine.repository.leftovers() == ()
    assert machine.git_("symbolic-ref", "HEAD").strip() == "refs/heads/main"
    assert machine.disk() == machine.tree()
    assert machine.cycle().committed is None


def rescued(machine: Machine) -> str:
    return machine.git_("for-each-ref", "--format=%(refname)", "refs/gitmem/rescue")


def test_a_merge_with_a_conflict(forked):
    forked.attempt("merge", "-q", "other")

    report = forked.cycle()

    assert report.settled == ("an interrupted merge",)
    check_settled(forked)
    assert "MERGE_HEAD-0" in rescued(forked)
    assert "marked" in rescued(forked)
    assert len(forked.git_("rev-list", "--merges", "main").split()) == 1


def test_a_conflict_that_a_person_resolved_stays_resolved(forked):
    forked.attempt("merge", "-q", "other")
    forked.write("a.md", "alpha and omega by hand\n")

    forked.cycle()

    assert forked.read("a.md") == "alpha and omega by hand\n"
    assert [path for path in forked.tree() if ".conflict-" in path] == []
    check_settled(forked)


def test_a_conflict_that_was_resolved_and_staged_stays_resolved(forked):
    forked.attempt("merge", "-q", "other")
    forked.write("a.md", "alpha and omega by hand\n")
    forked.git_("add", "-A")

    forked.cycle()

    assert forked.read("a.md") == "alpha and omega by hand\n"
    check_settled(forked)


def test_a_deletion_against_an_edit_keeps_the_edit(forked):
    forked.git_("rm", "-q", "a.md")
    forked.git_("commit", "-qm", "gone")
    forked.attempt("merge", "-q", "other")

    forked.cycle()

    assert forked.read("a.md") == "omega\n"
    check_settled(forked, {b"omega", b"gamma"})


def test_a_binary_conflict_keeps_both_sides(forked):
    forked.git_("checkout", "-q", "other")
    forked.write("d.bin", b"\0omega1\n")
    forked.git_("add", "-A")
    forked.git_("commit", "-qm", "x")
    forked.git_("checkout", "-q", "main")
    forked.write("d.bin", b"\0alpha1\n")
    forked.git_("add", "-A")
    forked.git_("commit", "-qm", "x")
    forked.attempt("merge", "-q", "other")

    forked.cycle()

    check_settled(forked, {b"alpha1", b"omega1", *WORDS})


def test_a_file_against_a_folder_keeps_both(forked):
    forked.git_("checkout", "-q", "other")
    forked.write("d", "omega1\n")
    forked.git_("add", "-A")
    forked.git_("commit", "-qm", "x")
    forked.git_("checkout", "-q", "main")
    forked.write("d/e.md", "alpha1\n")
    forked.git_("add", "-A")
    forked.git_("commit", "-qm", "x")
    forked.attempt("merge", "-q", "other")

    forked.cycle()

    check_settled(forked, {b"alpha1", b"omega1", *WORDS})


def test_a_rebase_with_a_conflict(forked):
    forked.git_("checkout", "-q", "main")
    forked.write("d.md", "delta\n")
    forked.git_("add", "-A")
    forked.git_("commit", "-qm", "delta")
    forked.attempt("rebase", "-q", "other")

    forked.cycle()

    check_settled(forked, {*WORDS, b"delta"})
    assert "rebase-merge-orig-head" in rescued(forked)


def test_a_rebase_with_a_conflict_and_edits_put_aside(forked):
    forked.write("b.md", "beta\n")
    forked.attempt("rebase", "-q", "--autostash", "other")

    forked.cycle()

    check_settled(forked, {*WORDS, b"beta"})
    assert "autostash-0" in rescued(forked)
    assert "parked" not in forked.git_("for-each-ref")


def test_edits_put_aside_are_checked_like_any(forked):
    forked.write("b.md", f"{SECRET}\n")
    forked.attempt("rebase", "-q", "--autostash", "other")

    report = forked.cycle()

    assert [refused.path for refused in report.refused] == ["b.md"]
    assert forked.read("b.md") == f"{SECRET}\n"
    history = forked.git_("log", "-p", "main")
    assert SECRET not in history


def test_a_killed_rebase_that_left_an_empty_autostash(forked):
    folder = forked.root / ".git/rebase-merge"
    folder.mkdir()
    (folder / "autostash").touch()
    forked.write("b.md", "beta\n")

    forked.cycle()

    check_settled(forked, {b"alpha", b"beta"})


def test_a_killed_rebase_whose_edits_are_nowhere_else(forked):
    forked.write("b.md", "beta\n")
    stash = forked.git_("stash", "create").strip()
    forked.git_("checkout", "-q", "--", "b.md")
    folder = forked.root / ".git/rebase-merge"
    folder.mkdir()
    (folder / "autostash").write_text(f"{stash}\n", encoding="utf-8")

    forked.cycle()

    assert forked.read("b.md") == "beta\n"
    check_settled(forked, {b"alpha", b"beta"})


@pytest.mark.parametrize("path", ["MERGE_HEAD", "rebase-merge/autostash", "ORIG_HEAD"])
def test_a_leftover_that_names_no_commit_is_no_trap(forked, path):
    file = forked.root / ".git" / path
    file.parent.mkdir(exist_ok=True)
    file.write_text("f" * 40 + "\n", encoding="utf-8")
    forked.write("b.md", "beta\n")

    forked.cycle()

    check_settled(forked, {b"alpha", b"beta"})


def test_a_stale_merge_head_makes_no_commit(forked):
    tip = forked.tip()
    (forked.root / ".git/MERGE_HEAD").write_text(
        forked.git_("rev-parse", "main~1"), encoding="utf-8"
    )

    forked.cycle()

    assert forked.tip() == tip
    assert forked.repository.leftovers() == ()


@pytest.mark.parametrize("verb", ["cherry-pick", "revert"])
def test_a_pick_or_a_revert_with_a_conflict(forked, verb):
    forked.write("a.md", "alpha\nmore\n")
    forked.git_("commit", "-qam", "more")
    forked.attempt(verb, {"cherry-pick": "other", "revert": "main~1"}[verb])

    forked.cycle()

    check_settled(forked, {b"alpha", b"more"})


def test_a_bisection(forked):
    forked.git_("bisect", "start", "main", "main~2")
    assert "alpha" not in forked.read("a.md")
    forked.write("b.md", "beta\n")

    forked.cycle()

    check_settled(forked, {b"alpha", b"beta"})
    assert "bisect" not in forked.git_("status")


def test_a_detached_head_with_new_commits(forked):
    forked.git_("checkout", "-q", "--detach")
    forked.write("d.md", "delta\n")
    forked.git_("add", "-A")
    forked.git_("commit", "-qm", "delta")
    forked.write("e.md", "epsilon\n")

    report = forked.cycle()

    assert report.settled == (
        "a checkout of no branch: main is checked out again, with all of it",
    )
    check_settled(forked, {b"alpha", b"delta", b"epsilon"})


def test_a_detached_head_in_the_past_moves_no_branch_back(forked):
    forked.git_("checkout", "-q", "--detach", "main~1")

    forked.cycle()

    check_settled(forked, {b"alpha"})


def test_another_branch_that_is_checked_out(forked):
    forked.git_("checkout", "-q", "other")
    forked.write("e.md", "epsilon\n")

    report = forked.cycle()

    assert report.settled == (
        "a checkout of the branch other: main is checked out again, with all of it",
    )

    check_settled(forked, {*WORDS, b"epsilon"})


def test_a_branch_without_a_commit_that_is_checked_out(forked):
    forked.git_("checkout", "-q", "--orphan", "fresh")
    forked.write("e.md", "epsilon\n")

    forked.cycle()

    check_settled(forked, {b"alpha", b"epsilon"})


def test_stashes_stay_where_they_are(forked):
    forked.write("b.md", "stashed\n")
    forked.git_("stash", "-q")
    forked.write("b.md", "beta\n")

    forked.cycle()

    check_settled(forked, {b"alpha", b"beta"})
    assert len(forked.git_("stash", "list").splitlines()) == 1
    assert "stashed" in forked.git_("stash", "show", "-p")


def test_two_rescues_in_one_second_both_stay(forked):
    forked.attempt("merge", "-q", "other")
    forked.engine.cycle()
    forked.git_("branch", "-f", "again", "main~1")
    forked.git_("checkout", "-q", "again")
    forked.write("a.md", "again\n")
    forked.git_("commit", "-qam", "again")
    forked.git_("checkout", "-q", "main")
    forked.write("a.md", "once more\n")
    forked.git_("commit", "-qam", "x")
    forked.attempt("merge", "-q", "again")
    forked.engine.cycle()

    folders = list((forked.root / ".git/gitmem-rescue").iterdir())
    assert len(folders) == 2
    assert all((folder / "MERGE_HEAD").exists() for folder in folders)
    check_settled(forked, {b"omega", b"gamma", b"again", b"once more"})


def test_a_rescue_arrives_on_the_other_machine(pair):
    first, second = pair
    first.write("a.md", "start\n")
    first.cycle()
    second.cycle()
    first.write("a.md", "alpha\n")
    first.cycle()
    second.write("a.md", "omega\n")
    second.git_("commit", "-qam", "omega")
    second.git_("fetch", "-q", "origin")
    with pytest.raises(pytest.fail.Exception):
        second.git_("merge", "-q", "origin/main")

    second.cycle()
    first.cycle()

    assert first.tree() == second.tree()
    check_settled(second, {b"alpha", b"omega"})


def test_markers_that_somebody_staged_are_settled(forked):
    forked.attempt("merge", "-q", "other")
    forked.git_("add", "-A")

    report = forked.cycle()

    assert report.refused == ()
    check_settled(forked)


def test_markers_in_a_file_that_nothing_is_known_of_are_left_to_the_person(forked):
    forked.attempt("merge", "-q", "other")
    forked.git_("add", "-A")
    (forked.root / ".git/MERGE_HEAD").unlink()

    report = forked.cycle()

    assert [refused.path for refused in report.refused] == ["a.md"]
    assert "begins a conflict" in report.refused[0].reason
    assert not MARKER.search(forked.text())
