"""A commit says who made it, on which machine and what is in it."""

from pathlib import PurePosixPath

import pytest

from gitmem.repo.history import Change, TreeEntry
from gitmem.repo.objects import Identity
from gitmem.sync.author import Author, identity, machine_id, message, subject_of

OLD, NEW, NOTHING = TreeEntry("100644", "1"), TreeEntry("100644", "2"), TreeEntry()


def added(path: str) -> Change:
    return Change(PurePosixPath(path), NOTHING, NEW)


def changed(path: str) -> Change:
    return Change(PurePosixPath(path), OLD, NEW)


def deleted(path: str) -> Change:
    return Change(PurePosixPath(path), OLD, NOTHING)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([added("core/a.md")], "memory(core): add a.md"),
        ([added("core/x/a.md")], "memory(core): add x/a.md"),
        ([changed("a.md")], "memory(.): update a.md"),
        ([deleted("core/a.md"), added("a.md")], "memory(core): add a.md; delete a.md"),
        ([added("a/a.md"), added("b/b.md")], "memory(*): add a/a.md, b/b.md"),
        (
            [added("a/1.md"), added("a/2.md"), changed("a/3.md"), deleted("a/4.md")],
            "memory(a): add 2 files; update 1 file; delete 1 file",
        ),
        ([], "memory(.): "),
    ],
)
def test_a_subject_names_the_layer_and_what_happened(changes, expected):
    assert subject_of(tuple(changes)) == expected


def test_a_message_has_trailers_for_what_is_known():
    author = Author("laptop", host="cc", session="s1")

    assert message("memory(a): add b", author, reason="cleanup") == (
        "memory(a): add b\n\nGitmem-Machine: laptop\nGitmem-Host: cc\n"
        "Gitmem-Session: s1\nGitmem-Reason: cleanup\n"
    )
    assert "Session" not in message("x", Author("laptop"))


def test_no_name_can_forge_a_line():
    text = message("a\nb\x1b[2J", Author("m", session="s\r\nGitmem-Machine: other"))

    assert text.splitlines()[0] == "a b [2J"
    assert text.count("\nGitmem-Machine:") == 1


def test_the_person_commits_and_else_the_machine():
    ada = Identity("Ada", "ada@example.invalid")

    assert identity(ada, "laptop") == ada
    assert identity(None, "laptop") == Identity("gitmem", "gitmem@laptop.invalid")


@pytest.mark.parametrize(
    ("configured", "expected"),
    [("laptop", "laptop"), (" my laptop\n", "my-laptop"), ("../x", "x")],
)
def test_a_machine_is_named_as_it_is_configured(tmp_path, configured, expected):
    assert machine_id(tmp_path, configured, hostname="host") == expected


def test_a_machine_keeps_the_name_that_it_once_got(tmp_path):
    folder = tmp_path / "state"

    first = machine_id(folder, None, hostname="host.example.invalid")

    assert first.startswith("host-")
    assert machine_id(folder, None, hostname="renamed") == first


@pytest.mark.parametrize("configured", [None, "///"])
@pytest.mark.parametrize("text", [b"", b"\xff\xff", b"///"])
def test_a_damaged_name_is_made_anew(tmp_path, text, configured):
    (tmp_path / "machine").write_bytes(text)

    found = machine_id(tmp_path, configured, hostname="")

    assert found.startswith("machine-")
    assert machine_id(tmp_path, None, hostname="x") == found
