"""Interruption and crash: what is half done, damaged, full or out of reach."""

import os
import shutil
import signal
import subprocess

import pytest
from tests.failures.conftest import loose
from tests.servers.conftest import noise
from tests.sync.conftest import settled, write_all

from gitmem.errors import BadConfig, Corrupt, DiskFull, ErrorClass
from gitmem.repo.failure import explain
from gitmem.repo.repository import Repository

HAS_OWN_MOUNTS = os.geteuid() == 0 and shutil.which("unshare") is not None


@pytest.fixture
def stuck(pair):
    """Give a machine on which a rebase stopped at a conflict, and the other one."""
    first, second = pair
    first.write("f.md", "one\n")
    settled(pair, rounds=2)
    second.write("f.md", "theirs\n")
    second.cycle()
    first.write("f.md", "ours\n")
    first.git_("commit", "-q", "-a", "-m", "ours")
    first.git_("fetch", "-q", "origin", "main")
    return first, second


def test_09_a_rebase_that_died_before_it_began_stops_nothing(first):
    folder = first.root / ".git" / "rebase-merge"
    folder.mkdir()
    folder.joinpath("autostash").write_text(f"{first.tip()}\n", "utf-8")
    first.write("a.md", "a\n")

    report = first.cycle()

    assert report.pushed
    assert not folder.exists()
    assert first.git_("for-each-ref", "refs/gitmem/rescue")


def test_10_a_rebase_that_stopped_is_settled_by_the_next_cycle(stuck):
    first, second = stuck
    rebase = ["git", "rebase", "FETCH_HEAD"]
    done = subprocess.run(rebase, cwd=first.root, capture_output=True, check=False)
    assert done.returncode != 0

    settled((first, second), rounds=2)

    assert first.repository.leftovers() == ()
    assert first.tree() == second.tree()
    assert b"ours" in first.text()
    assert b"theirs" in first.text()


def test_11_a_detached_head_is_brought_home_with_its_commits(first):
    before = first.tip()
    first.git_("checkout", "-q", "--detach")
    first.write("n.md", "x\n")
    first.git_("add", ".")
    first.git_("commit", "-q", "-m", "on no branch")

    first.cycle()

    assert first.git_("symbolic-ref", "HEAD").strip() == "refs/heads/main"
    assert "n.md" in first.tree()
    assert first.repository.is_ancestor(before, first.tip())


def test_12_a_death_between_the_files_and_the_index_reverts_nothing(pair, monkeypatch):
    first, second = pair
    second.write("f.md", "theirs\n")
    second.cycle()

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Repository, "move_ref", die)
        with pytest.raises(KeyboardInterrupt):
            first.cycle()
    settled(pair)

    assert first.tree() == second.tree()
    assert first.tree()["f.md"] == b"theirs\n"


def test_13_markers_of_a_popped_stash_reach_nobody(stuck):
    first, second = stuck
    first.git_("reset", "-q", "HEAD~1")
    rebase = ["git", "rebase", "-q", "--autostash", "FETCH_HEAD"]
    done = subprocess.run(rebase, cwd=first.root, capture_output=True, check=False)
    assert done.returncode == 0
    assert "<<<<<<<" in first.read("f.md")

    settled((first, second), rounds=2)

    assert b"<<<<<<<" not in second.text()
    assert b"ours" in second.text()
    assert b"theirs" in second.text()


@pytest.mark.parametrize("damage", [b"", b"\0" * 64], ids=["empty", "zeros"])
@pytest.mark.parametrize("what", ["HEAD:f.md", "HEAD^{tree}", "HEAD"])
def test_16_an_object_that_a_power_cut_took_is_made_good(pair, what, damage):
    first, second = pair
    first.write("f.md", "precious\n")
    first.engine.commit()
    spoil(first, what, damage)

    settled(pair)

    assert second.tree()["f.md"] == b"precious\n"
    assert first.tree() == second.tree()
    assert first.repository.is_whole([first.tip()])
    assert "healed" in (first.options.state / "gitmem.log").read_text("utf-8")


def test_16_an_older_version_comes_back_from_the_remote(first):
    first.write("f.md", "older\n")
    first.cycle()
    first.write("f.md", "newer\n")
    first.cycle()
    spoil(first, "HEAD~1:f.md", b"")
    first.write("g.md", "more\n")
    first.git_("config", "core.commitGraph", "false")

    first.engine.cycle()
    spoiled_is_found(first)

    assert first.git_("show", "HEAD~2:f.md") == "older\n"


def test_16_an_index_that_cannot_be_read_is_made_anew(first):
    (first.root / ".git" / "index").write_bytes(b"\0" * 100)
    first.write("a.md", "a\n")

    first.cycle()

    assert "a.md" in first.tree()
    assert first.is_clean()


def test_16_a_missing_object_is_told_by_the_doctor(first, gitmem):
    spoil(first, "HEAD:.gitignore", b"")

    done = gitmem(first, "doctor")

    assert "damaged or missing" in done.stdout
    assert "gitmem sync" in done.stdout


def test_16_what_nobody_has_is_told(alone):
    alone.write("f.md", "only\n")
    alone.engine.commit()
    alone.write("f.md", "another\n")
    alone.engine.commit()
    spoil(alone, "HEAD~1", b"")
    shutil.rmtree(alone.root / ".git" / "logs")
    spoil(alone, "HEAD", b"")

    with pytest.raises(Corrupt) as raised:
        alone.cycle()

    assert raised.value.hint
    assert alone.read("f.md") == "another\n"


def test_17_what_a_git_left_that_ran_out_of_room_stops_nothing(first):
    first.write("large.md", noise(400_000))
    program = "ulimit -f 100; exec git add large.md"
    done = subprocess.run(["sh", "-c", program], cwd=first.root, check=False)
    assert done.returncode != 0

    assert first.cycle().pushed


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (-signal.SIGXFSZ, b""),
        (1, b"error: index-pack died of signal 25"),
        (1, b"fatal: write error: No space left on device"),
    ],
    ids=["killed", "child killed", "said"],
)
def test_17_running_out_of_room_is_told_as_that(status, said):
    assert type(explain("add", said, status=status)) is DiskFull


def test_17_a_full_disk_is_noticed_before_anything_is_begun(first, monkeypatch):
    first.write("a.md", "a\n")
    before = first.tip()
    found = os.statvfs(first.root)
    full = os.statvfs_result((*found[:4], 10, *found[5:]))
    with monkeypatch.context() as patch:
        patch.setattr(os, "statvfs", lambda _: full)
        with pytest.raises(DiskFull, match="bytes are free"):
            first.cycle()

    assert first.tip() == before
    assert first.engine.record().commit.error_class is ErrorClass.DISK_FULL
    assert first.cycle().pushed


@pytest.mark.skipif(not HAS_OWN_MOUNTS, reason="only root may mount")
def test_17_a_disk_that_is_full_in_the_middle_keeps_the_files_and_goes_on_later(
    machine, bare_remote, tmp_path
):
    (tmp_path / "full").mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4000k", "none", tmp_path / "full"],
        check=True,
    )
    try:
        full = machine("full")
        write_all(full, {f"{n}.md": noise(900_000, seed=n) for n in range(3)})
        with pytest.raises(DiskFull) as raised:
            full.cycle()
        assert raised.value.hint
        assert list((full.root / ".git" / "objects").rglob("tmp_*")) == []
        subprocess.run(
            ["mount", "-o", "remount,size=20m", tmp_path / "full"], check=True
        )
        assert full.cycle().pushed
    finally:
        subprocess.run(["umount", "-l", tmp_path / "full"], check=True)


@pytest.mark.skipif(not HAS_OWN_MOUNTS, reason="only root may mount")
def test_18_a_repository_that_cannot_be_written_is_named(first, gitmem):
    first.write("a.md", "a\n")
    git_folder = first.root / ".git"
    shut = f"mount --bind {git_folder} {git_folder} && mount -o remount,ro,bind"

    done = gitmem(
        first,
        "sync",
        inside=("unshare", "-m", "sh", "-c", f'{shut} {git_folder} && exec "$@"', "sh"),
    )

    assert done.returncode == 1
    assert "Read-only" in done.stderr
    assert str(git_folder) in done.stderr
    assert first.cycle().pushed


def test_18_a_missing_right_is_no_lock_and_no_credential():
    said = b"fatal: Unable to create '/m/.git/index.lock': Permission denied\n"

    assert type(explain("update-index", said)) is BadConfig


def test_20_a_file_that_is_not_committed_is_not_replaced_by_an_incoming_one(pair):
    first, second = pair
    second.write("f.md", "theirs\n")
    second.cycle()
    first.write("f.md", "MINE\n")

    first.cycle()

    assert b"MINE" in b"".join(first.disk().values())
    assert b"theirs" in b"".join(first.disk().values())


def spoil(machine, what: str, damage: bytes) -> None:
    """Leave in place of an object what a power cut leaves."""
    path = loose(machine, machine.git_("rev-parse", what).strip())
    path.chmod(0o600)
    path.write_bytes(damage)


def spoiled_is_found(machine) -> None:
    from gitmem.sync.heal import heal
    from gitmem.sync.workspace import Workspace

    heal(Workspace(machine.options, machine.engine.record()))
