"""Damaged objects are found, named and kept."""

import pytest

from gitmem.repo import damage


@pytest.fixture
def spoiled(repository):
    """Give an object, and what a power cut left of it."""
    oid = repository.store([b"precious\n"])[0]
    path = repository.git_folder / "objects" / oid[:2] / oid[2:]
    return oid, path


@pytest.mark.parametrize(
    "left",
    [b"", b"\0" * 64, b"x\x9c\x03\x00\x00\x00\x00\x01"],
    ids=["empty", "zeros", "another"],
)
def test_an_object_that_is_not_what_its_name_says_is_put_aside(
    repository, spoiled, left
):
    oid, path = spoiled
    path.chmod(0o600)
    path.write_bytes(left)

    assert damage.put_aside(repository.git_folder) == (oid,)
    assert (repository.git_folder / damage.FOLDER / oid).read_bytes() == left
    assert damage.find(repository.git_folder) == ()


def test_a_sound_object_stays(repository, spoiled):
    assert damage.put_aside(repository.git_folder) == ()
    assert spoiled[1].exists()


def test_the_log_of_a_ref_is_read_from_its_end(repository):
    log = repository.git_folder / "logs" / "refs" / "heads" / "main"
    log.parent.mkdir(parents=True, exist_ok=True)
    none, a, b = "0" * 40, "a" * 40, "b" * 40
    lines = (
        f"{none} {a} who",
        f"{a} {b} who",
        f"{b} {a} who",
        f"{a} {none} w",
        "x y z",
    )
    log.write_text("\n".join(lines), "utf-8")

    assert damage.commits_of_log(repository.git_folder, "refs/heads/main") == (a, b)
    assert damage.commits_of_log(repository.git_folder, "refs/heads/none") == ()
