"""What sessions did with files is read once, and kept."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.hosts.place import Where
from gitmem.hosts.transcripts import Transcripts
from gitmem.hosts.work import MOST_ACCESSES, Scan, accesses, scan
from gitmem.hosts.workfile import load, save

BEACON = "/home/sam/code/beacon"
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
STAMP = "2026-03-02T09:00:{:02}Z"


def header(session="s", cwd=BEACON):
    return {"type": "session", "id": session, "cwd": cwd}


def called(found, tool, second=0, **arguments):
    call = {"type": "toolCall", "id": f"c{found}", "name": tool, "arguments": arguments}
    message = {"role": "assistant", "content": [call]}
    at = STAMP.format(second)
    return {"type": "message", "id": found, "timestamp": at, "message": message}


def answered(found, call, diff):
    message = {"role": "toolResult", "toolCallId": call, "toolName": "edit"}
    return {
        "type": "message",
        "id": found,
        "message": {**message, "details": {"diff": diff}},
    }


class Project:
    """The sessions of a project in one folder, and what was read of them."""

    def __init__(self, folder):
        self.folder = folder
        self.known = {}

    def write(self, name, *entries, mode="w"):
        path = self.folder / f"{name}.jsonl"
        with path.open(mode, encoding="utf-8") as file:
            file.writelines(f"{json.dumps(each)}\n" for each in entries)
        return path

    def transcripts(self):
        variables = {"PI_CODING_AGENT_SESSION_DIR": str(self.folder)}
        where = Where(Path("/home/sam"), variables)
        return Transcripts(where, (Path(BEACON),), lambda cwd: cwd == BEACON)

    def scan(self, since=LONG_AGO, **how):
        self.known = scan(self.transcripts(), self.known, Scan(since, **how))
        return [(each.kind, each.path) for each in accesses(self.known)]


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_accesses_are_read_with_whole_paths(project):
    project.write(
        "s",
        header(),
        called("a", "read", 1, path="src/app.py"),
        called("b", "write", 2, path="/else/where.md"),
        called("c", "edit", 3, path="~/notes.md"),
        called("d", "memory_write", 4, path="core/x.md"),
        called("e", "read", 5, path="../beacon/./b.py"),
        called("f", "bash", 6, command="ls"),
    )

    assert project.scan() == [
        ("read", f"{BEACON}/src/app.py"),
        ("write", "/else/where.md"),
        ("edit", "/home/sam/notes.md"),
        ("memory_write", "core/x.md"),
        ("read", f"{BEACON}/b.py"),
    ]


def test_an_edit_has_the_lines_that_its_result_tells(project):
    path = project.write("s", header(), called("a", "edit", path="a.py"))
    project.scan()
    project.write("s", answered("b", "ca", "+ 8 x\n+ 9 y\n"), mode="a")
    project.scan()

    [access] = project.known[str(path)].accesses
    assert (access.kind, access.lines) == ("edit", ((8, 9),))


def test_a_transcript_that_grew_is_read_from_its_old_end(project):
    path = project.write("s", header(), called("a", "read", path="a"))
    project.scan()
    # What stands before the end that was reached is not looked at again.
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"a"', b'"z"', 1))
    os.utime(path, ns=(1, 1))
    project.write("s", called("b", "read", 1, path="b"), mode="a")

    assert project.scan() == [("read", f"{BEACON}/a"), ("read", f"{BEACON}/b")]
    assert project.known[str(path)].count == 2


@pytest.mark.parametrize("is_longer", [False, True], ids=["shrunk", "replaced"])
def test_a_transcript_that_is_another_one_is_read_anew(project, is_longer):
    several = [called(str(each), "read", each, path="old") for each in range(5)]
    project.write("s", header(), *several)
    project.scan()
    project.write("s", header(), *[called("n", "read", path="new")] * is_longer * 20)

    assert project.scan() == [("read", f"{BEACON}/new")] * is_longer


def test_one_that_is_gone_is_forgotten(project):
    path = project.write("s", header(), called("a", "read", path="a"))
    project.scan()
    path.unlink()

    assert project.scan() == []
    assert project.known == {}


def test_a_torn_line_counts_once_it_is_whole(project):
    path = project.write("s", header(), called("a", "read", path="a"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    before = project.scan()
    path.write_bytes(whole)

    assert (before, project.scan()) == ([], [("read", f"{BEACON}/a")])


def test_a_session_of_another_project_is_not_read(project):
    path = project.write("s", header(cwd="/else"), called("a", "read", path="a"))

    assert project.scan() == []
    assert project.known[str(path)].owner is None


def test_a_transcript_that_nobody_touched_since_is_left_unread(project):
    path = project.write("s", header(), called("a", "read", path="a"))
    os.utime(path, (1_000_000, 1_000_000))

    assert project.scan(since=LONG_AGO) == []


def test_what_a_fork_copied_counts_once(project):
    said = called("a", "read", path="a")
    project.write("s", header(), said)
    project.write("t", header("t"), said, called("b", "read", 5, path="b"))

    assert project.scan() == [("read", f"{BEACON}/a"), ("read", f"{BEACON}/b")]


def test_a_scan_that_is_cut_off_goes_on_where_it_was(project):
    several = [
        called(str(each), "read", each % 60, path=str(each)) for each in range(500)
    ]
    path = project.write("s", header(), *several)
    answers = iter([True, False])
    project.scan(goes_on=lambda: next(answers))
    first = project.known[str(path)].count
    project.scan()

    assert first < 500
    assert project.known[str(path)].count == 500


def test_progress_ends_with_all_of_it(project):
    project.write("s", header(), *[called("a", "read", path="a")] * 300)
    path = project.write("t", header("t"), called("b", "read", path="b"))
    told = []
    project.scan(progress=lambda done, total: told.append((done, total)))
    total = sum(each.stat().st_size for each in path.parent.glob("*.jsonl"))

    assert told[-1] == (total, total)
    assert told == sorted(told)


def test_only_so_much_of_one_transcript_is_kept(project):
    path = project.write("s", header(), *[called("a", "read", path="a")] * 2_500)
    project.scan()

    assert len(project.known[str(path)].accesses) == MOST_ACCESSES


def test_an_entry_is_found_by_its_id(project):
    path = project.write("s", header(), called("a", "read"), called("b", "read"))
    project.scan()
    read = project.known[str(path)]

    assert [read.ordinal(each) for each in ("a", "b", "c")] == [0, 1, None]


def test_what_was_kept_is_what_was_read(project, tmp_path):
    project.write("s", header(), called("a", "edit", path="a\ud800"))
    project.write("t", header(cwd="/else"))
    project.scan()
    save(tmp_path / "kept" / "work.json", project.known)

    assert load(tmp_path / "kept" / "work.json") == project.known


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format":1}',
        '{"format":1,"files":[[]]}',
        '{"format":9}',
        "\xff",
    ],
)
def test_what_was_kept_and_cannot_be_understood_is_nothing(text, tmp_path):
    (tmp_path / "work.json").write_text(text, "latin-1")

    assert load(tmp_path / "work.json") == {}
    assert load(tmp_path / "none" / "work.json") == {}
