import os

import pytest

from gitmem.daemon import guard as guards
from gitmem.daemon.guard import Guard, holder
from gitmem.errors import PathRefused


@pytest.fixture
def guard(tmp_path, monkeypatch):
    """Take the lock of a repository, with a socket and a file of gitmem's own."""
    (tmp_path / "own.py").write_text("version 1\n")
    monkeypatch.setattr(guards, "_OWN_FILE", tmp_path / "own.py")
    (tmp_path / "socket").touch()
    made = Guard(tmp_path)
    assert made.take()
    made.watch_socket(tmp_path / "socket")
    yield made
    made.drop()


def test_the_lock_has_one_holder_until_it_is_dropped(guard, tmp_path):
    second = Guard(tmp_path)

    assert (second.take(), holder(tmp_path)) == (False, os.getpid())
    guard.drop()
    assert holder(tmp_path) is None
    assert second.take()
    second.drop()


def test_a_lock_that_never_was_has_no_holder(tmp_path):
    assert holder(tmp_path) is None


def test_a_holder_that_has_not_written_its_name_yet_is_a_holder(guard, tmp_path):
    (tmp_path / guards.LOCK_NAME).write_bytes(b"")

    assert holder(tmp_path) == 0


def test_nothing_is_lost_while_nothing_changes(guard):
    assert (guard.lost(), guard.is_outdated()) == ("", False)


def test_a_new_version_is_noticed_and_takes_nothing_away(guard, tmp_path):
    (tmp_path / "own.py").write_text("version 2\n")
    os.utime(tmp_path / "own.py", ns=(1, 1))

    assert (guard.lost(), guard.is_outdated()) == ("", True)
    (tmp_path / "own.py").unlink()
    assert guard.is_outdated()


def test_a_link_in_the_place_of_the_lock_is_refused(tmp_path):
    target = tmp_path / "precious"
    target.write_text("text")
    (tmp_path / guards.LOCK_NAME).symlink_to(target)

    with pytest.raises(PathRefused, match="cannot be opened"):
        Guard(tmp_path).take()

    assert target.read_text() == "text"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (guards.LOCK_NAME, "its lock was taken away"),
        ("socket", "its socket was replaced"),
    ],
)
@pytest.mark.parametrize("is_replaced", [True, False], ids=["replaced", "removed"])
def test_what_was_taken_away_is_noticed(name, reason, is_replaced, guard, tmp_path):
    new = tmp_path / "new"
    new.touch()
    {True: lambda: new.rename(tmp_path / name), False: (tmp_path / name).unlink}[
        is_replaced
    ]()

    assert guard.lost() == reason
