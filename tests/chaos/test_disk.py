"""Let the disk be full, fail, or end a file, at everything that a cycle does."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.chaos.faults import CHANGES, TAKES_ROOM
from tests.chaos.sample import chosen
from tests.chaos.scene import Scene


def test_a_full_disk_at_any_moment_loses_nothing(scene, seen, is_full, tally):
    points = [n for n, name in enumerate(seen, 1) if name in TAKES_ROOM]

    points = chosen(points, 4, is_full)
    tally.each("ENOSPC", points, lambda n: scene.strike("ENOSPC", at=n))

    tally.demand(allowed={"DiskFull"})


def test_a_disk_that_stays_full_loses_nothing(scene, seen, is_full, tally):
    points = [n for n, name in enumerate(seen, 1) if name in TAKES_ROOM]

    points = chosen(points, 4, is_full)
    tally.each("full", points, lambda n: scene.strike("full", at=n))

    tally.demand(allowed={"DiskFull"})


def test_a_disk_that_fails_at_any_moment_loses_nothing(scene, seen, is_full, tally):
    points = [n for n, name in enumerate(seen, 1) if not name.startswith("git")]

    points = chosen(points, 4, is_full)
    tally.each("EIO", points, lambda n: scene.strike("EIO", at=n))

    tally.demand(allowed={"Corrupt"})


def test_files_that_may_not_grow_lose_nothing(scene, seen, is_full, tally):
    points = [
        n for n, name in enumerate(seen, 1) if name in CHANGES or name[:4] == "git "
    ]

    points = chosen(points, 4, is_full)
    tally.each("limit", points, lambda n: scene.strike("limit", at=n))

    tally.demand(allowed={"DiskFull"})


@pytest.mark.parametrize("what", ["fail-before", "fail-after"])
def test_a_call_of_git_that_fails_loses_nothing(scene, is_full, what, tally):
    scene.run()
    calls = range(1, scene.calls() + 1)

    points = chosen(calls, 3, is_full)
    tally.each(what, points, lambda n: scene.strike(what, call=n))

    tally.demand(allowed={"DiskFull", "ToolMissing"})


def test_a_git_that_freezes_loses_nothing(scene, is_full, tally):
    scene.run()
    calls = range(1, scene.calls() + 1)
    job = {"local_seconds": 2, "patience": "2"}

    points = chosen(calls, 2, is_full)
    tally.each("freeze", points, lambda n: scene.strike("freeze", call=n, **job))

    tally.demand(allowed={"DeadlineExceeded", "Offline", "ToolMissing"})


@pytest.fixture
def small_disk(tmp_path, scene):
    """Give a scene on a disk of a few megabytes."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("only root may mount a disk")
    size = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(tmp_path)]
    if subprocess.run(size, capture_output=True, check=False).returncode:
        pytest.skip("nothing may be mounted here")
    with tempfile.TemporaryDirectory() as mould:
        made = Scene(tmp_path, scene.git, scene.worker)
        made.mould, made.desk = Path(mould, "mould"), Path(mould)
        made.reset()
        yield made
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(scene: Scene, left_bytes: int):
    """Strike with a disk on which only so much is left, then free it."""
    scene.reset()
    filler = scene.place / "filler"
    found = os.statvfs(scene.place)
    with filler.open("wb") as file, contextlib.suppress(OSError):
        os.posix_fallocate(file.fileno(), 0, found.f_bavail * found.f_frsize)
    os.truncate(filler, filler.stat().st_size - left_bytes)
    ended = scene.run(least_free=0)
    filler.unlink()
    scene.check(f"{left_bytes} bytes left, {ended.error}")
    return ended


def test_a_disk_that_is_really_full_loses_nothing(small_disk, is_full, tally):
    points = chosen(range(0, 80, 2), 3, is_full)
    tally.each("tmpfs", points, lambda pages: fill(small_disk, pages * 4096))

    tally.demand(allowed={"DiskFull"})
