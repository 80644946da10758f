"""What went wrong is kept on this machine, and nothing secret with it."""

import os
import stat
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from gitmem.log import LIMIT_BYTES, record

NOW = datetime(2026, 5, 21, 11, 42, tzinfo=UTC)
TOKEN = "ghp_" + "a1B2" * 9


def test_an_entry_is_one_dated_line_after_another(tmp_path):
    record(tmp_path, "first", now=NOW)
    record(tmp_path, "second", now=NOW)

    assert (tmp_path / "gitmem.log").read_text("utf-8") == (
        f"2026-05-21T11:42:00+00:00 [{os.getpid()}] first\n"
        f"2026-05-21T11:42:00+00:00 [{os.getpid()}] second\n"
    )


def test_a_secret_is_not_kept(tmp_path):
    record(tmp_path, f"push failed with {TOKEN}", now=NOW)

    assert TOKEN not in (tmp_path / "gitmem.log").read_text("utf-8")


def test_the_log_and_its_folder_are_private(tmp_path):
    record(tmp_path / "state", "text", now=NOW)
    modes = [(tmp_path / name).stat().st_mode for name in ("state", "state/gitmem.log")]

    assert list(map(stat.S_IMODE, modes)) == [0o700, 0o600]


def test_a_long_log_makes_room_and_keeps_the_older_one(tmp_path):
    (tmp_path / "gitmem.log").write_bytes(b"x" * (LIMIT_BYTES + 1))
    (tmp_path / "gitmem.log.1").write_bytes(b"oldest")

    record(tmp_path, "new", now=NOW)

    assert (tmp_path / "gitmem.log").read_text("utf-8").endswith("new\n")
    assert (tmp_path / "gitmem.log.1").stat().st_size == LIMIT_BYTES + 1


def mkfifo(folder):
    folder.mkdir()
    os.mkfifo(folder / "gitmem.log")


@pytest.mark.parametrize(
    "prepare",
    [
        lambda folder: folder.joinpath("gitmem.log").mkdir(parents=True),
        lambda folder: folder.write_text("a file"),
        lambda folder: (folder.mkdir(), (folder / "gitmem.log").symlink_to("victim")),
        mkfifo,
    ],
    ids=["folder", "not-a-folder", "link", "fifo"],
)
def test_a_log_that_cannot_be_written_stops_nothing(tmp_path, prepare):
    prepare(tmp_path / "state")

    record(tmp_path / "state", "text", now=NOW)

    assert not (tmp_path / "state" / "victim").exists()


def test_a_full_disk_stops_nothing(tmp_path):
    script = (
        "import resource, sys, pathlib, datetime; from gitmem.log import record\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "now = datetime.datetime.now(datetime.UTC)\n"
        "record(pathlib.Path(sys.argv[1]), 'x', now=now)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path], timeout=30, check=False
    )

    assert done.returncode == 0


def test_text_that_is_not_unicode_is_kept_readable(tmp_path):
    record(tmp_path, "caf\udce9", now=NOW)

    assert "caf\\udce9" in (tmp_path / "gitmem.log").read_text("utf-8")


def test_entries_of_many_processes_are_whole_lines(tmp_path):
    script = (
        "import sys, pathlib, datetime; from gitmem.log import record\n"
        "now = datetime.datetime.now(datetime.UTC)\n"
        "for _ in range(50): record(pathlib.Path(sys.argv[1]), 'y' * 300, now=now)\n"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", script, tmp_path]) for _ in range(3)
    ]

    assert [worker.wait(30) for worker in workers] == [0, 0, 0]
    lines = (tmp_path / "gitmem.log").read_text("utf-8").splitlines()
    assert [line.endswith(" " + "y" * 300) for line in lines] == [True] * 150
