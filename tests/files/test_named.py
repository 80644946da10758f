"""What a person names is written, and nothing but a plain file gives way to it."""

import os
import socket
import stat

import pytest

from gitmem.errors import NotFound, PathRefused
from gitmem.files import named


def test_a_new_file_is_for_its_owner_and_a_plain_one_is_replaced(tmp_path):
    path = tmp_path / "page.html"

    named.write(path, b"one, and long")
    named.write(path, b"two")

    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def bound(path):
    """Leave a socket at a path."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda path: path.symlink_to("plain"), "a link"),
        (lambda path: path.symlink_to("nowhere"), "a link"),
        (lambda path: path.symlink_to(path.name), "a link"),
        (lambda path: path.mkdir(), "a folder"),
        (os.mkfifo, "a pipe"),
        (bound, "a device or socket"),
    ],
    ids=["link", "dangling link", "loop", "folder", "pipe", "socket"],
)
def test_what_is_no_plain_file_stays(make, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_text("kept", "utf-8")
    path = tmp_path / "there"
    make(path)
    before = path.lstat().st_ino

    with pytest.raises(PathRefused, match=f"there is {kind}, and only a plain") as said:
        named.write(path, b"new")

    assert said.value.hint == "Name a file; `-` is standard output."
    assert path.lstat().st_ino == before
    assert (tmp_path / "plain").read_text("utf-8") == "kept"


def test_a_device_stays(tmp_path):
    path = tmp_path / "null"
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root can make a device")

    with pytest.raises(PathRefused, match="is a device or socket"):
        named.write(path, b"new")

    assert stat.S_ISCHR(path.lstat().st_mode)


@pytest.mark.parametrize("name", ["none/page.html", "plain/page.html"])
def test_a_folder_that_is_not_there_is_said(name, tmp_path):
    (tmp_path / "plain").write_text("kept", "utf-8")

    with pytest.raises(NotFound, match="There is no folder"):
        named.write(tmp_path / name, b"new")


@pytest.mark.parametrize("name", ["x" * 300, f"{'x' * 300}/page.html"])
def test_a_name_that_is_too_long_is_said(name, tmp_path):
    with pytest.raises(PathRefused, match="cannot be written: File name too long"):
        named.write(tmp_path / name, b"new")

    assert list(tmp_path.iterdir()) == []


def test_a_path_may_lead_to_what_is_open(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("", "utf-8")
    (tmp_path / "link").symlink_to(path)

    with path.open("rb") as file:
        assert named.is_open_as(tmp_path / "link", file.fileno())
        assert not named.is_open_as(tmp_path, file.fileno())
        assert not named.is_open_as(tmp_path / "none", file.fileno())
