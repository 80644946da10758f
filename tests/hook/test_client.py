"""The script that hosts run: it starts the compiled module, as that is now."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hook.conftest import CLIENT

from gitmem.hook import light


@pytest.fixture
def package(tmp_path):
    """Put the script and its module where nothing was run yet."""
    for each in (CLIENT, Path(light.__file__)):
        shutil.copy(each, tmp_path)
    return tmp_path


def run(package, *arguments):
    return subprocess.run(
        [sys.executable, "-I", "-S", package / "client.py", *arguments],
        input=b"",
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_it_keeps_the_compiled_module_for_the_next_hook(package):
    done = run(package)

    assert (done.returncode, done.stderr) == (0, b"")
    assert len(list((package / "__pycache__").glob("light.*.pyc"))) == 1


def test_it_runs_the_module_as_it_is_now(package):
    run(package)
    module = package / "light.py"
    module.write_text('print("new")\n')

    assert run(package).stdout == b"new\n"


def test_it_does_without_a_place_for_the_compiled_module(package):
    (package / "__pycache__").write_text("a file is in the way")

    done = run(package)

    assert (done.returncode, done.stderr) == (0, b"")


def test_it_brings_along_only_what_the_interpreter_has():
    look = "import sys; before = set(sys.modules); import client\n"
    show = "print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [
            *(sys.executable, "-I", "-S", "-c"),
            f"import sys; sys.path.append({str(CLIENT.parent)!r})\n{look}{show}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["client"]
