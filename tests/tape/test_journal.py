"""Lines are appended for this machine, and read for all of them."""

import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from tests.tape.conftest import NOW, handoff

from gitmem.errors import PathRefused, UsageError
from gitmem.tape.record import written

WRITE = """\
import sys
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from gitmem.files.tree import Tree
from gitmem.tape.journal import Journal, Place
from gitmem.tape.record import Draft
tree, home = Tree(Path(sys.argv[1])), PurePosixPath("tape")
journal = Journal(Place(tree, home, "beacon", "oak"))
for number in range(int(sys.argv[3])):
    name, meta = f"{sys.argv[2]}/{number}", {"summary": "x" * 60}
    draft = Draft(name, "handoff", meta, "s1", "e1")
    journal.append([draft], datetime.now(UTC))
    print(number, flush=True)
"""


def names(journal):
    return [each.name for each in journal.records()]


def writer(root, name, count):
    return subprocess.Popen(
        [sys.executable, "-c", WRITE, str(root), name, str(count)],
        stdout=subprocess.PIPE,
    )


def test_a_tape_that_nobody_wrote_is_empty(journal):
    assert journal.records() == ()


def test_a_machine_writes_a_file_of_its_own(make_journal, tmp_path):
    make_journal("oak").append([handoff("a")], NOW)
    make_journal("elm").append([handoff("b")], NOW)

    found = sorted(path.name for path in (tmp_path / "tape" / "beacon").iterdir())
    assert found == ["elm.jsonl", "oak.jsonl"]


def test_all_machines_make_one_list_in_the_order_of_time(make_journal):
    make_journal("oak").append([handoff("second")], NOW + timedelta(minutes=2))
    make_journal("elm").append([handoff("first")], NOW)
    make_journal("oak").append([handoff("third")], NOW + timedelta(minutes=3))

    assert names(make_journal("elm")) == ["first", "second", "third"]


def test_a_line_that_two_files_hold_is_one(make_journal, tmp_path):
    journal = make_journal()
    journal.append([handoff("a")], NOW)
    folder = tmp_path / "tape" / "beacon"
    (folder / "copy.jsonl").write_bytes((folder / "oak.jsonl").read_bytes())

    assert names(journal) == ["a"]


def test_a_clock_that_stands_gives_every_line_a_moment_of_its_own(journal):
    journal.append([handoff("a"), handoff("a")], NOW)
    journal.append([handoff("a")], NOW)
    journal.append([handoff("a")], NOW - timedelta(seconds=1))

    records = journal.records()
    assert len({each.id for each in records}) == 4
    assert [each.at for each in records] == sorted({each.at for each in records})


def test_a_clock_that_was_set_right_is_believed(journal):
    journal.append([handoff("a")], NOW + timedelta(days=365))
    journal.append([handoff("b")], NOW)

    assert names(journal) == ["b", "a"]


def test_a_torn_line_costs_nothing_but_itself(journal, tmp_path):
    journal.append([handoff("a")], NOW)
    with (tmp_path / "tape/beacon/oak.jsonl").open("ab") as file:
        file.write(b'{"id":"123","timestamp":"2026-')

    journal.append([handoff("b")], NOW + timedelta(seconds=1))

    assert names(journal) == ["a", "b"]


def test_a_file_that_is_full_is_followed_by_another(make_journal, tmp_path):
    journal = make_journal(limit_bytes=400)
    journal.append([handoff("a" * 200)], NOW)
    journal.append([handoff("b")], NOW + timedelta(seconds=1))
    journal.append([handoff("c")], NOW + timedelta(seconds=2))

    found = sorted(path.name for path in (tmp_path / "tape" / "beacon").iterdir())
    assert found == ["oak+2.jsonl", "oak.jsonl"]
    assert names(journal)[1:] == ["b", "c"]


def test_a_file_is_full_before_it_is_too_large_for_a_commit(make_journal, tmp_path):
    journal = make_journal(limit_bytes=1_000)
    journal.append([handoff("a" * 200)], NOW)
    journal.append([handoff(str(at), summary="b" * 550) for at in range(9)], NOW)

    files = list((tmp_path / "tape" / "beacon").iterdir())
    assert max(path.stat().st_size for path in files) < 1_000
    assert len(names(journal)) == 10


@pytest.mark.parametrize(
    "made", [handoff("a", summary="z" * 300_000), handoff("a" * 301), handoff("")]
)
def test_a_line_that_nobody_would_read_is_not_written(journal, tmp_path, made):
    with pytest.raises(UsageError):
        journal.append([handoff("first"), made], NOW)

    assert not (tmp_path / "tape").exists()


def test_the_folder_that_pi_memory_md_made_is_used(journal, tmp_path):
    (tmp_path / "TAPE").mkdir()

    journal.append([handoff("a")], NOW)

    assert (tmp_path / "TAPE/beacon/oak.jsonl").exists()
    assert not (tmp_path / "tape/beacon").exists() or (tmp_path / "tape").samefile(
        tmp_path / "TAPE"
    )
    assert names(journal) == ["a"]


def test_links_are_not_followed(journal, tmp_path):
    journal.append([handoff("a")], NOW)
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes((tmp_path / "tape/beacon/oak.jsonl").read_bytes())
    (tmp_path / "tape/beacon/link.jsonl").symlink_to(secret)
    (tmp_path / "tape/beacon/oak.jsonl").unlink()

    assert journal.records() == ()


def test_nothing_is_appended_through_a_link(journal, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "tape").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(PathRefused):
        journal.append([handoff("a")], NOW)
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.slow
def test_eight_writers_of_a_thousand_anchors_lose_and_tear_none(journal, tmp_path):
    writers = [writer(tmp_path, str(each), 1000) for each in range(8)]

    assert [each.communicate(timeout=500) and each.returncode for each in writers] == (
        [0] * 8
    )
    found = names(journal)
    assert len(found) == 8000
    assert set(found) == {f"{a}/{b}" for a in range(8) for b in range(1000)}
    files = sorted((tmp_path / "tape/beacon").iterdir())
    lines = b"".join(path.read_bytes() for path in files).splitlines()
    assert len(lines) == 8000


def test_what_a_killed_writer_had_written_stays(journal, tmp_path):
    killed = writer(tmp_path, "a", 100_000)
    assert killed.stdout is not None
    seen = [int(killed.stdout.readline()) for _ in range(20)][-1]
    killed.send_signal(signal.SIGKILL)
    killed.communicate()

    journal.append([handoff("after")], NOW + timedelta(days=3650))

    found = names(journal)
    assert found[: seen + 1] == [f"a/{number}" for number in range(seen + 1)]
    assert found[-1] == "after"


def test_lines_from_elsewhere_go_behind_those_that_are_there(make_journal, tmp_path):
    make_journal("elm").append([handoff("theirs")], NOW)
    make_journal("oak").append([handoff("mine")], NOW)
    own = tmp_path / "tape" / "beacon" / "oak.jsonl"
    before = own.read_bytes().rstrip(b"\n")
    own.write_bytes(before)
    theirs = make_journal("elm").records()[:1]

    (grown,) = make_journal("oak").adopted(theirs)

    assert (grown.path.name, grown.before) == ("oak.jsonl", before)
    assert grown.after == before + b"\n" + b"".join(map(written, theirs))
    assert own.read_bytes() == before


def test_more_lines_than_a_file_holds_become_several_files(make_journal):
    oak = make_journal("oak", limit_bytes=1_000)
    oak.append([handoff("mine")], NOW)
    lines = [handoff(f"line {number}") for number in range(12)]
    records = make_journal("elm").append(lines, NOW)

    grown = list(oak.adopted(records))

    names = [(each.path.name, each.before) for each in grown]
    assert names == [("oak+2.jsonl", None), ("oak+3.jsonl", None)]
    added = b"".join(each.after for each in grown)
    assert added == b"".join(map(written, records))
