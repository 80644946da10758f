"""Lines that several processes append are whole, and last."""

import os
import signal
import subprocess
import sys
from pathlib import PurePosixPath

import pytest

from gitmem.errors import Busy, PathRefused
from gitmem.files import append as module
from gitmem.files.append import append
from gitmem.files.lock import acquire
from gitmem.files.tree import Tree

PATH = PurePosixPath("tape/beacon/oak.jsonl")
WRITE = """\
import sys
from pathlib import Path, PurePosixPath
from gitmem.files.append import append
from gitmem.files.lock import acquire
from gitmem.files.tree import Tree
tree, path = Tree(Path(sys.argv[1])), PurePosixPath(sys.argv[2])
for number in range(int(sys.argv[4])):
    line = f"{sys.argv[3]} {number}\\n".encode()
    append(tree, path, lambda _: line, timeout_seconds=60)
"""
HOLD = """\
import fcntl, sys, time
with open(sys.argv[1], "a") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def add(tree, text, path=PATH):
    append(tree, path, lambda _: text.encode(), timeout_seconds=5)


def test_a_line_is_added_below_what_is_there(tree):
    add(tree, "one\n")
    add(tree, "two\n")

    assert tree.read(PATH) == b"one\ntwo\n"


def test_the_file_and_its_folders_are_their_owners_alone(tree):
    add(tree, "one\n")

    assert tree.stat(PATH).st_mode & 0o777 == 0o600
    assert (tree.root / "tape").stat().st_mode & 0o777 == 0o700


def test_whoever_appends_is_shown_the_end_of_the_file(tree):
    add(tree, "one\n")

    append(tree, PATH, lambda tail: tail.upper(), timeout_seconds=5)

    assert tree.read(PATH) == b"one\nONE\n"


def test_a_torn_line_is_ended_before_the_next(tree):
    add(tree, "one\n")
    add(tree, '{"id": "tor')

    add(tree, "two\n")

    assert tree.read(PATH) == b'one\n{"id": "tor\ntwo\n'


def test_writers_at_once_lose_and_tear_no_line(tree):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE, str(tree.root), str(PATH), name, "50"]
        )
        for name in "abcd"
    ]

    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    lines = tree.read(PATH).decode().splitlines()
    assert sorted(lines) == sorted(f"{n} {i}" for n in "abcd" for i in range(50))
    assert [line for line in lines if line[0] == "a"] == [f"a {i}" for i in range(50)]


def test_a_file_that_was_replaced_meanwhile_is_opened_anew(tree, monkeypatch):
    add(tree, "one\n")

    def overtaken(descriptor, deadline, **given):
        monkeypatch.setattr(module, "acquire", acquire)
        tree.replace(PATH, b"other\n", expected=b"one\n")
        acquire(descriptor, deadline, **given)

    monkeypatch.setattr(module, "acquire", overtaken)
    monkeypatch.setattr("gitmem.files.tree.is_being_written", lambda *_: False)
    add(tree, "two\n")

    assert tree.read(PATH) == b"other\ntwo\n"


def test_a_lock_that_is_not_let_go_is_not_waited_for_without_end(tree):
    add(tree, "one\n")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tree.root / PATH)], stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(Busy):
            append(tree, PATH, lambda _: b"two\n", timeout_seconds=0.05)
        holder.send_signal(signal.SIGKILL)

    assert tree.read(PATH) == b"one\n"


def test_half_a_line_on_a_full_disk_is_taken_back(tree, monkeypatch):
    add(tree, "one\n")
    write = os.write

    def half(descriptor, data):
        monkeypatch.setattr(os, "write", full)
        return write(descriptor, bytes(data)[:2])

    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(Exception, match="no room"):
        add(tree, "two\n")

    assert tree.read(PATH) == b"one\n"


@pytest.mark.parametrize("make", ["link", "folder", "pipe"])
def test_what_is_no_plain_file_is_refused(tree, make):
    (tree.root / "tape/beacon").mkdir(parents=True)
    (tree.root / "elsewhere").touch()
    place = tree.root / PATH
    {
        "link": lambda: place.symlink_to(tree.root / "elsewhere"),
        "folder": place.mkdir,
        "pipe": lambda: os.mkfifo(place),
    }[make]()

    with pytest.raises(PathRefused):
        add(tree, "one\n")
    assert (tree.root / "elsewhere").read_bytes() == b""
