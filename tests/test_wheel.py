"""The wheel holds the program, what agents are taught, and the licences."""

import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import gitmem

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=60,
    )
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def files(folder, prefix):
    """Read what belongs to the project below a folder: caches are hidden or .pyc."""
    found = {
        path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()
    }
    return {
        f"{prefix}/{name.as_posix()}": path.read_bytes()
        for name, path in found.items()
        if path.suffix != ".pyc" and not any(part[0] == "." for part in name.parts)
    }


def test_it_holds_the_program_and_the_skills_and_nothing_else(wheel):
    expected = files(ROOT / "src/gitmem", "gitmem")
    expected |= files(ROOT / "skills", "gitmem/_skills")
    held = {name for name in wheel if ".dist-info/" not in name}

    assert {name: wheel[name] for name in expected} == expected
    assert held == expected.keys()


def test_it_says_its_version_licence_and_command(wheel):
    about = f"gitmem-{gitmem.__version__}.dist-info"
    metadata = message_from_bytes(wheel[f"{about}/METADATA"])

    assert metadata["Version"] == gitmem.__version__
    assert metadata["License-Expression"] == "MIT"
    assert wheel[f"{about}/licenses/NOTICE"] == (ROOT / "NOTICE").read_bytes()
    assert b"gitmem = gitmem.cli.main:main" in wheel[f"{about}/entry_points.txt"]
