"""./dev says in one line what a machine lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DEV = Path(__file__).parents[1] / "dev"


@pytest.fixture
def programs(tmp_path):
    """Make a folder for the only programs that the machine has."""
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


@pytest.fixture
def dev(tmp_path, programs):
    """Run ./dev on that machine."""

    def run(*arguments):
        return subprocess.run(
            [sys.executable, DEV, *arguments],
            env={"PATH": str(programs), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def install(programs, name, *lines):
    script = "\n".join(["#!/bin/sh", *lines])
    (programs / name).write_text(script, "utf-8")
    (programs / name).chmod(0o755)


def test_help_lists_every_verb(dev):
    done = dev("--help")

    verbs = {"quickstart", "run", "test", "lint", "check", "format", "lock"}
    assert done.returncode == 0
    assert verbs <= set(done.stdout.split())


def test_a_verb_that_does_not_exist_is_named(dev):
    done = dev("tset")

    assert done.returncode == 2
    assert done.stderr.startswith("./dev: there is no verb 'tset'.\n")


def test_a_machine_without_git_is_told_so(dev):
    done = dev("test")

    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "./dev: Git is not installed; gitmem needs 2.38 or newer.\n",
    )


def test_an_old_git_is_told_apart(dev, programs):
    install(programs, "git", "echo git version 2.37.9")

    done = dev("test")

    assert done.stderr == (
        "./dev: git version 2.37.9 is too old; gitmem needs 2.38 or newer.\n"
    )


def test_it_is_one_file_that_can_be_run():
    assert os.access(DEV, os.X_OK)
    assert DEV.read_text("utf-8").startswith("#!/usr/bin/env python3\n")
