"""What the person set for Git, what else lies on the disk, and names that are alike."""

import os
import unicodedata

import pytest
from tests.sync.conftest import settled

from gitmem.errors import BadConfig
from gitmem.memory.survey import survey


def test_62_nobody_has_to_introduce_himself(first, git):
    git("config", "--global", "user.useConfigOnly", "true", cwd=first.root)
    first.write("a.md", "a\n")

    assert first.cycle().pushed
    assert "first" in first.git_("log", "-1", "--format=%an <%ae>")


def test_63_no_signature_is_asked_for(first, git):
    git("config", "--global", "commit.gpgSign", "true", cwd=first.root)
    git("config", "--global", "gpg.program", "/nowhere/gpg", cwd=first.root)
    first.write("a.md", "a\n")

    assert first.cycle().pushed


HOOKS = ("pre-commit", "reference-transaction", "post-index-change", "post-commit")


@pytest.mark.parametrize("where", ["repository", "person"])
def test_64_no_hook_runs(alone, git, tmp_path, where):
    marker = tmp_path / "marker"
    own = alone.root / ".git" / "hooks"
    hooks = own if where == "repository" else tmp_path / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in HOOKS:
        (hooks / name).write_text(f"#!/bin/sh\ntouch {marker}\nexit 1\n", "utf-8")
        (hooks / name).chmod(0o755)
    git("config", "--global", "core.hooksPath", hooks, cwd=alone.root)
    alone.write("a.md", "a\n")

    assert alone.cycle().committed
    assert not marker.exists()


def test_65_variables_of_another_git_lead_nowhere(first, git, tmp_path, monkeypatch):
    git("init", "-q", "-b", "main", "project", cwd=tmp_path)
    project = tmp_path / "project"
    first.write("a.md", "a\n")
    with monkeypatch.context() as patch:
        patch.setenv("GIT_DIR", str(project / ".git"))
        patch.setenv("GIT_WORK_TREE", str(project))
        patch.setenv("GIT_INDEX_FILE", str(project / ".git" / "index"))
        patch.setenv("GIT_EXTERNAL_DIFF", "/nowhere")

        assert first.cycle().pushed

    assert "a.md" in first.tree()
    assert git("for-each-ref", cwd=project) == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder away")
def test_66_a_repository_of_somebody_else_is_explained(first):
    for path in [first.root, *first.root.rglob("*")]:
        os.chown(path, 65534, 65534)

    with pytest.raises(BadConfig, match="ownership") as raised:
        first.cycle()

    assert "chown" in raised.value.hint


def test_67_line_ends_stay_as_they_were_written(pair, git):
    first, second = pair
    git("config", "--global", "core.autocrlf", "true", cwd=first.root)
    git("config", "--global", "core.safecrlf", "true", cwd=first.root)
    first.write("f.md", b"a\r\nb\n")

    settled(pair)

    assert second.disk()["f.md"] == b"a\r\nb\n"
    assert first.is_clean() or first.tree()["f.md"] == b"a\r\nb\n"
    assert first.cycle().committed is None


NFC, NFD = (unicodedata.normalize(form, "caf\u00e9.md") for form in ("NFC", "NFD"))


@pytest.mark.parametrize(
    ("one", "other"), [("Note.md", "note.md"), (NFC, NFD)], ids=["68 case", "69 accent"]
)
def test_68_and_69_twins_are_kept_apart_and_told(pair, one, other):
    first, second = pair
    first.write(one, "one\n")
    second.write(other, "other\n")

    settled(pair)

    assert {one, other} <= first.disk().keys()
    assert first.tree() == second.tree()
    told = [found.code for found in survey(first.engine._opened()[1]).findings]
    assert told.count("twin") == 1


def test_70_a_repository_inside_is_named_and_not_swallowed(first, git):
    git("init", "-q", "inner", cwd=first.root)
    first.write("inner/a.md", "a\n")
    first.write("b.md", "b\n")

    report = first.cycle()

    assert [each.path for each in report.refused] == ["inner"]
    assert "repository of its own" in report.refused[0].reason
    assert "b.md" in first.tree()


def test_72_what_no_watcher_saw_is_committed(first):
    (first.root / "d" / "e").mkdir(parents=True)
    (first.root / "d" / "e" / "f.md").write_text("f\n", "utf-8")

    first.cycle()

    assert "d/e/f.md" in first.tree()


def test_73_what_was_not_saved_is_in_sight(first, bare_remote, gitmem):
    bare_remote.rename(bare_remote.with_name("away"))
    first.write("a.md", "a\n")
    failed = gitmem(first, "sync")

    standing = gitmem(first, "sync", "status", "--json")

    assert failed.returncode == 1
    assert '"unpushed": 1' in standing.stdout
    assert '"error_class": "offline"' in standing.stdout


def test_74_what_the_person_ignores_elsewhere_is_a_memory_here(first, git, tmp_path):
    (tmp_path / "ignore").write_text("*.md\n", "utf-8")
    git("config", "--global", "core.excludesFile", tmp_path / "ignore", cwd=first.root)
    first.write("a.md", "a\n")

    first.cycle()

    assert "a.md" in first.tree()
