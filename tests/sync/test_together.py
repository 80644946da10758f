"""Several files change as one commit, or not at all."""

import json
from pathlib import PurePosixPath

import pytest
from tests.sync.conftest import SECRET, write_all

from gitmem.errors import Busy, InvalidMemory, PathRefused, StaleWrite
from gitmem.files.tree import Tree
from gitmem.sync import apply, pending, together
from gitmem.sync.apply import blob_oid
from gitmem.sync.pending import JOURNAL
from gitmem.sync.report import Report
from gitmem.sync.together import Edit

A, B, C = map(PurePosixPath, ("p/a.md", "p/b.md", "p/c.md"))
OLD = {"p/a.md": "a\n", "p/b.md": "b\n"}
EDITS = (Edit(A, b"a\n", b"a and b\n"), Edit(B, b"b\n", None), Edit(C, None, b"c\n"))
NEW = {"p/a.md": b"a and b\n", "p/c.md": b"c\n"}


@pytest.fixture
def begun(alone):
    write_all(alone, OLD)
    alone.engine.commit()
    return alone


def held(machine) -> dict[str, bytes]:
    return {name: data for name, data in machine.disk().items() if name[:2] == "p/"}


def unchanged() -> dict[str, bytes]:
    return {name: text.encode() for name, text in OLD.items()}


def test_all_of_it_is_one_commit(begun):
    count = len(begun.log())

    report = begun.engine.together("memory(p): tidy", EDITS)

    assert held(begun) == NEW
    assert begun.tree() == begun.disk()
    assert begun.is_clean()
    assert begun.log()[0] == "memory(p): tidy"
    assert len(begun.log()) == count + 1
    assert (report.committed, report.deleted) == (begun.tip(), (B,))


def test_one_undo_takes_all_of_it_back(begun):
    begun.engine.together("memory(p): tidy", EDITS)

    begun.engine.undo()

    assert held(begun) == unchanged()


def test_what_lies_there_is_committed_before(begun):
    begun.write("p/other.md", "other\n")

    begun.engine.together("memory(p): tidy", EDITS)

    assert begun.log()[:2] == ["memory(p): tidy", "memory(p): add other.md"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("p/a.md", "edited\n"), ("p/b.md", "edited\n"), ("p/c.md", "there already\n")],
    ids=["a file that changes", "a file that goes", "a file that is new"],
)
def test_a_file_that_was_edited_meanwhile_refuses_all_of_it(begun, name, text):
    begun.write(name, text)

    with pytest.raises(StaleWrite, match="changed meanwhile"):
        begun.engine.together("memory(p): tidy", EDITS)

    assert held(begun) == {**unchanged(), name: text.encode()}
    assert begun.tree() == begun.disk()


def test_an_edit_between_the_look_and_the_write_refuses_all_of_it(begun, monkeypatch):
    real = Tree.replace

    def replace(self, path, data, *, expected, durable=True):
        if path == C:
            begun.write("p/a.md", "edited\n")
            begun.write("p/c.md", "too late\n")
        real(self, path, data, expected=expected, durable=durable)

    monkeypatch.setattr(Tree, "replace", replace)
    with pytest.raises(StaleWrite):
        begun.engine.together("memory(p): tidy", EDITS)
    monkeypatch.undo()

    assert held(begun) == {
        "p/a.md": b"edited\n",
        "p/b.md": b"b\n",
        "p/c.md": b"too late\n",
    }
    assert not (begun.root / ".git" / JOURNAL).exists()


def test_a_file_that_is_open_for_writing_refuses_all_of_it(begun):
    with (begun.root / "p/b.md").open("a"), pytest.raises(Busy) as caught:
        begun.engine.together("memory(p): tidy", EDITS)

    assert "Nothing was changed" in caught.value.hint
    assert held(begun) == unchanged()
    begun.engine.commit()
    assert begun.is_clean()


def test_what_is_in_no_commit_is_not_changed(begun):
    begun.write("p/secret.md", f"{SECRET}\n")
    edit = Edit(PurePosixPath("p/secret.md"), f"{SECRET}\n".encode(), None)

    with pytest.raises(PathRefused, match="not committed"):
        begun.engine.together("memory(p): tidy", (*EDITS, edit))

    assert held(begun) == {**unchanged(), "p/secret.md": f"{SECRET}\n".encode()}


def test_what_may_not_be_committed_refuses_all_of_it(begun):
    edit = Edit(PurePosixPath("p/d.md"), None, f"{SECRET}\n".encode())

    with pytest.raises(InvalidMemory, match="looks like a secret"):
        begun.engine.together("memory(p): tidy", (*EDITS, edit))

    assert held(begun) == unchanged()


def leave_half(machine, *edits: Edit) -> None:
    """Do what a kill leaves: some files changed, and the journal of all."""
    rows = [
        [
            str(edit.path),
            "" if edit.before is None else blob_oid(edit.before),
            "" if edit.after is None else blob_oid(edit.after),
        ]
        for edit in edits
    ]
    (machine.root / ".git" / JOURNAL).write_text(json.dumps(rows))


def test_the_next_cycle_takes_a_half_of_it_back_and_says_so(begun):
    leave_half(begun, *EDITS)
    begun.write("p/a.md", "a and b\n")
    begun.delete("p/b.md")
    before = begun.log()

    report = begun.cycle()

    assert held(begun) == unchanged()
    assert begun.log() == before
    assert "taken back" in " ".join(report.settled)


def test_what_an_agent_wrote_into_a_half_of_it_stays(begun):
    leave_half(begun, *EDITS)
    begun.write("p/a.md", "a and b, and more\n")
    begun.delete("p/b.md")

    begun.cycle()

    assert held(begun) == {"p/a.md": b"a and b, and more\n", "p/b.md": b"b\n"}
    assert begun.tree() == begun.disk()


@pytest.mark.parametrize("name", ["p/a.md", "p/c.md"], ids=["changed", "made"])
def test_what_an_agent_saves_while_a_half_is_taken_back_stays(begun, monkeypatch, name):
    leave_half(begun, *EDITS)
    begun.write("p/a.md", "a and b\n")
    begun.write("p/c.md", "c\n")
    saved = [name]
    look = apply.present

    def present(files, path):
        found = look(files, path)
        if str(path) in saved:
            begun.write(saved.pop(), "saved\n")
        return found

    monkeypatch.setattr(pending, "present", present)
    begun.cycle()

    assert not saved
    assert held(begun)[name] == b"saved\n"
    assert begun.tree()[name] == b"saved\n"


def test_a_change_that_is_committed_is_not_taken_back(begun):
    begun.engine.together("memory(p): tidy", EDITS)
    leave_half(begun, *EDITS)

    begun.cycle()

    assert held(begun) == NEW
    assert not (begun.root / ".git" / JOURNAL).exists()


def test_a_journal_that_cannot_be_read_is_put_away(begun):
    (begun.root / ".git" / JOURNAL).write_bytes(b"\xff[")

    begun.cycle()

    assert held(begun) == unchanged()
    assert not (begun.root / ".git" / JOURNAL).exists()


def composed(machine, *edits: Edit) -> tuple[Report, dict[str, str]]:
    """Change files as one but for what cannot be; give that too, by its path."""
    refused: dict[str, str] = {}
    report = machine.engine.compose(
        "memory(p): compose",
        lambda: iter(edits),
        lambda edit, error: refused.update({str(edit.path): error.message}),
    )
    return report, refused


def test_what_cannot_be_done_is_left_out_where_somebody_is_told(begun):
    begun.write("p/mine.md", f"{SECRET}\n")
    report, refused = composed(
        begun,
        Edit(A, b"something else\n", b"a and b\n"),
        Edit(C, None, b"c\n"),
        Edit(C / "below.md", None, b"below a file\n"),
        Edit(B / "below.md", None, b"below a file\n"),
        Edit(PurePosixPath("p/secret.md"), None, f"{SECRET}\n".encode()),
        Edit(PurePosixPath("p/mine.md"), None, b"mine\n"),
    )

    assert begun.tree()["p/c.md"] == b"c\n"
    made = begun.git_("show", "--name-only", "--format=", report.committed)
    assert made.split() == ["p/c.md"]
    assert refused.keys() == {
        "p/a.md",
        "p/c.md/below.md",
        "p/b.md/below.md",
        "p/secret.md",
        "p/mine.md",
    }


def test_where_nothing_can_be_done_nothing_is_committed(begun):
    report, refused = composed(begun, Edit(A, b"something else\n", b"a and b\n"))

    assert report.committed is None
    assert refused.keys() == {"p/a.md"}
    assert held(begun) == unchanged()


def test_an_edit_in_the_middle_lets_it_be_decided_again(begun, monkeypatch):
    real = Tree.replace
    writes = ["edited\n"]

    def replace(self, path, data, **how):
        while writes:
            begun.write("p/a.md", writes.pop())
        real(self, path, data, **how)

    def decide():
        before = (begun.root / A).read_bytes()
        yield Edit(A, before, before + b"and more\n")

    monkeypatch.setattr(Tree, "replace", replace)
    report = begun.engine.compose("memory(p): compose", decide, lambda *_: None)

    assert held(begun)["p/a.md"] == b"edited\nand more\n"
    assert begun.log()[:2] == ["memory(p): compose", "memory(p): update a.md"]
    assert report.committed == begun.tip()


def test_a_large_change_goes_lot_by_lot(begun, monkeypatch):
    monkeypatch.setattr(together, "LOT_BYTES", 10)
    edits = [Edit(PurePosixPath(f"q/{n}.md"), None, b"12345678") for n in range(5)]

    begun.engine.together("memory(q): many", edits)

    assert begun.tree() == begun.disk()
    assert {str(edit.path) for edit in edits} <= begun.tree().keys()
