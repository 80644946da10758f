"""The catalog follows the files, and is replaced when it is broken."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.catalog import builds, rows, scan, schema
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import Outcome, Refreshed, rebuild, refresh
from gitmem.catalog.scan import Unreadable
from gitmem.catalog.update import Update
from gitmem.files.lock import locked


def paths(house) -> set[str]:
    return {str(row.path) for row in rows.entries(house.catalog)}


def build_of(house) -> Path:
    build = builds.current(house.catalog.folder)
    assert build is not None
    return build


@pytest.fixture(params=["with git", "without git"])
def any_house(request, house, git):
    if request.param == "with git":
        return request.getfixturevalue("git_house")
    house.put("p/core/first.md", "the first memory\n")
    return house


def test_first_refresh_builds(any_house):
    any_house.put("p/new.md", "new words")
    assert Refreshed(Outcome.BUILT, indexed=2) == any_house.refresh()
    assert {"p/core/first.md", "p/new.md"} == paths(any_house)


def test_refresh_without_changes_indexes_nothing(any_house):
    any_house.refresh()
    assert Refreshed(Outcome.UNCHANGED) == any_house.refresh()


def test_new_edited_and_deleted_files_are_followed(any_house):
    any_house.put("p/old.md", "old")
    any_house.refresh()
    any_house.put("p/core/first.md", "edited words")
    any_house.put("p/new.md", "fresh words")
    (any_house.root / "p/old.md").unlink()
    assert Refreshed(Outcome.UPDATED, 2, 1) == any_house.refresh()
    assert {"p/core/first.md", "p/new.md"} == set(any_house.found("words"))


def test_edit_that_keeps_size_and_time_is_not_missed(any_house):
    file = any_house.put("p/a.md", "one", age=0)
    at = file.stat()
    any_house.refresh()
    file.write_bytes(b"two")
    os.utime(file, ns=(at.st_atime_ns, at.st_mtime_ns))
    any_house.refresh()
    assert ["p/a.md"] == any_house.found("two")


def test_file_touched_but_unchanged_is_not_indexed_again(any_house):
    any_house.refresh()
    any_house.put("p/core/first.md", "the first memory\n", age=500)
    assert Refreshed(Outcome.UNCHANGED) == any_house.refresh()


def test_edit_taken_back_is_followed(git_house, git):
    git_house.put("p/core/first.md", "edited")
    git_house.refresh()
    git("checkout", "--quiet", ".", cwd=git_house.root)
    git_house.refresh()
    assert ["p/core/first.md"] == git_house.found("memory")


def test_commit_moves_the_catalog_on_without_reading_again(git_house, git):
    git_house.put("p/new.md", "new")
    git_house.refresh()
    git("add", ".", cwd=git_house.root)
    git("commit", "--quiet", "--message=new", cwd=git_house.root)
    assert Refreshed(Outcome.UNCHANGED) == git_house.refresh()


def test_what_another_commit_brought_is_followed(git_house, git):
    git("checkout", "--quiet", "-b", "other", cwd=git_house.root)
    git_house.put("p/other.md", "from elsewhere")
    git("rm", "--quiet", "p/core/first.md", cwd=git_house.root)
    git("add", ".", cwd=git_house.root)
    git("commit", "--quiet", "--message=other", cwd=git_house.root)
    git("checkout", "--quiet", "main", cwd=git_house.root)
    git_house.refresh()
    git("checkout", "--quiet", "other", cwd=git_house.root)
    assert Refreshed(Outcome.UPDATED, 1, 1) == git_house.refresh()
    assert {"p/other.md"} == paths(git_house)


def test_history_that_was_replaced_is_compared_in_full(git_house, git):
    git_house.refresh()
    git("checkout", "--quiet", "--orphan", "fresh", cwd=git_house.root)
    git_house.put("p/core/first.md", "rewritten")
    git("add", ".", cwd=git_house.root)
    git("commit", "--quiet", "--message=fresh", cwd=git_house.root)
    git("branch", "--quiet", "-D", "main", cwd=git_house.root)
    git("reflog", "expire", "--expire=now", "--all", cwd=git_house.root)
    git("gc", "--quiet", "--prune=now", cwd=git_house.root)
    git_house.refresh()
    assert ["p/core/first.md"] == git_house.found("rewritten")


def test_file_that_git_ignores_is_no_memory(git_house):
    git_house.put(".gitignore", "*.private.md\n")
    git_house.put("p/x.private.md", "hidden")
    git_house.refresh()
    assert {"p/core/first.md"} == paths(git_house)


def test_file_that_becomes_ignored_is_dropped(git_house):
    git_house.put("p/x.private.md", "hidden")
    git_house.refresh()
    git_house.put(".gitignore", "*.private.md\n")
    assert Refreshed(Outcome.UPDATED, 0, 1) == git_house.refresh()


def test_links_other_files_and_the_tape_are_left_out(any_house, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("secret")
    (any_house.root / "p/link.md").symlink_to(outside)
    (any_house.root / "p/folder").symlink_to(tmp_path)
    os.mkfifo(any_house.root / "p/pipe.md")
    any_house.put("p/image.png")
    any_house.put("p/.hidden.md")
    any_house.put("tape/p/x.md")
    any_house.put("README.md")
    any_house.refresh()
    assert {"p/core/first.md"} == paths(any_house)


def test_memory_that_became_a_link_is_dropped(any_house, tmp_path):
    any_house.refresh()
    (any_house.root / "p/core/first.md").unlink()
    (any_house.root / "p/core/first.md").symlink_to(tmp_path / "outside.md")
    any_house.refresh()
    assert set() == paths(any_house)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_folder_that_cannot_be_read_keeps_its_rows(any_house):
    any_house.refresh()
    folder = any_house.root / "p/core"
    folder.chmod(0)
    refreshed = any_house.refresh()
    folder.chmod(0o700)
    assert "Permission denied" in {each.reason for each in refreshed.unreadable}
    assert {"p/core/first.md"} == paths(any_house)


def test_folder_that_lies_too_deep_keeps_its_rows(house, monkeypatch):
    house.put("p/core/deep/a.md")
    house.put("p/b.md")
    house.refresh()
    monkeypatch.setattr(scan, "DEPTH_LIMIT", 1)
    (house.root / "p/b.md").unlink()
    hidden = Unreadable("p/core", "it lies too deep")
    assert Refreshed(Outcome.UPDATED, 0, 1, (hidden,)) == house.refresh()
    assert {"p/core/deep/a.md"} == paths(house)


def test_name_that_is_not_text_is_reported(house):
    folder = house.put("p/a.md").parent
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md")).write_text("x")
    expected = Refreshed(
        Outcome.BUILT, 1, 0, (Unreadable(r"p/\udcff.md", "its name is not UTF-8"),)
    )
    assert expected == house.refresh()


def test_named_paths_alone_are_looked_at(any_house):
    any_house.refresh()
    any_house.put("p/seen.md", "words")
    any_house.put("p/unseen.md", "words")
    any_house.refresh("p/seen.md", "../outside.md", "/etc/passwd", "p/gone.md")
    assert {"p/core/first.md", "p/seen.md"} == paths(any_house)
    any_house.refresh()
    assert {"p/core/first.md", "p/seen.md", "p/unseen.md"} == paths(any_house)


def test_named_folder_stands_for_all_below_it(any_house):
    any_house.refresh()
    (any_house.root / "p/core").rename(any_house.root / "p/kernel")
    any_house.refresh("p/core", "p/kernel")
    assert {"p/kernel/first.md"} == paths(any_house)


def test_dates_come_from_the_memory_then_the_commit_never_from_the_clone(
    git_house, git, monkeypatch
):
    git_house.put("p/dated.md", '---\nupdated: "2026-02-14"\n---\n')
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2025-05-05T05:05:05Z")
    git_house.put("p/committed.md", "no date")
    git("add", ".", cwd=git_house.root)
    git("commit", "--quiet", "--message=two", cwd=git_house.root)
    git_house.refresh()
    known = {str(row.path): row.changed_at for row in rows.entries(git_house.catalog)}
    assert datetime(2026, 2, 14, tzinfo=UTC) == known["p/dated.md"]
    assert datetime(2025, 5, 5, 5, 5, 5, tzinfo=UTC) == known["p/committed.md"]


def test_progress_is_told_up_to_the_end(house):
    house.put("p/a.md")
    house.put("p/b.md")
    told: list[tuple[int, int]] = []
    refresh(
        house.catalog,
        house.tree,
        progress=lambda done, total: told.append((done, total)),
    )
    assert [(0, 2), (2, 2)] == told


def test_refresh_is_left_to_another_process_that_is_at_it(git_house):
    git_house.refresh()
    git_house.put("p/new.md", "new")
    with locked(git_house.catalog.folder / builds.LOCK, timeout_seconds=0):
        assert Refreshed(Outcome.LEFT_TO_ANOTHER) == git_house.refresh()
        assert ["p/core/first.md"] == git_house.found("first")


def test_rows_of_another_schema_are_replaced(git_house, monkeypatch):
    git_house.refresh()
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    assert Refreshed(Outcome.BUILT, indexed=1) == git_house.refresh()


def damage_rows(build: Path) -> None:
    (build / builds.ROWS).write_bytes(b"no database" * 500)


def empty_rows(build: Path) -> None:
    (build / builds.ROWS).write_bytes(b"")


def delete_rows(build: Path) -> None:
    (build / builds.ROWS).unlink()


def delete_text(build: Path) -> None:
    for file in (build / builds.TEXT).iterdir():
        file.unlink()


def damage_text(build: Path) -> None:
    for file in (build / builds.TEXT).glob("*.*"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def disagree(build: Path) -> None:
    with closing(sqlite3.connect(build / builds.ROWS)) as connection, connection:
        connection.execute("UPDATE state SET generation = generation + 1")


def lose_pointer(build: Path) -> None:
    (build.parent / builds.POINTER).write_bytes(b"../../etc")


@pytest.mark.parametrize(
    "harm",
    [
        damage_rows,
        empty_rows,
        delete_rows,
        delete_text,
        damage_text,
        disagree,
        lose_pointer,
    ],
)
def test_broken_catalog_is_replaced(git_house, harm):
    git_house.refresh()
    git_house.catalog.close()
    harm(build_of(git_house))
    assert Refreshed(Outcome.BUILT, indexed=1) == git_house.refresh()
    assert ["p/core/first.md"] == git_house.found("memory")


@pytest.mark.parametrize(
    "harm", [damage_rows, empty_rows, delete_rows, delete_text, damage_text]
)
def test_reader_of_a_broken_catalog_answers_nothing(git_house, harm):
    git_house.refresh()
    git_house.catalog.close()
    harm(build_of(git_house))
    assert [] == git_house.found("memory")


def test_refresh_stopped_between_the_two_commits_is_made_anew(git_house, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    git_house.refresh()
    git_house.put("p/new.md", "new")
    monkeypatch.setattr(Update, "_finish", stop)
    with pytest.raises(KeyboardInterrupt):
        git_house.refresh()
    monkeypatch.undo()
    assert Refreshed(Outcome.BUILT, indexed=2) == git_house.refresh()


def test_failed_rebuild_leaves_the_old_catalog(git_house, monkeypatch):
    git_house.refresh()
    monkeypatch.setattr("gitmem.catalog.entry.make", None)
    with pytest.raises(TypeError):
        rebuild(git_house.catalog, git_house.tree)
    assert ["p/core/first.md"] == git_house.found("memory")
    assert 1 == len(list(git_house.catalog.folder.glob("build-*")))


def test_reader_goes_on_while_another_process_rebuilds(git_house):
    git_house.refresh()
    before = git_house.found("memory")
    with Catalog(git_house.catalog.folder) as other:
        git_house.put("p/new.md", "another memory")
        rebuild(other, git_house.tree)
    assert ["p/core/first.md"] == before
    assert {"p/core/first.md", "p/new.md"} == set(git_house.found("memory"))


def test_open_reader_sees_the_next_refresh(git_house):
    git_house.refresh()
    git_house.found("memory")
    with Catalog(git_house.catalog.folder) as other:
        git_house.put("p/new.md", "another memory")
        refresh(other, git_house.tree, repository=git_house.repository)
    assert {"p/core/first.md", "p/new.md"} == set(git_house.found("memory"))


def test_catalog_that_was_never_built_answers_nothing(house):
    assert [] == house.found("anything")
    assert () == rows.entries(house.catalog)
    assert not house.catalog.is_built()


def test_files_of_the_catalog_are_private(house):
    house.put("p/a.md")
    house.refresh()
    assert 0 == build_of(house).stat().st_mode & 0o077
