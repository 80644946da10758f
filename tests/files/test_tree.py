"""Reading and writing below one folder, whatever stands in the way."""

import fcntl
import os
import socket
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import pytest

from gitmem.errors import DiskFull, HeldOpen, NotFound, PathRefused, StaleWrite
from gitmem.files import tree as tree_module
from gitmem.files.tree import Tree

NOTE = PurePosixPath("notes/deploy.md")
ADD = """\
import sys, pathlib
from gitmem.errors import StaleWrite
from gitmem.files.tree import Tree
tree, path = Tree(pathlib.Path(sys.argv[1])), pathlib.PurePosixPath("count.md")
done = 0
while done < 25:
    old = tree.read(path)
    try:
        tree.replace(path, b"%d" % (int(old) + 1), expected=old, durable=False)
    except StaleWrite:
        continue
    done += 1
"""


def names(tree):
    return sorted(
        path.relative_to(tree.root).as_posix()
        for path in tree.root.rglob("*")
        if not path.is_dir()
    )


def put(tree, path, data):
    target = tree.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


# Reading


def test_a_file_is_read_as_it_is(tree):
    put(tree, NOTE, b"\xef\xbb\xbfone\r\n\x00")

    assert tree.read(NOTE) == b"\xef\xbb\xbfone\r\n\x00"


def test_a_read_stops_at_its_limit(tree):
    put(tree, NOTE, b"x" * 100)

    assert tree.read(NOTE, limit_bytes=7) == b"x" * 7


@pytest.mark.parametrize(
    "path", ["absent.md", "absent/x.md", "notes/absent.md"], ids=str
)
def test_what_is_not_there_is_not_found(tree, path):
    put(tree, NOTE, b"")

    with pytest.raises(NotFound):
        tree.read(PurePosixPath(path))


def test_a_root_that_is_gone_is_not_found(tmp_path):
    with pytest.raises(NotFound):
        Tree(tmp_path / "absent").read(NOTE)


def make_link(path):
    path.symlink_to("/etc/passwd")


def make_dangling_link(path):
    path.symlink_to("nowhere")


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)
        server.bind(path.name)
        os.chdir(here)


SPECIAL = pytest.mark.parametrize(
    "make",
    [make_link, make_dangling_link, os.mkfifo, Path.mkdir],
    ids=["link", "dangling", "fifo", "folder"],
)


@SPECIAL
def test_what_is_not_a_plain_file_is_not_read(tree, make):
    make(tree.root / "trap.md")

    with pytest.raises(PathRefused) as caught:
        tree.read(PurePosixPath("trap.md"))

    assert caught.value.hint


@SPECIAL
def test_what_is_not_a_plain_file_is_not_replaced(tree, make):
    make(tree.root / "trap.md")
    before = (tree.root / "trap.md").lstat()

    with pytest.raises(PathRefused):
        tree.replace(PurePosixPath("trap.md"), b"new", expected=b"old")

    assert (tree.root / "trap.md").lstat() == before
    assert os.listdir(tree.root) == ["trap.md"]


@SPECIAL
def test_what_is_not_a_plain_file_is_not_removed(tree, make):
    make(tree.root / "trap.md")

    with pytest.raises(StaleWrite):
        tree.remove(PurePosixPath("trap.md"), expected=b"old")

    assert os.listdir(tree.root) == ["trap.md"]


@SPECIAL
def test_what_is_not_a_plain_file_exists_but_is_not_walked(tree, make):
    make(tree.root / "trap.md")

    assert tree.exists(PurePosixPath("trap.md"))
    assert list(tree.walk()) == []


def test_a_socket_is_not_read_and_not_walked(tree):
    make_socket(tree.root / "trap.md")

    with pytest.raises((PathRefused, OSError)):
        tree.read(PurePosixPath("trap.md"))
    assert list(tree.walk()) == []


@pytest.mark.parametrize(
    "act",
    [
        lambda tree, path: tree.read(path),
        lambda tree, path: tree.stat(path),
        lambda tree, path: tree.exists(path),
        lambda tree, path: tree.replace(path, b"new", expected=None),
        lambda tree, path: tree.replace(path, b"new", expected=b"old"),
        lambda tree, path: tree.remove(path, expected=b"old"),
    ],
    ids=["read", "stat", "exists", "create", "replace", "remove"],
)
def test_a_folder_that_is_a_link_leads_nowhere(tree, tmp_path, act):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "deploy.md").write_bytes(b"old")
    (tree.root / "notes").symlink_to(outside)

    with pytest.raises(PathRefused):
        act(tree, NOTE)

    assert (outside / "deploy.md").read_bytes() == b"old"
    assert os.listdir(outside) == ["deploy.md"]


def test_a_link_swapped_in_while_writing_never_leads_outside(tree, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tree.root / "notes").mkdir()
    (tree.root / "link").symlink_to(outside)

    with ThreadPoolExecutor(1) as pool:
        flipping = pool.submit(flip, tree, "notes", "link", rounds=2000)
        attempts = write_until(tree, flipping.done, at_least=300)

    tree.replace(PurePosixPath("notes/last.md"), b"new", expected=None)
    assert attempts >= 300
    assert os.listdir(outside) == []


def flip(tree, one, other, *, rounds):
    """Let two names change places and back, so that in the end they are as before."""
    folder = os.open(tree.root, os.O_RDONLY)
    for _ in range(rounds):
        tree_module._swap(folder, one, other)
        tree_module._swap(folder, one, other)
    os.close(folder)


def write_until(tree, is_over, *, at_least):
    number = 0
    while number < at_least or not is_over():
        attempt(tree, PurePosixPath(f"notes/{number}.md"))
        number += 1
    return number


def attempt(tree, path):
    try:
        tree.replace(path, b"new", expected=None, durable=False)
    except (PathRefused, NotFound, StaleWrite, OSError):
        return


# Writing


def test_a_new_file_is_made_with_its_folders(tree):
    tree.replace(NOTE, b"new", expected=None)

    assert tree.read(NOTE) == b"new"
    assert names(tree) == ["notes/deploy.md"]
    assert stat.S_IMODE((tree.root / NOTE).stat().st_mode) == 0o600


def test_a_file_that_exists_is_not_taken_for_new(tree):
    put(tree, NOTE, b"theirs")

    with pytest.raises(StaleWrite):
        tree.replace(NOTE, b"mine", expected=None)

    assert tree.read(NOTE) == b"theirs"
    assert names(tree) == ["notes/deploy.md"]


def test_a_file_that_changed_since_is_not_replaced(tree):
    put(tree, NOTE, b"theirs")

    with pytest.raises(StaleWrite) as caught:
        tree.replace(NOTE, b"mine", expected=b"old")

    assert caught.value.hint
    assert tree.read(NOTE) == b"theirs"
    assert names(tree) == ["notes/deploy.md"]


def test_a_file_that_vanished_is_not_replaced(tree):
    with pytest.raises(StaleWrite):
        tree.replace(NOTE, b"mine", expected=b"old")

    assert names(tree) == []


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o444], ids=oct)
def test_a_replaced_file_keeps_its_mode(tree, mode):
    put(tree, NOTE, b"old")
    (tree.root / NOTE).chmod(mode)

    tree.replace(NOTE, b"new", expected=b"old")

    assert stat.S_IMODE((tree.root / NOTE).stat().st_mode) == mode


def test_a_write_that_lands_before_the_exchange_is_put_back(tree, monkeypatch):
    put(tree, NOTE, b"old")
    swap = tree_module._swap

    def late(folder, first, second):
        monkeypatch.setattr(tree_module, "_swap", swap)
        (tree.root / "new").write_bytes(b"theirs")
        (tree.root / "new").rename(tree.root / NOTE)
        return swap(folder, first, second)

    monkeypatch.setattr(tree_module, "_swap", late)

    with pytest.raises(StaleWrite):
        tree.replace(NOTE, b"mine", expected=b"old")

    assert tree.read(NOTE) == b"theirs"
    assert names(tree) == ["notes/deploy.md"]


def test_a_write_that_lands_between_the_exchanges_is_kept_too(tree, monkeypatch):
    put(tree, NOTE, b"old")
    swap = tree_module._swap
    arriving = [b"first", b"second"]

    def late(folder, first, second):
        (tree.root / "new").write_bytes(arriving.pop(0))
        (tree.root / "new").rename(tree.root / NOTE)
        return swap(folder, first, second)

    monkeypatch.setattr(tree_module, "_swap", late)

    with pytest.raises(StaleWrite):
        tree.replace(NOTE, b"mine", expected=b"old")

    kept = {path.read_bytes() for path in (tree.root / "notes").iterdir()}
    assert kept == {b"first", b"second"}
    assert tree.read(NOTE) == b"first"


def test_a_file_removed_between_the_exchanges_comes_back(tree, monkeypatch):
    put(tree, NOTE, b"old")
    swap = tree_module._swap
    steps = [
        lambda: (tree.root / NOTE).write_bytes(b"theirs"),
        (tree.root / NOTE).unlink,
    ]

    def late(folder, first, second):
        steps.pop(0)()
        return swap(folder, first, second)

    monkeypatch.setattr(tree_module, "_swap", late)

    with pytest.raises(StaleWrite):
        tree.replace(NOTE, b"mine", expected=b"old")

    assert tree.read(NOTE) == b"theirs"
    assert names(tree) == ["notes/deploy.md"]


def test_a_file_removed_before_the_exchange_is_stale(tree, monkeypatch):
    put(tree, NOTE, b"old")
    swap = tree_module._swap

    def late(folder, first, second):
        (tree.root / NOTE).unlink()
        return swap(folder, first, second)

    monkeypatch.setattr(tree_module, "_swap", late)

    with pytest.raises(StaleWrite):
        tree.replace(NOTE, b"mine", expected=b"old")

    assert names(tree) == []


def test_a_system_that_cannot_exchange_still_replaces(tree, monkeypatch):
    put(tree, NOTE, b"old")
    monkeypatch.setattr(tree_module, "_swap", lambda *_: False)

    tree.replace(NOTE, b"new", expected=b"old")

    assert tree.read(NOTE) == b"new"
    assert names(tree) == ["notes/deploy.md"]


def test_writers_that_compare_and_swap_lose_no_step(tree):
    put(tree, "count.md", b"0")
    command = [sys.executable, "-c", ADD, tree.root]

    writers = [subprocess.Popen(command) for _ in range(4)]

    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    assert tree.read(PurePosixPath("count.md")) == b"100"
    assert names(tree) == ["count.md"]


def test_only_one_of_many_threads_makes_a_new_file(tree):
    start = threading.Barrier(8)

    def create(number):
        start.wait()
        try:
            tree.replace(NOTE, b"%d" % number, expected=None, durable=False)
        except StaleWrite:
            return b""
        return b"%d" % number

    with ThreadPoolExecutor(8) as pool:
        won = sorted(pool.map(create, range(8)))

    assert won == [b""] * 7 + [tree.read(NOTE)]
    assert names(tree) == ["notes/deploy.md"]


def test_a_full_disk_keeps_the_old_file_and_leaves_nothing_beside_it(small_disk):
    tree = Tree(small_disk)
    put(tree, NOTE, b"old")

    with pytest.raises(DiskFull):
        tree.replace(NOTE, b"x" * 100_000, expected=b"old")

    assert tree.read(NOTE) == b"old"
    assert names(tree) == ["notes/deploy.md"]


def test_a_folder_that_cannot_be_written_is_named(read_only_folder):
    with pytest.raises(PathRefused) as caught:
        Tree(read_only_folder).replace(NOTE, b"new", expected=None)

    assert "notes/deploy.md cannot be written" in caught.value.message


# Removing


def test_a_removed_file_takes_its_empty_folders_with_it(tree):
    put(tree, "a/b/c.md", b"old")
    put(tree, "a/d.md", b"other")

    tree.remove(PurePosixPath("a/b/c.md"), expected=b"old")

    assert names(tree) == ["a/d.md"]
    assert os.listdir(tree.root / "a") == ["d.md"]


def test_a_file_that_changed_since_is_not_removed(tree):
    put(tree, NOTE, b"theirs")

    with pytest.raises(StaleWrite):
        tree.remove(NOTE, expected=b"old")

    assert tree.read(NOTE) == b"theirs"
    assert names(tree) == ["notes/deploy.md"]


def test_a_file_that_is_not_there_cannot_be_removed(tree):
    put(tree, NOTE, b"old")

    with pytest.raises(StaleWrite):
        tree.remove(PurePosixPath("notes/other.md"), expected=b"old")


def test_a_write_that_lands_before_the_removal_is_put_back(tree, monkeypatch):
    put(tree, NOTE, b"old")
    rename = os.rename

    def late(*args, **kwargs):
        monkeypatch.setattr(os, "rename", rename)
        (tree.root / NOTE).write_bytes(b"theirs")
        rename(*args, **kwargs)

    monkeypatch.setattr(os, "rename", late)

    with pytest.raises(StaleWrite):
        tree.remove(NOTE, expected=b"old")

    assert tree.read(NOTE) == b"theirs"
    assert names(tree) == ["notes/deploy.md"]


# Walking


def test_a_walk_is_sorted_and_leaves_out_git_links_and_half_written_files(tree):
    put(tree, "b.md", b"")
    put(tree, "a/z.md", b"")
    put(tree, "a/.hidden.md", b"")
    put(tree, ".git/config", b"")
    put(tree, "a/.gitmem-tmp-1-abc", b"")
    (tree.root / "loop").symlink_to(tree.root)
    (tree.root / "link.md").symlink_to("b.md")

    assert list(map(str, tree.walk())) == ["b.md", "a/.hidden.md", "a/z.md"]


def test_a_name_that_is_not_unicode_is_walked_and_read(tree):
    (tree.root / os.fsdecode(b"caf\xe9.md")).write_bytes(b"old")

    assert [tree.read(path) for path in tree.walk()] == [b"old"]


def test_nothing_is_left_open(tree):
    put(tree, NOTE, b"old")
    before = len(os.listdir("/proc/self/fd"))

    tree.replace(NOTE, b"new", expected=b"old")
    attempt(tree, NOTE)
    tree.stat(NOTE)
    tree.remove(NOTE, expected=b"new")

    assert len(os.listdir("/proc/self/fd")) == before


def test_a_folder_that_another_empties_meanwhile_is_made_again(tree):
    def come_and_go(name):
        path = PurePosixPath("notes", name)
        for _ in range(100):
            tree.replace(path, b"new", expected=None, durable=False)
            tree.remove(path, expected=b"new")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(come_and_go, ["a.md", "b.md"]))

    assert names(tree) == []


@pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="no leases here")
def test_a_file_that_somebody_is_writing_is_not_replaced(tree):
    put(tree, NOTE, b"old")
    path = tree.root / NOTE

    with path.open("ab", buffering=0) as writer:
        with pytest.raises(HeldOpen):
            tree.replace(NOTE, b"mine", expected=b"old")
        writer.write(b" and late")

    assert tree.read(NOTE) == b"old and late"
    assert [path.name for path in (tree.root / "notes").iterdir()] == [NOTE.name]


@pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="no leases here")
def test_a_file_that_somebody_is_writing_is_not_removed(tree):
    put(tree, NOTE, b"old")
    path = tree.root / NOTE

    with path.open("ab", buffering=0) as writer:
        with pytest.raises(HeldOpen):
            tree.remove(NOTE, expected=b"old")
        writer.write(b" and late")

    assert tree.read(NOTE) == b"old and late"


def test_a_writer_that_is_soon_done_is_waited_for(tree):
    put(tree, NOTE, b"old")
    path = tree.root / NOTE
    writer = path.open("ab", buffering=0)
    done = threading.Timer(0.05, writer.close)
    done.start()

    tree.replace(NOTE, b"mine", expected=b"old")

    done.join()
    assert tree.read(NOTE) == b"mine"


def test_readers_are_no_writers(tree):
    put(tree, NOTE, b"old")
    path = tree.root / NOTE

    with path.open("rb"):
        tree.replace(NOTE, b"mine", expected=b"old")

    assert tree.read(NOTE) == b"mine"


def test_a_folder_without_files_is_cleared_with_all_that_is_in_it(tree):
    (tree.root / "a" / "b" / "c").mkdir(parents=True)

    assert tree.clear_empty(PurePosixPath("a"))
    assert not tree.exists(PurePosixPath("a"))


def test_a_folder_with_a_file_below_is_not_cleared(tree):
    put(tree, NOTE, b"old")

    assert not tree.clear_empty(NOTE.parent)
    assert not tree.clear_empty(NOTE)
    assert tree.read(NOTE) == b"old"


def test_a_file_is_given_a_free_name_while_somebody_writes_to_it(tree):
    put(tree, NOTE, b"old")

    with (tree.root / NOTE).open("ab", buffering=0) as writer:
        tree.rename(NOTE, "b.md")
        writer.write(b" and late")

    assert tree.read(NOTE.with_name("b.md")) == b"old and late"
    assert not tree.exists(NOTE)


def test_a_name_that_is_taken_is_given_to_no_other_file(tree):
    put(tree, NOTE, b"old")
    put(tree, NOTE.with_name("b.md"), b"other")

    with pytest.raises(StaleWrite):
        tree.rename(NOTE, "b.md")

    assert tree.read(NOTE.with_name("b.md")) == b"other"


def test_a_file_that_is_gone_gets_no_other_name(tree):
    put(tree, NOTE, b"old")

    with pytest.raises(StaleWrite):
        tree.rename(NOTE.with_name("b.md"), "c.md")
