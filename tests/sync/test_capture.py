"""What lies in the work tree is committed, except what may not be."""

import os
from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from tests.sync.conftest import SECRET, numbered, write_all

from gitmem.sync.capture import capture, is_mass
from gitmem.sync.freshness import NAME
from gitmem.sync.plan import Decision
from gitmem.sync.record import Record
from gitmem.sync.workspace import Workspace


def reasons(report) -> dict[str, str]:
    return {refused.path: refused.reason for refused in report.refused}


def test_new_changed_and_deleted_files_are_committed(alone):
    write_all(alone, {"core/a.md": "a\n", "core/b.md": "b\n"})
    alone.cycle()
    alone.write("core/a.md", "changed\n")
    alone.write("core/c.md", "c\n")
    alone.delete("core/b.md")

    alone.cycle()

    tree = alone.tree()
    assert (tree["core/a.md"], tree["core/c.md"]) == (b"changed\n", b"c\n")
    assert "core/b.md" not in tree
    assert alone.is_clean()
    assert alone.log()[0] == "memory(core): add c.md; update a.md; delete b.md"


def test_a_second_cycle_commits_nothing(alone):
    alone.write("a.md", "a\n")
    alone.cycle()
    tip = alone.tip()

    report = alone.cycle()

    assert report.committed is None
    assert alone.tip() == tip


def test_a_secret_is_refused_by_line_and_kind_and_shown_nowhere(alone):
    alone.write("a.md", f"one\ntwo\ntoken {SECRET}\n")
    alone.write("b.md", "fine\n")

    report = alone.cycle()

    assert reasons(report) == {"a.md": "line 3 looks like a secret (GitHub token)"}
    assert "a.md" not in alone.tree()
    assert alone.tree()["b.md"] == b"fine\n"
    assert alone.read("a.md") == f"one\ntwo\ntoken {SECRET}\n"
    stored = b"".join(p.read_bytes() for p in alone.options.state.iterdir())
    assert SECRET not in repr(report) + stored.decode()
    oids = alone.git_("cat-file", "--batch-all-objects", "--batch-check").split()[::3]
    assert SECRET.encode() not in b"".join(alone.repository.blobs(oids).values())


def test_a_secret_in_a_name_is_refused_and_shown_nowhere(alone):
    alone.write(f"{SECRET}.md", "fine\n")
    alone.write("b.md", "fine\n")

    report = alone.cycle()

    assert reasons(report) == {"ghp_***": "its name looks like a secret (GitHub token)"}
    assert [path for path in alone.tree() if SECRET in path] == []
    assert alone.tree()["b.md"] == b"fine\n"
    assert SECRET not in repr(report)


def test_a_secret_is_committed_where_the_person_allows_it(alone):
    rules = type(alone.options.rules)(max_file_bytes=1_000_000, secrets="allow")
    alone.write("a.md", f"{SECRET}\n")

    assert alone.with_(rules=rules).cycle().refused == ()
    assert "a.md" in alone.tree()


def test_a_file_that_turned_bad_stays_as_it_was_committed(alone):
    alone.write("a.md", "good\n")
    alone.cycle()
    alone.write("a.md", f"{SECRET}\n")

    report = alone.cycle()

    assert list(reasons(report)) == ["a.md"]
    assert alone.tree()["a.md"] == b"good\n"
    assert alone.read("a.md") == f"{SECRET}\n"


def test_a_large_file_is_refused(alone):
    alone.write("a.md", b"x" * 1_000_001)
    alone.write("b.md", b"x" * 1_000_000)

    assert reasons(alone.cycle()) == {"a.md": "it is larger than 1,000,000 bytes"}
    assert "b.md" in alone.tree()


def test_links_and_special_files_are_refused(alone):
    (alone.root / "to-a-file.md").symlink_to("/etc/passwd")
    (alone.root / "to-a-folder").symlink_to("/etc")
    (alone.root / "to-nothing.md").symlink_to("nothing")
    os.mkfifo(alone.root / "pipe.md")
    alone.write("a.md", "fine\n")

    report = alone.cycle()

    assert set(reasons(report)) == {"to-a-file.md", "to-a-folder", "to-nothing.md"}
    assert set(alone.tree()) == {".gitattributes", ".gitignore", "a.md"}


def test_a_committed_file_that_became_a_link_stays_as_it_was(alone):
    alone.write("a.md", "good\n")
    alone.cycle()
    alone.delete("a.md")
    (alone.root / "a.md").symlink_to("/etc/passwd")

    report = alone.cycle()

    assert list(reasons(report)) == ["a.md"]
    assert alone.tree()["a.md"] == b"good\n"


@pytest.mark.parametrize("has_commit", [True, False])
def test_a_repository_in_the_repository_is_refused(alone, git, has_commit):
    alone.write("inner/a.md", "a\n")
    git("init", "-q", cwd=alone.root / "inner")
    git("add", "a.md", cwd=alone.root / "inner")
    git(
        *(["commit", "-qm", "x"] if has_commit else ["status"]),
        cwd=alone.root / "inner",
    )

    assert list(reasons(alone.cycle())) == ["inner"]
    assert set(alone.tree()) == {".gitattributes", ".gitignore"}


def test_a_repository_that_somebody_staged_leaves_the_index(alone, git):
    alone.write("inner/a.md", "a\n")
    git("init", "-q", cwd=alone.root / "inner")
    git("add", "a.md", cwd=alone.root / "inner")
    git("commit", "-qm", "x", cwd=alone.root / "inner")
    alone.git_("-c", "advice.addEmbeddedRepo=false", "add", "inner")

    report = alone.cycle()

    assert list(reasons(report)) == ["inner"]
    assert "inner" not in alone.git_("ls-tree", "--name-only", "main").split()
    assert "160000" not in alone.git_("ls-files", "-s")
    assert alone.read("inner/a.md") == "a\n"


@pytest.mark.parametrize("name", ["a.md", "a.jsonl"])
def test_a_conflict_that_is_not_settled_is_refused(alone, name):
    alone.write(name, "x\n<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n")

    assert reasons(alone.cycle()) == {
        name: "line 2 begins a conflict that is not settled"
    }


@pytest.mark.parametrize(
    "name",
    [
        b"a\nb.md",
        b"a\xffb.md",
        b"con.md",
        b"a:b.md",
        b"a\xe2\x80\xaeb.md",
        b"a .",
        b".gitmodules",
    ],
    ids=[
        "newline",
        "bytes",
        "device",
        "colon",
        "direction",
        "space and dot",
        "modules",
    ],
)
def test_a_name_that_some_system_cannot_hold_is_refused(alone, name):
    alone.write("good.md", "good\n")
    with open(os.fsencode(alone.root) + b"/" + name, "wb") as file:
        file.write(b"x\n")

    report = alone.cycle()

    assert len(report.refused) == 1
    assert report.refused[0].path.isprintable()
    assert set(alone.tree()) == {".gitattributes", ".gitignore", "good.md"}
    assert alone.cycle().committed is None


def test_a_refused_file_that_somebody_staged_leaves_the_index_but_not_the_disk(alone):
    alone.write("a.md", f"{SECRET}\n")
    alone.write("b.md", "good\n")
    alone.git_("add", "-A")

    alone.cycle()

    assert "a.md" not in alone.git_("ls-files")
    assert alone.read("a.md") == f"{SECRET}\n"
    assert "b.md" in alone.tree()


def test_a_file_that_was_only_taken_out_of_the_index_stays(alone):
    alone.write("a.md", "good\n")
    alone.cycle()
    alone.git_("rm", "-q", "--cached", "a.md")

    assert alone.cycle().committed is None
    assert alone.is_clean()


@pytest.mark.parametrize(
    ("deleted", "total", "expected"),
    [(20, 20, False), (21, 21, True), (21, 84, False), (21, 83, True), (0, 0, False)],
)
def test_a_mass_deletion_is_many_and_a_large_part(deleted, total, expected):
    assert is_mass(deleted, total) is expected


@pytest.fixture
def emptied(alone):
    """Give a machine on which somebody emptied the memory."""
    write_all(alone, numbered(30))
    alone.cycle()
    alone.delete(*numbered(30))
    return alone


def test_a_mass_deletion_is_held_and_everything_else_committed(emptied):
    emptied.write("new.md", "new\n")

    report = emptied.cycle()

    assert report.held == (
        "30 of 33 files are missing here. So many at once (more than 20 files, and "
        "more than a quarter of all) may be an accident, so their deletion is not "
        "committed. `gitmem sync --accept` commits it, and each other machine asks "
        "once before it deletes them too; `gitmem sync --keep` brings them back."
    )
    assert emptied.engine.record().held == report.held
    assert set(numbered(30)) | {"new.md"} <= set(emptied.tree())
    assert set(emptied.disk()) == {".gitattributes", ".gitignore", "new.md"}


def test_a_mass_deletion_happens_when_it_is_accepted(emptied):
    emptied.cycle()

    report = emptied.cycle(Decision.ACCEPT)

    assert report.held == ""
    assert set(map(str, report.deleted)) == set(numbered(30))
    assert set(emptied.tree()) == {".gitattributes", ".gitignore"}
    assert emptied.engine.record().held == ""


def test_a_mass_deletion_is_taken_back_when_it_is_not_wanted(emptied):
    emptied.cycle()

    report = emptied.cycle(Decision.KEEP)

    assert report.held == ""
    assert emptied.disk().keys() >= numbered(30).keys()
    assert emptied.is_clean()


def test_a_mass_deletion_that_a_new_file_stands_in_the_way_of_can_be_taken_back(alone):
    write_all(alone, numbered(30) | {"notes/last": "word\n"})
    alone.cycle()
    alone.delete(*numbered(30), "notes/last")
    alone.write("notes/last/new.md", "new\n")
    alone.cycle()

    alone.cycle(Decision.KEEP)

    assert alone.disk().keys() >= {*numbered(30), "notes/last/new.md"}


def test_moving_a_whole_folder_is_no_deletion(alone):
    write_all(alone, numbered(30))
    alone.cycle()
    (alone.root / "notes").rename(alone.root / "archive")

    report = alone.cycle()

    assert report.held == ""
    assert alone.tree().keys() == {
        ".gitattributes",
        ".gitignore",
        *numbered(30, folder="archive"),
    }


def test_what_the_person_ignores_everywhere_is_committed_all_the_same(
    alone, empty_home
):
    ignored = empty_home / ".config/git/ignore"
    ignored.parent.mkdir(parents=True)
    ignored.write_text("*.md\n", encoding="utf-8")
    alone.write("a.md", "a\n")

    alone.cycle()

    assert "a.md" in alone.tree()


def test_what_the_memory_itself_ignores_is_not_committed(alone):
    alone.write("cache.sqlite", "x")
    alone.write(".gitmem-tmp-1", "x")

    assert alone.cycle().committed is None


HOSTILE = """\
[commit]
  gpgsign = true
[gpg]
  program = {program}
[core]
  hooksPath = {hooks}
  fsmonitor = {program}
  attributesFile = {hooks}/attributes
[user]
  useConfigOnly = true
[filter "x"]
  clean = {program}
[merge]
  conflictStyle = diff3
"""


def test_nothing_that_the_person_set_for_git_runs_or_stops_a_commit(
    alone, empty_home, tmp_path
):
    program, hooks = tmp_path / "program", tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "attributes").write_text("* filter=x\n", encoding="utf-8")
    for path in (program, hooks / "pre-commit", hooks / "reference-transaction"):
        path.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n", encoding="utf-8")
        path.chmod(0o755)
    settings = HOSTILE.format(program=program, hooks=hooks)
    (empty_home / ".gitconfig").write_text(settings, encoding="utf-8")
    alone.write("a.md", "a\n")

    alone.cycle()

    assert "a.md" in alone.tree()
    assert not (tmp_path / "ran").exists()
    assert alone.git_("log", "-1", "--format=%an <%ae>").strip() == (
        "gitmem <gitmem@alone.invalid>"
    )


def test_the_person_s_own_name_is_on_a_commit(alone, empty_home):
    (empty_home / ".gitconfig").write_text(
        "[user]\nname = Ada\nemail = ada@example.invalid\n", encoding="utf-8"
    )
    alone.write("a.md", "a\n")

    alone.cycle()

    assert alone.git_("log", "-1", "--format=%an <%ae> %ad", "--date=iso").strip() == (
        "Ada <ada@example.invalid> 2026-01-01 12:00:01 +0000"
    )


def test_a_commit_says_where_it_came_from(alone):
    author = type(alone.options.author)("laptop", host="cc", session="s\nForged: x")
    alone.write("a.md", "a\n")

    alone.with_(author=author).cycle()

    assert alone.git_("log", "-1", "--format=%B").strip() == (
        "memory(.): add a.md\n\n"
        "Gitmem-Machine: laptop\nGitmem-Host: cc\nGitmem-Session: s Forged: x"
    )


def captured(machine, status):
    """Commit by a list of changes that may be out of date."""
    scribe = Workspace(machine.options, Record()).scribe()
    return capture(scribe, status, ref="refs/heads/main")


def test_a_file_that_becomes_a_link_after_it_was_listed_is_not_followed(
    alone, tmp_path
):
    outside = tmp_path / "outside"
    outside.write_text("outside\n", encoding="utf-8")
    path = alone.write("a.md", "a\n")
    status = alone.repository.status()
    path.unlink()
    path.symlink_to(outside)

    done = captured(alone, status)

    assert [refused.path for refused in done.refused] == ["a.md"]
    assert b"outside" not in alone.text()


def test_a_folder_that_becomes_a_link_after_it_was_listed_is_not_followed(
    alone, tmp_path
):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("outside\n", encoding="utf-8")
    alone.write("notes/a.md", "a\n")
    status = alone.repository.status()
    (alone.root / "notes").rename(tmp_path / "away")
    (alone.root / "notes").symlink_to(outside)

    done = captured(alone, status)

    assert [refused.path for refused in done.refused] == ["notes/a.md"]
    assert b"outside" not in alone.text()


def test_a_file_that_is_gone_after_it_was_listed_is_a_deletion(alone):
    alone.write("a.md", "a\n")
    alone.cycle()
    alone.write("a.md", "changed\n")
    alone.write("b.md", "b\n")
    status = alone.repository.status()
    alone.delete("a.md")

    done = captured(alone, status)

    assert done.refused == ()
    assert set(alone.tree()) == {".gitattributes", ".gitignore", "b.md"}


def test_files_that_gitmem_is_writing_are_no_memories(alone):
    (alone.root / ".gitignore").write_text("x\n", encoding="utf-8")
    alone.write("notes/.gitmem-tmp-1-abc", "half a file")

    alone.cycle()

    assert set(alone.tree()) == {".gitattributes", ".gitignore"}


def test_the_record_says_what_was_refused(alone):
    alone.write("a.md", f"{SECRET}\n")

    report = alone.cycle()

    assert alone.engine.record().refused == report.refused
    assert (alone.options.state / NAME).stat().st_mode & 0o077 == 0


def test_secret_that_the_person_only_wants_to_hear_of_is_committed_and_told(alone):
    machine = alone.with_(rules=replace(alone.options.rules, secrets="warn"))
    machine.write("a.md", f"one\n{SECRET}\n")

    report = machine.cycle()

    (warned,) = report.warned
    assert (warned.path, report.refused) == ("a.md", ())
    assert warned.reason.startswith("line 2 looks like a secret")
    assert SECRET not in str(report)
    assert "a.md" in machine.tree()


def test_a_file_that_a_dead_cycle_staged_may_be_deleted(alone):
    alone.write("a.md", "a\n")
    alone.git_("add", "a.md")
    alone.delete("a.md")

    alone.cycle()

    assert "a.md" not in alone.tree()
    assert alone.is_clean()


def test_memory_that_a_gitignore_names_is_told_of_once_and_stays_in_the_record(alone):
    write_all(alone, {"notes/.gitignore": "*.md\n", "notes/n.md": "n\n", "x~": "x"})
    first = alone.cycle()

    second = alone.cycle()

    assert [each.path for each in first.refused] == ["notes/n.md"]
    assert second.refused == ()
    assert alone.engine.record().refused == first.refused
    alone.delete("notes/n.md")
    alone.cycle()
    assert alone.engine.record().refused == ()


@pytest.fixture
def hiding(alone):
    """Give a machine on which a file is in the history and not to appear."""
    alone.write("a.md", "hidden\n")
    alone.cycle()
    alone.repository.hide([PurePosixPath("a.md")])
    alone.delete("a.md")
    return alone


def test_what_is_hidden_and_missing_is_no_deletion(hiding):
    assert hiding.cycle().committed is None
    assert hiding.tree()["a.md"] == b"hidden\n"


def test_a_file_at_a_hidden_path_is_committed(hiding):
    hiding.write("a.md", "mine\n")
    assert hiding.engine.status().uncommitted == 1

    hiding.cycle()

    assert hiding.tree()["a.md"] == b"mine\n"
    assert hiding.engine.status().uncommitted == 0
    assert hiding.is_clean()


def test_a_file_at_a_hidden_path_that_may_not_be_committed_is_told_of(hiding):
    hiding.write("a.md", f"token {SECRET}\n")
    assert list(reasons(hiding.cycle())) == ["a.md"]

    hiding.delete("a.md")

    assert hiding.cycle().committed is None
    assert hiding.tree()["a.md"] == b"hidden\n"


def test_a_link_at_a_hidden_path_is_refused(hiding, tmp_path):
    (hiding.root / "a.md").symlink_to(tmp_path)

    assert reasons(hiding.cycle()) == {"a.md": "it is a link or a special file"}


def test_a_file_that_somebody_marked_as_unchanged_is_committed_in_the_end(alone):
    alone.write("a.md", "a\n")
    alone.cycle()
    alone.git_("update-index", "--assume-unchanged", "a.md")
    alone.write("a.md", "edited\n")
    alone.cycle()

    alone.engine.maintain()
    alone.cycle()

    assert alone.tree()["a.md"] == b"edited\n"
