"""Two machines work on one tape at once, and then sync."""

import pytest

from gitmem.service.weaving import Said

BOTH = ("oak", "elm")


@pytest.fixture
def machines(connected, bare_remote, tmp_path):
    """Two machines that share a memory, a thread, and two anchors."""
    made = {
        name: connected(
            name,
            TMPDIR=str(tmp_path / "temporary"),
            GITMEM_TAPE__ENABLED="true",
            GITMEM_TAPE__ONLY_GIT="false",
        )
        for name in BOTH
    }
    oak, elm = made["oak"], made["elm"]
    oak.init(str(bare_remote))
    oak.tape.handoff("old/one")
    oak.tape.handoff("old/two")
    oak.tape.thread("create", Said(name="deploy", summary="rsync"))
    oak.sync()
    elm.init(str(bare_remote))
    return oak, elm


def exchange(*machines):
    for machine in (*machines, *machines):
        machine.sync()


def names(machine):
    return [each.name for each in machine.rooms.tape().anchors()]


def thread(machine):
    [found] = machine.rooms.tape().threads()
    return found


def test_what_both_append_delete_and_move_at_once_becomes_one_tape(machines):
    oak, elm = machines
    one, two, _ = oak.rooms.tape().anchors()
    oak.tape.handoff("by oak")
    oak.tape.delete([one.id])
    oak.tape.thread("branch", Said(name="oak's way", next=("test it",)))
    elm.tape.handoff("by elm")
    elm.tape.delete([two.id])
    elm.tape.thread("branch", Said(name="elm's way"))

    exchange(oak, elm)

    assert names(oak) == names(elm)
    assert sorted(names(oak)) == [
        *("by elm", "by oak", "thread/deploy", "thread/elm's way", "thread/oak's way")
    ]
    assert thread(oak) == thread(elm)
    found = thread(oak)
    assert {found.node(each).name for each in found.heads} == {"oak's way", "elm's way"}


def test_head_in_two_places_is_asked_about_and_settled(machines):
    oak, elm = machines
    oak.tape.thread("branch", Said(name="oak's way"))
    elm.tape.thread("branch", Said(name="elm's way"))
    exchange(oak, elm)

    with pytest.raises(Exception, match="moved on two machines") as asked:
        oak.tape.thread("branch", Said(name="further"))
    assert "oak's way" in str(asked.value)
    assert "elm's way" in str(asked.value)
    oak.tape.thread("checkout", Said(node="elm's way"))
    elm.sync()
    exchange(oak, elm)

    woven = elm.tape.thread("branch", Said(name="further"))
    [found] = woven.threads
    assert [each.name for each in found.path(found.heads[0])] == [
        *("deploy", "elm's way", "further")
    ]


def test_an_anchor_that_both_delete_stays_deleted(machines):
    oak, elm = machines
    one, *_ = oak.rooms.tape().anchors()
    oak.tape.delete([one.id])
    elm.tape.delete([one.id])

    exchange(oak, elm)

    assert names(oak) == names(elm) == ["old/two", "thread/deploy"]


def test_an_archive_on_one_machine_is_one_for_both(machines):
    oak, elm = machines
    elm.tape.handoff("by elm")
    oak.tape.reset(archive=True)
    exchange(oak, elm)

    assert names(elm) == names(oak)
    assert sorted(names(oak)) == ["by elm", "session/new", "thread/deploy"]


def test_a_deleted_anchor_does_not_come_back_with_an_undo_elsewhere(machines, git):
    oak, elm = machines
    one, *_ = oak.rooms.tape().anchors()
    elm.tape.delete([one.id])
    exchange(oak, elm)
    oak.tape.handoff("by oak")
    oak.commit()
    oak.undo()
    exchange(oak, elm)

    assert "old/one" not in names(oak)
    assert names(oak) == names(elm) == ["old/two", "thread/deploy"]


def test_each_machine_writes_its_own_file_and_no_merge_is_needed(machines, git):
    oak, elm = machines
    oak.tape.handoff("by oak")
    elm.tape.handoff("by elm")
    exchange(oak, elm)

    listed = git("ls-files", "tape", cwd=oak.rooms.root).split()
    assert listed == ["tape/beacon/elm.jsonl", "tape/beacon/oak.jsonl"]
