"""Anchors stand until some machine deletes them, and then for no machine."""

import json

import pytest
from tests.tape.conftest import NOW, handoff

from gitmem.errors import NotFound, PathRefused
from gitmem.tape.anchor import SESSION, THREAD, Meta, draft
from gitmem.tape.gate import Shut
from gitmem.tape.record import EVENT, Draft
from gitmem.tape.tape import DELETE, Tape

THEIRS = {
    "id": "1234567890-abc123",
    "timestamp": "2026-04-04T11:00:00.000Z",
    "name": "task/begin",
    "type": "handoff",
    "meta": {"summary": "Working on feature X", "purpose": "feature", "odd": [1]},
    "sessionId": "019dbd12",
    "sessionEntryId": "446b6c33",
}


def names(tape):
    return [each.name for each in tape.anchors()]


@pytest.fixture
def theirs(tmp_path):
    """Lay down what pi-memory-md wrote: two anchors, one of them in an older form."""
    path = tmp_path / "TAPE" / "beacon__anchors.jsonl"
    path.parent.mkdir()
    older = {**THEIRS, "name": "older", "timestamp": "2026-04-04T10:00:00.000Z"}
    older["kind"] = older.pop("type")
    del older["id"]
    path.write_text(json.dumps(THEIRS) + "\n" + json.dumps(older) + "\n", "utf-8")
    return path


def test_an_anchor_says_what_it_is(tape):
    [record] = tape.add(
        handoff("a", summary="go on", purpose="deploy", keywords=("x",))
    )

    [anchor] = tape.anchors()
    assert (anchor.id, anchor.name, anchor.type) == (record.id, "a", "handoff")
    assert anchor.meta == Meta("direct", ("x",), "go on", "deploy")
    assert anchor.entry == "e1"


def test_what_this_gitmem_does_not_know_of_an_anchor_is_kept(theirs, tape):
    assert tape.anchors()[1].meta.more == {"odd": [1]}


def test_a_deleted_anchor_is_gone_for_every_machine(make_tape):
    oak, elm = make_tape("oak"), make_tape("elm")
    [record] = oak.add(handoff("a"))
    elm.add(handoff("b"))

    swept = elm.delete([record.id])

    assert [each.name for each in swept.anchors] == ["a"]
    assert names(oak) == names(elm) == ["b"]


def test_a_deleted_anchor_does_not_come_back_with_its_file(make_tape, tmp_path):
    oak = make_tape("oak")
    [record] = oak.add(handoff("a"))
    before = (tmp_path / "tape/beacon/oak.jsonl").read_bytes()
    make_tape("elm").delete([record.id])

    (tmp_path / "tape/beacon/oak.jsonl").write_bytes(before)

    assert names(oak) == []


def test_an_id_has_to_be_whole(tape):
    [record] = tape.add(handoff("a"))

    with pytest.raises(NotFound):
        tape.delete([record.id, record.id[:-1]])
    assert names(tape) == ["a"]


def test_a_node_of_a_thread_is_not_deleted(tape):
    meta = Meta(more={"thread": "t1"})
    [record, _] = tape.add(
        *(draft(f"thread/{name}", THREAD, meta) for name in ("a", "b"))
    )

    with pytest.raises(PathRefused) as refused:
        tape.delete([record.id])

    assert refused.value.hint.endswith(
        f"thread update --thread t1 --node {record.id} --state archived"
    )


def test_anchors_of_pi_memory_md_are_read(theirs, tape):
    tape.add(handoff("mine"))

    assert names(tape) == ["older", "task/begin", "mine"]
    assert tape.anchors()[1].meta.summary == "Working on feature X"


def test_anchors_of_pi_memory_md_are_deleted_for_it_too(theirs, tape):
    tape.delete([THEIRS["id"]])

    assert names(tape) == ["older"]
    assert THEIRS["id"] not in theirs.read_text("utf-8")
    assert "older" in theirs.read_text("utf-8")


def test_its_file_goes_with_its_last_anchor(theirs, tape):
    tape.delete([each.id for each in tape.anchors()])

    assert not theirs.exists()
    assert names(tape) == []


def test_a_reset_deletes_every_anchor_but_those_of_threads(make_tape):
    oak, elm = make_tape("oak"), make_tape("elm")
    oak.add(handoff("a"), draft("thread/a", THREAD, Meta()))
    elm.add(draft("session/new", SESSION, Meta()))

    swept = oak.reset(archive=False)

    assert [each.name for each in swept.anchors] == ["a", "session/new"]
    assert swept.aside == ""
    assert names(elm) == ["thread/a"]


def test_an_archive_moves_the_anchors_aside_for_real(make_tape, tmp_path, theirs):
    oak = make_tape("oak")
    oak.add(handoff("a"), handoff("b"))
    make_tape("elm").add(handoff("c"))

    swept = oak.reset(archive=True)

    [path] = (tmp_path / swept.aside).iterdir()
    kept = path.read_text("utf-8")
    assert [json.loads(line)["name"] for line in kept.splitlines()] == [
        *("older", "task/begin", "a", "b", "c")
    ]
    own = (tmp_path / "TAPE/beacon/oak.jsonl").read_text("utf-8")
    assert [json.loads(line)["name"] for line in own.splitlines()] == ["anchor.archive"]
    assert not theirs.exists()
    assert names(oak) == []


@pytest.fixture
def forged(make_tape, tmp_path):
    """Let another machine's file, read first, hold an anchor with my node's id."""
    oak = make_tape("oak")
    [node, mine] = oak.add(draft("thread/a", THREAD, Meta()), handoff("mine"))
    path = tmp_path / "tape" / "beacon" / "elm.jsonl"
    lines = [{**THEIRS, "id": each.id, "name": "forged"} for each in (node, mine)]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    return oak


def test_no_line_takes_the_place_of_another_machines(forged, make_tape):
    assert names(forged) == names(make_tape("elm")) == ["thread/a", "mine"]


@pytest.mark.parametrize("archive", [False, True])
def test_a_reset_leaves_a_node_whose_id_another_line_has(forged, tmp_path, archive):
    forged.reset(archive=archive)

    assert names(forged) == ["thread/a"]
    own = (tmp_path / "tape/beacon/oak.jsonl").read_text("utf-8")
    assert '"thread/a"' in own


def test_a_node_stays_whatever_another_machine_says_is_deleted(make_tape):
    oak, elm = make_tape("oak"), make_tape("elm")
    [node] = oak.add(draft("thread/a", THREAD, Meta()))

    elm.add(Draft(DELETE, EVENT, {"ids": [node.id]}))

    assert names(oak) == ["thread/a"]


def test_what_nobody_is_known_to_have_made_stands_side_by_side(tape, theirs):
    other = {**THEIRS, "name": "other"}
    lines = [THEIRS, other, {**THEIRS, "sessionId": THEIRS["sessionId"]}]
    theirs.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")

    assert sorted(names(tape)) == ["other", "task/begin"]


def test_a_reset_of_an_empty_tape_writes_nothing(tape, tmp_path):
    assert tape.reset(archive=True).anchors == ()
    assert not (tmp_path / "tape").exists()


def test_thousands_of_anchors_are_moved_aside_in_lines_that_are_read(make_tape):
    tape = make_tape()
    tape.add(*(handoff(str(number)) for number in range(2_500)))

    assert len(tape.reset(archive=True).anchors) == 2_500
    assert names(make_tape("elm")) == []


def test_anchors_with_long_ids_are_deleted_in_lines_that_are_read(tape, theirs):
    lines = [{**THEIRS, "id": f"{each:0400}"} for each in range(900)]
    theirs.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    before = theirs.read_bytes()

    tape.reset(archive=False)

    theirs.write_bytes(before)
    assert names(tape) == []


def test_what_is_moved_aside_lies_in_files_that_are_committed(make_tape, tmp_path):
    tape = make_tape(limit_bytes=1_000)
    tape.add(*(handoff(str(number)) for number in range(30)))

    folder = tmp_path / tape.reset(archive=True).aside

    sizes = [path.stat().st_size for path in folder.iterdir()]
    assert len(sizes) > 3
    assert max(sizes) < 1_300


def test_of_a_large_tape_a_session_waits_for_the_end_only(make_tape, tmp_path):
    oak = make_tape("oak")
    oak.add(handoff("mine"))
    for machine in ("elm", "ash"):
        lines = [
            {**THEIRS, "id": f"{machine}{at}", "name": f"{machine}/{at}"}
            for at in range(20_000)
        ]
        path = tmp_path / "tape" / "beacon" / f"{machine}.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")

    found = {each.name for each in oak.recent()}

    assert oak.is_large()
    assert {"mine", "elm/19999", "ash/19999"} < found
    assert "elm/0" not in found
    assert len(found) < 20_000


def test_a_small_tape_is_known_whole(tape, theirs):
    assert not tape.is_large()
    assert tape.recent() == tape.anchors()


def test_where_there_is_no_tape_nothing_is_written(journal, tmp_path):
    tape = Tape(lambda: journal, lambda: NOW, Shut("tape.enabled is off"))

    with pytest.raises(NotFound, match=r"tape\.enabled is off"):
        tape.add(handoff("a"))
    assert not tape.is_open
    assert not (tmp_path / "tape").exists()
