"""What the last settings and the last sync settle is answered at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Said

from gitmem.cli import quick

HEAVY = {
    *("click", "dataclasses", "enum", "git", "hashlib", "json", "pathlib", "pydantic"),
    *("re", "socket", "sqlite3", "subprocess", "typing"),
}
RUN = "import sys; from gitmem.cli.main import run; run({}); print(sorted(sys.modules))"
RECENT = "Nothing asked of the remote: the last fetch is recent enough.\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["path", "--json"], ["path", "--layer", "project"], ["sync"]],
    ids=["none", "json", "layer", "other"],
)
def test_anything_but_the_bare_path_falls_through(arguments):
    assert quick.answer(arguments) is None


def test_the_first_path_falls_through_and_the_second_is_quick(gitmem):
    assert quick.answer(["path"]) is None

    first = gitmem("path").out

    assert quick.answer(["path"]) == first.strip()
    assert gitmem("path").out == first


def test_a_changed_setting_is_noticed_at_once(gitmem, empty_home, tmp_path):
    gitmem("path")
    config = empty_home / "gitmem" / "config"
    config.mkdir(exist_ok=True)
    (config / "config.toml").write_text(
        f'[memory_dir]\nlocal_path = "{tmp_path}/elsewhere"\n', "utf-8"
    )

    assert gitmem("path").out == f"{tmp_path}/elsewhere\n"


def modules_after(*arguments):
    done = subprocess.run(
        [sys.executable, "-S", "-c", RUN.format(list(arguments))],
        env={**os.environ, "PYTHONPATH": str(Path(quick.__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    said, _, modules = done.stdout.rpartition("[")
    return said, set(modules.strip("]\n").replace("'", "").split(", "))


def test_a_quick_path_imports_nothing_heavy(gitmem):
    gitmem("path")

    _, modules = modules_after("path")

    assert modules & HEAVY == set()


# A pull while the throttle holds


@pytest.fixture
def synced(gitmem, bare_remote, empty_home):
    """Have just fetched, and give the record of that."""
    gitmem("init", str(bare_remote))
    gitmem("sync")
    (found,) = empty_home.rglob("sync.json")
    return found


def rewrite(record, **changes):
    found = json.loads(record.read_text("utf-8"))
    record.write_text(json.dumps({**found, **changes}), "utf-8")


def fetched(at):
    return {"at": at, "tip": "", "failed_at": None, "error_class": None, "message": ""}


def test_a_throttled_pull_is_answered_at_once_and_as_ever(synced, gitmem, monkeypatch):
    assert quick.answer(["sync", "pull"]) == RECENT.strip()

    monkeypatch.setattr(quick, "answer", lambda _: None)

    assert gitmem("sync", "pull") == Said(0, RECENT, "")


def test_a_throttled_pull_imports_nothing_heavy_and_runs_no_git(
    synced, monkeypatch, tmp_path
):
    monkeypatch.setenv("PATH", str(tmp_path))

    said, modules = modules_after("sync", "pull")

    assert said == RECENT
    assert modules & HEAVY == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["sync"],
        ["sync", "push"],
        ["sync", "status"],
        ["sync", "pull", "--force"],
        ["sync", "pull", "--json"],
        ["sync", "pull", "--accept"],
        ["sync", "pull", "--cwd", "."],
        ["sync", "--", "pull"],
    ],
    ids=" ".join,
)
def test_any_other_sync_falls_through(synced, arguments):
    assert quick.answer(arguments) is None


def empty(record):
    record.write_bytes(b"")


def cut(record):
    record.write_bytes(record.read_bytes()[:-20])


def nest(record):
    record.write_bytes(b"[" * 100_000)


def list_it(record):
    record.write_bytes(b"[]")


def garble(record):
    record.write_bytes(b"\xff\xfe")


def remove(record):
    record.unlink()


def link(record):
    record.rename(record.with_name("elsewhere"))
    record.symlink_to("elsewhere")


def pipe(record):
    record.unlink()
    os.mkfifo(record, 0o600)


def open_record(record):
    record.chmod(0o666)


def open_folder(record):
    record.parent.chmod(0o777)


def wait(record):
    rewrite(record, held="an answer")


def age(record):
    rewrite(record, fetch=fetched("2001-01-01T00:00:00+00:00"))


def hurry(record):
    rewrite(record, fetch=fetched("2999-01-01T00:00:00+00:00"))


def localise(record):
    rewrite(record, fetch=fetched("2026-01-01T00:00:00"))


def never(record):
    rewrite(record, fetch=fetched(None))


def miscount(record):
    rewrite(record, fetch=fetched(7))


def turn(record):
    rewrite(record, branch="other")


def forget(record):
    rewrite(record, url="")


@pytest.mark.parametrize(
    "change",
    [
        *(empty, cut, nest, list_it, garble, remove, link, pipe, open_record),
        *(open_folder, wait, age, hurry, localise, never, miscount, turn, forget),
    ],
    ids=lambda change: change.__name__,
)
def test_a_record_that_settles_nothing_falls_through(synced, change):
    change(synced)

    assert quick.answer(["sync", "pull"]) is None


def test_a_new_setting_falls_through(synced, monkeypatch):
    monkeypatch.setenv("GITMEM_SYNC__FETCH_TTL", "1h")

    assert quick.answer(["sync", "pull"]) is None


def test_another_remote_in_the_settings_falls_through(synced, gitmem, monkeypatch):
    monkeypatch.setenv("GITMEM_MEMORY_DIR__REPO_URL", "https://host.invalid/m.git")
    gitmem("path")

    assert quick.answer(["path"]) is not None
    assert quick.answer(["sync", "pull"]) is None


def test_a_damaged_glance_falls_through(synced, empty_home):
    (found,) = empty_home.rglob("glance")
    found.write_bytes(found.read_bytes()[:-1])

    assert quick.answer(["path"]) is None
    assert quick.answer(["sync", "pull"]) is None


def test_a_mistake_in_the_settings_falls_through_to_be_told(synced, monkeypatch):
    monkeypatch.setenv("GITMEM_SYNC__BRANHC", "x")

    assert quick.answer(["sync", "pull"]) is None


def test_a_repository_that_is_gone_falls_through(synced, gitmem):
    Path(gitmem("path").out.strip(), ".git").rename("gone")

    assert quick.answer(["sync", "pull"]) is None


def test_a_repository_that_was_moved_behind_a_link_is_known_again(synced, gitmem):
    root = Path(gitmem("path").out.strip())
    moved = root.with_name("moved")
    root.rename(moved)
    root.symlink_to(moved)

    assert quick.answer(["sync", "pull"]) is None

    gitmem("sync")

    assert quick.answer(["sync", "pull"]) == RECENT.strip()
