"""Where there is a tape, and where there is none."""

from pathlib import Path

import pytest

from gitmem.tape.gate import SYSTEM, shut

HERE = Path("/home/ada/beacon")


TEMPORARY = {Path("/var/scratch"): "the folder for temporary files"}


def gate(folder=HERE, *, is_enabled=True, excluded=(), needs_git=False):
    return shut(
        Path(folder),
        is_enabled=is_enabled,
        never=TEMPORARY,
        excluded=excluded,
        needs_git=needs_git,
    )


def why(*folder, **more):
    return gate(*folder, **more).why


def test_a_folder_of_work_has_a_tape():
    assert gate() is None


def test_a_tape_has_to_be_wanted():
    assert why(is_enabled=False) == "tape.enabled is off"


@pytest.mark.parametrize("folder", ["/home/ada/secret", "/home/ada/secret/deep"])
def test_an_excluded_folder_has_none(folder):
    assert "secret" in why(folder, excluded=(Path("/home/ada/secret"),))


def test_a_folder_that_is_only_named_alike_has_one():
    assert gate("/home/ada/secretary", excluded=(Path("/home/ada/secret"),)) is None


@pytest.mark.parametrize("folder", SYSTEM, ids=str)
def test_the_system_has_none(folder):
    found = gate(folder / "deep")

    assert found.why == f"{folder} is the system's own, and never has one"
    assert "no setting" in found.way_out


def test_the_folder_for_temporary_files_has_none_and_nothing_sets_that():
    found = gate("/var/scratch/beacon")

    assert found.why == (
        "/var/scratch is the folder for temporary files, and never has one"
    )
    assert "settings" not in found.way_out


def test_what_a_person_set_is_found_where_it_is_set():
    found = gate("/home/ada/secret", excluded=(Path("/home/ada/secret"),))

    assert found.why == "/home/ada/secret is in tape.exclude_dirs"
    assert "settings --explain" in found.way_out


def test_a_folder_outside_git_may_have_to_be_inside():
    assert "only_git" in why(needs_git=True)
