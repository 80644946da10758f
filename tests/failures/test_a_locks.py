"""Locks, two writers, maintenance, and places that are not fit for Git."""

import errno
import fcntl
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from gitmem.errors import Busy, ErrorClass
from gitmem.files.lock import locked
from gitmem.repo import locks
from gitmem.service import doctor


def test_01_a_stale_index_lock_is_cleared_when_no_git_lives(first):
    lock = first.root / ".git" / "index.lock"
    lock.touch()
    first.write("a.md", "a\n")

    first.cycle()

    assert "a.md" in first.tree()
    assert not lock.exists()
    assert "index.lock" in (first.options.state / "gitmem.log").read_text("utf-8")


def test_01_a_stale_ref_lock_is_cleared_too(first):
    lock = first.root / ".git" / "refs" / "heads" / "main.lock"
    lock.touch()
    first.write("a.md", "a\n")

    first.cycle()

    assert "a.md" in first.tree()
    assert not lock.exists()


def test_02_a_live_lock_is_waited_for(first):
    lock = first.root / ".git" / "index.lock"
    lock.touch()
    first.write("a.md", "a\n")
    release = threading.Timer(0.5, lock.unlink)
    release.start()

    first.cycle()

    release.join()
    assert "a.md" in first.tree()


def test_02_a_lock_that_a_living_git_holds_is_left_and_told(first, in_background):
    lock = first.root / ".git" / "index.lock"
    lock.touch()
    in_background("git", "hash-object", "--stdin-paths", cwd=first.root)
    first.write("a.md", "a\n")

    with pytest.raises(Busy, match="Another Git") as raised:
        first.cycle()

    assert lock.exists()
    assert "the next sync commits it" in raised.value.hint
    assert "remove" not in raised.value.message + raised.value.hint
    assert first.engine.record().commit.error_class is ErrorClass.BUSY
    lock.unlink()
    first.cycle()
    assert "a.md" in first.tree()


def test_02_a_git_that_works_elsewhere_keeps_no_lock_alive(
    first, in_background, tmp_path
):
    in_background("git", "-C", "/", "hash-object", "--stdin-paths", cwd=tmp_path)

    git_folder = first.root / ".git"

    assert not locks.is_in_use(first.root, git_folder, {0})


def test_02_a_git_that_only_waits_keeps_no_lock_alive(first, in_background):
    in_background("git", "cat-file", "--batch", cwd=first.root)

    assert not locks.is_in_use(first.root, first.root / ".git", {0})


def test_02_where_nobody_says_where_a_git_works_it_may_be_here(
    first, in_background, tmp_path, monkeypatch
):
    in_background("git", "hash-object", "--stdin-paths", cwd=tmp_path)
    monkeypatch.setattr(locks, "_PROCESSES", tmp_path / "nowhere")

    assert locks.is_in_use(first.root, first.root / ".git", {0})


def test_02_a_lock_is_told_by_the_doctor(first, gitmem):
    (first.root / ".git" / "index.lock").touch()

    done = gitmem(first, "doctor")

    assert "index.lock" in done.stdout
    assert "gitmem sync" in done.stdout


def test_03_looking_at_the_memory_takes_no_lock(first):
    """A look that has the lock writes down what it learned of a touched file."""
    first.write("a.md", "text\n")
    first.cycle()
    index = first.root / ".git" / "index"
    os.utime(first.root / "a.md", (1, 1))
    before = index.stat().st_ino, index.read_bytes()

    first.engine.status()

    assert (index.stat().st_ino, index.read_bytes()) == before
    first.git_("status")
    assert index.read_bytes() != before[1]


def test_03_looking_at_the_memory_never_stops_a_commit(first):
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            first.engine.status()

    looking = threading.Thread(target=look)
    looking.start()
    for number in range(40):
        first.write("a.md", f"{number}\n")
        first.git_("commit", "-q", "-a", "--allow-empty", "-m", str(number))
    stop.set()
    looking.join()

    assert first.log()[0] == "39"


def test_04_of_two_at_once_one_works_and_the_other_waits(first):
    program = (
        "import sys; from pathlib import Path; from gitmem.files.lock import locked\n"
        "with locked(Path(sys.argv[1]), timeout_seconds=20):\n"
        "    p = Path(sys.argv[2]); n = int(p.read_text()); p.write_text(str(n + 1))\n"
    )
    lock, count = first.options.state / "sync.lock", first.root.parent / "count"
    count.write_text("0", "utf-8")
    command = [sys.executable, "-c", program, str(lock), str(count)]

    children = [subprocess.Popen(command) for _ in range(8)]

    assert [child.wait() for child in children] == [0] * 8
    assert count.read_text("utf-8") == "8"


def test_05_many_that_set_the_configuration_at_once_all_succeed(first):
    def set_(number: int) -> None:
        first.repository.set_config(f"branch.b{number}.remote", "origin")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(set_, range(16)))

    names = [key for key, _ in first.repository.local_config()]
    assert {f"branch.b{number}.remote" for number in range(16)} <= set(names)


def test_06_maintenance_that_a_dead_git_locked_stops_nothing(first, bare_remote):
    (first.root / ".git" / "objects" / "maintenance.lock").touch()
    (first.root / ".git" / "gc.pid").write_text("999999 elsewhere\n", "utf-8")
    first.write("a.md", "a\n")

    assert first.cycle().pushed


def test_06_nothing_is_packed_behind_anybodys_back(first, git):
    git("config", "--global", "gc.auto", "1", cwd=first.root)
    first.write("a.md", "a\n")

    first.cycle()

    assert list((first.root / ".git" / "objects" / "pack").iterdir()) == []


@pytest.mark.parametrize("number", [errno.ESTALE, errno.ENOLCK, errno.EOPNOTSUPP])
def test_07_a_disk_that_knows_no_locks_is_told(tmp_path, monkeypatch, number):
    def refuse(*_: object) -> None:
        raise OSError(number, "no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)

    with (
        pytest.raises(Busy, match="cannot be locked") as raised,
        locked(tmp_path / "lock", timeout_seconds=0),
    ):
        pass

    assert "GITMEM_HOME" in raised.value.hint


def test_07_a_network_disk_is_told_by_the_doctor(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "_file_system", lambda _: "nfs4")

    told = [each.message for each in doctor._folder(tmp_path)]

    assert any("network file system (nfs4)" in message for message in told)


def test_08_copies_of_another_program_inside_git_are_told(first):
    copy = "index.sync-conflict-20260101-000000-ABCDEFG"
    (first.root / ".git" / copy).touch()

    told = [each.message for each in doctor._folder(first.root)]

    assert any(copy in message for message in told)
