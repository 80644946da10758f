import os
from pathlib import Path

import pytest

from gitmem.repo.environment import variables
from gitmem.repo.repository import Repository


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "it-ran"


@pytest.fixture
def program(tmp_path: Path, marker: Path) -> Path:
    script = tmp_path / "program"
    script.write_text(f"#!/bin/sh\ntouch {marker}\ncat 2>/dev/null\n")
    script.chmod(0o755)
    return script


def test_read_never_takes_a_lock():
    assert variables(Path("/m"), may_lock=False)["GIT_OPTIONAL_LOCKS"] == "0"


def configured(found, key):
    number = next(name for name, value in found.items() if value == key)
    return found[number.replace("_KEY_", "_VALUE_")]


def test_only_what_can_be_had_again_is_left_to_the_system_to_flush():
    kept, passing = variables(Path("/m")), variables(Path("/m"), is_flushed=False)

    assert configured(kept, "core.fsync") == "committed"
    assert configured(passing, "core.fsync") == "committed,-loose-object"


def test_local_process_may_use_no_transport_at_all():
    assert variables(Path("/m"))["GIT_ALLOW_PROTOCOL"] == "none"


@pytest.mark.parametrize(
    "key",
    ["core.fsmonitor", "core.hooksPath", "core.editor", "gpg.program", "core.askPass"],
)
def test_program_that_the_repository_names_does_not_run(
    key, root, repository: Repository, program, marker, git
):
    git("config", key, program, cwd=root)
    git("config", "commit.gpgsign", "true", cwd=root)
    (root / "notes/one.md").write_text("changed\n")

    repository.status()
    (oid,) = repository.store([b"x"])
    repository.refresh_index()

    assert oid == repository.store([b"x"])[0]
    assert not marker.exists()


@pytest.mark.parametrize(
    "attributes",
    ["* filter=evil", "* diff=evil", "* merge=evil", "* filter=evil diff=evil"],
)
def test_attributes_of_a_stranger_bind_no_program(
    attributes, root, repository: Repository, program, marker, git
):
    git("config", "filter.evil.clean", program, cwd=root)
    git("config", "filter.evil.smudge", program, cwd=root)
    git("config", "diff.evil.textconv", program, cwd=root)
    git("config", "merge.evil.driver", f"{program} %A", cwd=root)
    repository.guard_attributes()
    (root / ".gitattributes").write_text(f"{attributes}\n")
    (root / "notes/one.md").write_text("changed\n")

    status = repository.status()
    head = repository.head() or ""
    repository.changed(head, repository.edit_tree(repository.tree_of(head), {}))
    repository.refresh_index()

    assert {str(e.path) for e in status.entries} == {".gitattributes", "notes/one.md"}
    assert not marker.exists()


def test_guard_is_added_once_and_keeps_what_the_person_wrote(root, repository):
    path = root / ".git/info/attributes"
    path.parent.mkdir(exist_ok=True)
    path.write_text("*.md diff=markdown")

    repository.guard_attributes()
    repository.guard_attributes()

    lines = path.read_text().splitlines()
    assert lines[0] == "*.md diff=markdown"
    assert len(lines) == 2


def test_inherited_git_variables_do_not_redirect(
    root, tmp_path, git, monkeypatch, repository: Repository
):
    other = tmp_path / "project"
    other.mkdir()
    git("init", "-q", cwd=other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare=true'")

    head = repository.head()

    assert head is not None
    assert "GIT_DIR" not in os.environ
    assert not (other / "index").exists()


def test_damaged_repository_is_not_taken_for_the_project_around_it(tmp_path, git):
    from gitmem.errors import NoRepository

    git("init", "-q", cwd=tmp_path)
    inner = tmp_path / "memory"
    (inner / ".git").mkdir(parents=True)

    with pytest.raises(NoRepository):
        Repository(inner)
