"""`gitmem path` is answered before anything heavy is imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.cli import quick

HEAVY = {"click", "dataclasses", "pathlib", "pydantic", "git", "sqlite3", "typing"}
PATH = "import sys; from gitmem.cli.main import run; run(['path']); "


@pytest.mark.parametrize(
    "arguments",
    [[], ["path", "--json"], ["path", "--layer", "project"], ["sync"]],
    ids=["none", "json", "layer", "other"],
)
def test_anything_but_the_bare_path_falls_through(arguments):
    assert quick.answer(arguments) is None


def test_the_first_path_falls_through_and_the_second_is_quick(gitmem):
    assert quick.answer(["path"]) is None

    first = gitmem("path").out

    assert quick.answer(["path"]) == first.strip()
    assert gitmem("path").out == first


def test_a_changed_setting_is_noticed_at_once(gitmem, empty_home, tmp_path):
    gitmem("path")
    config = empty_home / "gitmem" / "config"
    config.mkdir(exist_ok=True)
    (config / "config.toml").write_text(
        f'[memory_dir]\nlocal_path = "{tmp_path}/elsewhere"\n', "utf-8"
    )

    assert gitmem("path").out == f"{tmp_path}/elsewhere\n"


def test_a_quick_path_imports_nothing_heavy(gitmem):
    gitmem("path")

    done = subprocess.run(
        [sys.executable, "-S", "-c", PATH + "print(sorted(sys.modules))"],
        env={**os.environ, "PYTHONPATH": str(Path(quick.__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )

    assert [name for name in sorted(HEAVY) if f"'{name}'" in done.stdout] == []
