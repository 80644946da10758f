"""A load that nothing has changed since is cheap; a stale one is never believed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.settings import snapshot

LOADED = """
import sys
from pathlib import Path
from gitmem.settings.load import load
loaded = load(Path.cwd())
print(loaded.settings.sync.branch, "pydantic" in sys.modules)
"""
QUICK = """
import os, sys
from gitmem.settings import snapshot
print(snapshot.local_path(os.environ))
heavy = {"dataclasses", "enum", "hashlib", "json", "pathlib", "platformdirs", "re",
         "typing"}
print(sorted(heavy & set(sys.modules)))
"""


def run(code, desk):
    # -S: site packages with .pth files import what they like at start.
    source = str(Path(snapshot.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[0] = {source!r}\n{code}"],
        cwd=desk.project,
        env=desk.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return done.stdout.splitlines()


def snapshots(desk):
    return sorted((desk.cache / "settings").iterdir())


def test_a_second_load_imports_no_pydantic(desk):
    desk.configure("sync.branch = 'trunk'")
    desk.wish("memory_dir.repo_url = 'x'\ntape.context.whitelist = ['docs']")
    first = desk.load()

    assert run(LOADED, desk) == ["trunk False"]
    assert desk.load() == first


def test_the_quick_path_reads_the_memory_s_folder_with_nothing_imported(desk):
    desk.configure("memory_dir.local_path = '~/notes'")
    desk.load()

    assert run(QUICK, desk) == [f"{desk.home}/notes", "[]"]


def test_the_quick_path_knows_nothing_before_the_first_load(desk):
    assert snapshot.local_path(desk.environment) is None


def change_config(desk):
    desk.configure("memory_dir.local_path = '/b'")


def empty_config(desk):
    desk.configure("")


def remove_config(desk):
    desk.config.unlink()


def break_config(desk):
    desk.config.unlink()
    desk.config.mkdir()


def set_variable(desk):
    desk.variables["GITMEM_MEMORY_DIR__LOCAL_PATH"] = "/c"


def move_home(desk):
    desk.variables["GITMEM_HOME"] = str(desk.home)


def move_data(desk):
    desk.variables["XDG_DATA_HOME"] = "/data"


def change_person(desk):
    desk.home = desk.home.parent


CHANGES = [
    change_config,
    empty_config,
    remove_config,
    break_config,
    set_variable,
    move_home,
    move_data,
    change_person,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_no_change_of_the_person_s_is_missed(desk, change):
    desk.configure("memory_dir.local_path = '/a'")
    desk.load()
    before = snapshot.local_path(desk.environment)

    change(desk)

    assert before == "/a"
    assert snapshot.local_path(desk.environment) is None


def test_a_change_of_the_same_size_and_time_is_noticed(desk):
    desk.configure("sync.branch = 'aaaa'")
    os.utime(desk.config, (1, 1))
    desk.load()
    desk.configure("sync.branch = 'bbbb'")
    os.utime(desk.config, (1, 1))

    assert desk.load().settings.sync.branch == "bbbb"


def test_a_project_file_that_comes_changes_and_goes_is_noticed(desk):
    desk.load()
    desk.wish("enabled = false")
    come = desk.load().settings.enabled
    desk.wish("delivery.start = []")
    changed = desk.load().settings
    desk.project_file.unlink()
    gone = desk.load().settings.delivery.start

    assert (come, changed.enabled, changed.delivery.start) == (False, True, ())
    assert gone == ("profile", "daily", "index", "files")


def test_an_upgrade_is_noticed(desk, monkeypatch):
    desk.load()
    monkeypatch.setattr(snapshot, "__version__", "99")

    assert snapshot.local_path(desk.environment) is None


def test_trouble_with_a_file_is_told_at_every_load(desk):
    desk.config.mkdir(parents=True)
    desk.project_file.symlink_to("/dev/zero")
    first = desk.load()

    second = desk.load()

    assert (len(first.problems), len(first.refused)) == (1, 1)
    assert second == first


def test_a_command_line_is_not_kept(desk):
    desk.load({"memory_dir.local_path": "/once"})

    assert desk.load().settings.memory_dir.local_path == desk.memory


@pytest.mark.parametrize(
    "damage",
    [b"", b"\n", b"{}", b"\xff\xfe", b"x" * 100],
    ids=["empty", "line", "json", "bytes", "text"],
)
def test_a_corrupt_snapshot_is_made_anew(desk, damage):
    first = desk.load()
    intact = [path.read_bytes() for path in snapshots(desk)]
    [path.write_bytes(damage) for path in snapshots(desk)]

    assert snapshot.local_path(desk.environment) is None
    assert desk.load() == first
    assert [path.read_bytes() for path in snapshots(desk)] == intact


def test_a_snapshot_with_one_wrong_byte_is_made_anew(desk):
    first = desk.load()
    [p.write_bytes(p.read_bytes()[:-2] + b"x}") for p in snapshots(desk)]

    assert snapshot.local_path(desk.environment) is None
    assert desk.load() == first


def test_a_snapshot_of_another_program_under_the_right_key_is_made_anew(desk):
    first = desk.load()
    heads = {path.name: path.read_text("utf-8")[:64] for path in snapshots(desk)}
    for name, key in heads.items():
        snapshot.keep(str(desk.cache), name, key, b'{"settings": {}}')

    assert desk.load() == first


@pytest.mark.parametrize("mode", [0o660, 0o604, 0o620], ids=oct)
def test_a_snapshot_that_others_may_touch_is_ignored(desk, mode):
    desk.load()
    [path.chmod(mode) for path in snapshots(desk)]

    assert snapshot.local_path(desk.environment) is None


def test_a_folder_that_others_may_enter_is_ignored(desk):
    desk.load()
    (desk.cache / "settings").chmod(0o770)

    assert snapshot.local_path(desk.environment) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_snapshot_of_another_user_is_ignored(desk):
    desk.load()
    os.chown(desk.cache / "settings" / "glance", 65534, 65534)

    assert snapshot.local_path(desk.environment) is None


def test_a_link_in_place_of_a_snapshot_is_ignored(desk):
    desk.load()
    kept = desk.cache / "settings" / "glance"
    kept.rename(desk.home / "elsewhere")
    kept.symlink_to(desk.home / "elsewhere")

    assert snapshot.local_path(desk.environment) is None


def test_snapshots_are_private(desk):
    desk.load()

    assert (desk.cache / "settings").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in snapshots(desk)} == {0o600}


def test_a_cache_that_cannot_be_written_costs_only_time(desk):
    desk.cache.parent.mkdir(parents=True)
    desk.cache.write_text("a file", "utf-8")

    assert desk.load() == desk.load()


def test_parts_of_a_digest_do_not_run_together():
    assert snapshot.digest([b"ab", b"c"]) != snapshot.digest([b"a", b"bc"])
