"""Disks in a bad state."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.files.tree import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Make a tree in a folder of its own, so that its neighbours can be looked at."""
    root = tmp_path / "tree"
    root.mkdir()
    return Tree(root)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk with room for two pages."""
    yield from _mounted(tmp_path / "small", "size=8k")


@pytest.fixture
def read_only_folder(tmp_path: Path) -> Iterator[Path]:
    """Make a folder that nothing can be written to, not even by root."""
    folder = tmp_path / "fixed"
    if os.geteuid() == 0:
        yield from _mounted(folder, "ro")
    else:
        folder.mkdir(mode=0o500)
        yield folder
        folder.chmod(0o700)


def _mounted(folder: Path, options: str) -> Iterator[Path]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "gitmem-test", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, timeout=10).returncode:
        pytest.skip("this user may not mount a disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True, timeout=10)
