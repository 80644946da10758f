"""gitmem's own files are written as a whole or not at all."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.errors import Corrupt, DiskFull, PathRefused
from gitmem.files.atomic import disk_errors, private_folder, temporary_name, write


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_is_readable_by_its_owner_only(tmp_path):
    write(tmp_path / "state.json", b"{}")

    assert mode(tmp_path / "state.json") == 0o600


def test_a_replaced_file_holds_the_new_bytes_and_leaves_nothing_beside_it(tmp_path):
    write(tmp_path / "state.json", b"old")
    write(tmp_path / "state.json", b"new")

    assert (tmp_path / "state.json").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["state.json"]


def test_a_link_is_replaced_and_what_it_points_to_is_untouched(tmp_path):
    (tmp_path / "victim").write_bytes(b"mine")
    (tmp_path / "state.json").symlink_to("victim")

    write(tmp_path / "state.json", b"new")

    assert (tmp_path / "victim").read_bytes() == b"mine"
    assert not (tmp_path / "state.json").is_symlink()


def test_a_private_folder_is_closed_to_others_and_may_exist(tmp_path):
    private_folder(tmp_path / "a" / "b")
    private_folder(tmp_path / "a" / "b")

    assert mode(tmp_path / "a" / "b") == 0o700


def test_a_folder_in_the_way_leaves_no_temporary_file(tmp_path):
    (tmp_path / "state.json").mkdir()

    with pytest.raises(IsADirectoryError):
        write(tmp_path / "state.json", b"new")

    assert os.listdir(tmp_path) == ["state.json"]


def test_a_full_disk_keeps_the_old_file_and_leaves_nothing_beside_it(small_disk):
    write(small_disk / "state.json", b"old")

    with pytest.raises(DiskFull) as caught:
        write(small_disk / "state.json", b"x" * 100_000)

    assert caught.value.hint
    assert (small_disk / "state.json").read_bytes() == b"old"
    assert os.listdir(small_disk) == ["state.json"]


def test_a_limit_on_file_size_counts_as_a_full_disk(tmp_path):
    script = (
        "import resource, sys, pathlib; from gitmem.files.atomic import write\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "write(pathlib.Path(sys.argv[1], 'state.json'), b'x' * 5000)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert "gitmem.errors.DiskFull: There is no room to write" in done.stderr
    assert os.listdir(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_named(read_only_folder):
    with pytest.raises(PathRefused) as caught:
        write(read_only_folder / "state.json", b"{}")

    assert str(read_only_folder / "state.json") in caught.value.message


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.ENOSPC, DiskFull),
        (errno.EDQUOT, DiskFull),
        (errno.EFBIG, DiskFull),
        (errno.EACCES, PathRefused),
        (errno.EPERM, PathRefused),
        (errno.EROFS, PathRefused),
        (errno.EIO, Corrupt),
        (errno.ENOENT, FileNotFoundError),
    ],
    ids=lambda value: errno.errorcode.get(value, "") if isinstance(value, int) else "",
)
def test_what_the_disk_says_becomes_what_a_person_can_do(number, expected):
    with pytest.raises(expected), disk_errors(Path("core/user.md")):
        raise OSError(number, os.strerror(number))


def test_of_a_disk_that_is_mounted_read_only_the_owner_is_not_blamed():
    refused = pytest.raises(PathRefused)
    with refused as caught, disk_errors(Path("core/user.md")):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    assert "owner" not in caught.value.hint
    assert "Mount" in caught.value.hint


def test_temporary_names_do_not_repeat():
    assert len({temporary_name() for _ in range(100)}) == 100
