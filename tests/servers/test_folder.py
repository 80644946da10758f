"""A remote that is a folder: gone and back, refusing by its own rules, or full."""

import os
import subprocess

import pytest
from tests.servers.conftest import noise
from tests.sync.conftest import protect

from gitmem.errors import BranchProtected, DiskFull, ErrorClass, Offline, TooLarge


@pytest.fixture
def ann(machine, bare_remote):
    """Give a machine that has pushed once."""
    made = machine("ann")
    made.cycle()
    return made


@pytest.fixture
def mount(tmp_path):
    """Mount something, where this user may; all is unmounted in the end."""
    mounted = []

    def at(name: str, *how: str) -> None:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        done = subprocess.run(["mount", *how, folder], capture_output=True, check=False)
        if done.returncode:
            pytest.skip(f"nothing can be mounted here: {done.stderr.decode().strip()}")
        mounted.append(folder)

    yield at
    for folder in mounted:
        subprocess.run(["umount", folder], capture_output=True, check=False)


def test_a_folder_that_is_gone_is_offline_until_it_is_back(ann, bare_remote):
    away = bare_remote.rename(bare_remote.with_name("away"))
    ann.write("a.md", "alpha\n")

    with pytest.raises(Offline, match="does not") as raised:
        ann.cycle()

    assert "gitmem doctor" in raised.value.hint
    assert ann.engine.record().fetch.error_class is ErrorClass.OFFLINE
    assert ann.engine.status().unpushed == 1
    away.rename(bare_remote)
    assert ann.cycle().pushed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_folder_that_is_unmounted_is_offline_until_it_is_back(
    machine, bare_remote, mount, tmp_path
):
    mount("stick", "--bind", str(tmp_path))
    ann = machine("ann", url=str(tmp_path / "stick" / "remote.git"))
    ann.cycle()
    ann.write("a.md", "alpha\n")
    subprocess.run(["umount", tmp_path / "stick"], check=True)

    with pytest.raises(Offline):
        ann.cycle()

    assert list((tmp_path / "stick").iterdir()) == []
    assert ann.engine.status().unpushed == 1
    mount("stick", "--bind", str(tmp_path))
    assert ann.cycle().pushed


def test_a_remote_that_refuses_is_told_and_takes_it_later(ann, bare_remote):
    protect(bare_remote, "echo only reviewed changes >&2; exit 1\n")
    ann.write("a.md", "alpha\n")

    with pytest.raises(BranchProtected, match="only reviewed changes") as raised:
        ann.cycle()

    assert "sync.branch" in raised.value.hint
    assert ann.engine.record().push.error_class is ErrorClass.PROTECTED
    assert ann.engine.status().unpushed == 1
    (bare_remote / "hooks" / "pre-receive").unlink()
    assert ann.cycle().pushed


def test_a_remote_that_takes_no_large_push_is_told_and_takes_it_later(
    ann, bare_remote, git
):
    git("config", "receive.maxInputSize", "20k", cwd=bare_remote)
    ann.write("large.md", noise(100_000))

    with pytest.raises(TooLarge, match="size") as raised:
        ann.cycle()

    assert raised.value.hint
    assert ann.engine.record().push.error_class is ErrorClass.TOO_LARGE
    assert ann.engine.status().unpushed == 1
    git("config", "--unset", "receive.maxInputSize", cwd=bare_remote)
    assert ann.cycle().pushed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_remote_without_room_is_told_and_takes_it_later(
    machine, git, mount, tmp_path
):
    mount("stick", "-t", "tmpfs", "-o", "size=256k", "none")
    remote = tmp_path / "stick" / "remote.git"
    git("init", "-q", "--bare", "--template=", "-b", "main", remote, cwd=tmp_path)
    ann = machine("ann", url=str(remote))
    ann.cycle()
    ann.write("large.md", noise(500_000))

    with pytest.raises((DiskFull, TooLarge), match="No space left") as raised:
        ann.cycle()

    assert raised.value.hint
    assert ann.engine.status().unpushed == 1
    mount("stick", "-o", "remount,size=4m")
    assert ann.cycle().pushed
