"""Where there is a tape, and where there is none."""

from pathlib import Path

import pytest

from gitmem.tape.gate import SYSTEM, shut

HERE = Path("/home/ada/beacon")


def why(folder=HERE, *, is_enabled=True, excluded=(), needs_git=False):
    return shut(
        Path(folder), is_enabled=is_enabled, excluded=excluded, needs_git=needs_git
    )


def test_a_folder_of_work_has_a_tape():
    assert why() == ""


def test_a_tape_has_to_be_wanted():
    assert why(is_enabled=False) == "tape.enabled is off"


@pytest.mark.parametrize("folder", ["/home/ada/secret", "/home/ada/secret/deep"])
def test_an_excluded_folder_has_none(folder):
    assert "secret" in why(folder, excluded=(Path("/home/ada/secret"),))


def test_a_folder_that_is_only_named_alike_has_one():
    assert why("/home/ada/secretary", excluded=(Path("/home/ada/secret"),)) == ""


@pytest.mark.parametrize("folder", SYSTEM, ids=str)
def test_the_system_has_none(folder):
    assert why(folder / "deep") == f"{folder} has no tape"


def test_a_folder_outside_git_may_have_to_be_inside():
    assert "only_git" in why(needs_git=True)
