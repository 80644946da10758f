"""Threads are what the events of all machines make of them."""

from itertools import permutations

import pytest
from tests.tape.conftest import NOW

from gitmem.tape import threads
from gitmem.tape.anchor import THREAD, Meta, draft
from gitmem.tape.record import EVENT, Draft, Record
from gitmem.tape.resume import resume
from gitmem.tape.threads import event, node_meta, replay


def create(tape, title="deploy"):
    tape.add(event(threads.CREATE, None, title=title))
    return tape.threads()[0]


def grow(tape, name, parent="", **said):
    [thread] = tape.threads()
    meta = Meta(summary=f"about {name}", more=node_meta(thread, parent, said))
    [record] = tape.add(draft(f"thread/{name}", THREAD, meta))
    return record.id


def say(tape, kind, **said):
    [thread] = tape.threads()
    tape.add(event(kind, thread, **said))


def journal_of(tape):
    return tape._journal.records()


def only(tape):
    [thread] = tape.threads()
    return thread


def by_name(thread):
    return {node.name: node for node in thread.nodes}


def heads(tape):
    thread = only(tape)
    return {node.name for node in thread.nodes if node.id in thread.heads}


def test_a_thread_begins_with_its_title(tape):
    thread = create(tape)

    assert (thread.title, thread.nodes, thread.heads) == ("deploy", (), ())


def test_a_node_that_is_added_is_head(tape):
    create(tape)
    root = grow(tape, "root")
    grow(tape, "branch", root)

    assert heads(tape) == {"branch"}
    assert [each.name for each in only(tape).path(only(tape).heads[0])] == [
        *("root", "branch")
    ]
    assert by_name(only(tape))["root"].summary == "about root"


def test_head_goes_where_it_is_set(tape):
    create(tape)
    root = grow(tape, "root")
    grow(tape, "branch", root)
    say(tape, threads.HEAD, node=root)

    assert heads(tape) == {"root"}


def test_what_grows_grows_and_the_rest_says_how_it_stands(tape):
    create(tape)
    node = grow(tape, "root", decisions=["use rsync"], next=["test it"])
    say(tape, threads.UPDATE, node=node, decisions=["no ftp"], next=["ship it"])
    say(tape, threads.UPDATE, node=node, summary="nearly done", state="done")

    [found] = only(tape).nodes
    assert found.decisions == ("use rsync", "no ftp")
    assert found.next == ("ship it",)
    assert (found.summary, found.state) == ("nearly done", "done")


def test_a_thread_is_archived_until_it_is_worked_on(tape):
    create(tape)
    node = grow(tape, "root")
    say(tape, threads.RETIRE)
    was_archived = only(tape).is_archived
    say(tape, threads.HEAD, node=node)

    assert was_archived
    assert not only(tape).is_archived


@pytest.fixture
def parted(make_tape, tmp_path):
    """Two machines that know a thread, and not what the other does from now on."""
    oak, elm = make_tape("oak"), make_tape("elm")
    create(oak)
    root = grow(oak, "root", decisions=["a"])

    def apart(by_oak, by_elm):
        """Let both work on what they know, then see what the other wrote."""
        folder = tmp_path / "tape/beacon"
        mine = (folder / "oak.jsonl").read_bytes()
        by_oak(oak, root)
        theirs = (folder / "oak.jsonl").read_bytes()
        (folder / "oak.jsonl").write_bytes(mine)
        by_elm(elm, root)
        (folder / "oak.jsonl").write_bytes(theirs)
        assert oak.threads() == elm.threads()
        return oak

    return apart


def test_two_machines_that_branch_at_once_have_two_heads(parted):
    tape = parted(
        lambda tape, root: grow(tape, "by oak", root),
        lambda tape, root: grow(tape, "by elm", root),
    )

    assert heads(tape) == {"by oak", "by elm"}


def test_a_checkout_settles_two_heads(parted):
    tape = parted(
        lambda tape, root: grow(tape, "by oak", root),
        lambda tape, root: grow(tape, "by elm", root),
    )
    say(tape, threads.HEAD, node=by_name(only(tape))["by elm"].id)

    assert heads(tape) == {"by elm"}


def test_what_two_machines_say_of_a_node_is_kept(parted):
    tape = parted(
        lambda tape, node: say(tape, threads.UPDATE, node=node, next=["oak's"]),
        lambda tape, node: say(
            tape, threads.UPDATE, node=node, next=["elm's"], decisions=["b"]
        ),
    )

    [node] = only(tape).nodes
    assert set(node.next) == {"oak's", "elm's"}
    assert node.decisions == ("a", "b")


def test_work_on_one_machine_is_not_archived_by_another(parted):
    tape = parted(
        lambda tape, _: say(tape, threads.RETIRE),
        lambda tape, root: grow(tape, "by elm", root),
    )

    assert not only(tape).is_archived


def test_clocks_decide_nothing_that_was_seen():
    made = Record("t", NOW, threads.CREATE, EVENT, {"title": "deploy"})
    root = Record("n", NOW.replace(year=2031), "thread/root", THREAD, _seen("t"))
    moved = Record(
        "h", NOW.replace(year=2020), threads.HEAD, EVENT, {**_seen("n"), "node": "n"}
    )

    for order in permutations([made, root, moved]):
        [thread] = replay(order)
        assert thread.seen == ("h",)
        assert thread.heads == ("n",)


def _seen(before):
    return {"event": threads.ADD, "thread": "t", "after": [before]}


def test_events_that_claim_to_have_seen_each_other_still_stand():
    made = Record("t", NOW, threads.CREATE, EVENT, {"title": "deploy"})
    first = Record("a", NOW, "thread/a", THREAD, _seen("b"))
    second = Record("b", NOW, "thread/b", THREAD, _seen("a"))

    [thread] = replay([made, first, second])

    assert [each.name for each in thread.nodes] == ["a", "b"]


@pytest.mark.parametrize(
    "meta",
    [
        {"thread": "unknown"},
        {"thread": ["t"]},
        {"thread": "t", "after": "n", "node": 7},
        {"thread": "t", "after": [None, {}], "node": "unknown"},
    ],
    ids=["no such thread", "odd thread", "odd after", "odd node"],
)
def test_an_odd_event_moves_nothing(meta):
    made = Record("t", NOW, threads.CREATE, EVENT, {"title": "deploy"})
    odd = Record("o", NOW, threads.HEAD, EVENT, meta)

    [thread] = replay([made, odd])

    assert thread.heads == ()


def test_a_path_that_goes_in_a_circle_ends():
    made = Record("t", NOW, threads.CREATE, EVENT, {"title": "deploy"})
    first = Record("a", NOW, "thread/a", THREAD, {**_seen("t"), "parent": "b"})
    second = Record("b", NOW, "thread/b", THREAD, {**_seen("t"), "parent": "a"})

    [thread] = replay([made, first, second])

    assert [each.id for each in thread.path("b")] == ["a", "b"]


def test_one_goes_on_with_what_stands_between_root_and_head(tape):
    create(tape)
    root = grow(tape, "root", decisions=["a"], files=["gone.py", "kept.py"])
    grow(tape, "other", root, decisions=["not this one"])
    head = grow(tape, "head", root, decisions=["b"], memories=["core/x.md"])
    say(tape, threads.UPDATE, node=root, next=["ship it"])

    found = resume(only(tape), head, lambda name: name == "kept.py", 4000)

    assert [each.name for each in found.path] == ["root", "head"]
    assert found.decisions == ("a", "b")
    assert found.next == ("ship it",)
    assert (found.files, found.gone, found.memories) == (
        *(("kept.py",), ("gone.py",)),
        ("core/x.md",),
    )
    assert found.left_out == 0


def test_the_latest_is_kept_in_a_small_budget(tape):
    create(tape)
    last = ""
    for number in range(50):
        last = grow(tape, f"node {number}", last, decisions=[f"decision {number}"])

    found = resume(only(tape), last, lambda _: True, 300)

    assert found.path[-1].name == "node 49"
    assert found.decisions[-1] == "decision 49"
    assert found.left_out == 100 - len(found.path) - len(found.decisions)
    assert sum(len(each.name + each.summary) for each in found.path) < 300


def test_a_line_of_another_program_is_no_event(tape):
    tape.add(draft("thread/theirs", THREAD, Meta(more={"thread": "t"})))
    tape.add(Draft("thread.unheard", EVENT, {"thread": "t"}))

    assert tape.threads() == ()


def test_parents_that_lead_in_a_circle_hide_no_node(tape):
    create(tape)
    first = grow(tape, "first")
    [thread] = tape.threads()
    made = [
        Record(f"c{at}", NOW, f"thread/c{at}", THREAD, node_meta(thread, parent, {}))
        for at, parent in enumerate(["c1", "c0", "c1", "c3", first])
    ]
    [thread] = replay([*journal_of(tape), *made])

    shown = [(node.id, depth) for node, depth in thread.tree()]
    assert sorted(shown) == sorted(
        [(first, 0), ("c0", 0), ("c1", 1), ("c2", 2), ("c3", 0), ("c4", 1)]
    )


def test_a_head_that_names_no_node_leaves_it_where_it_was(tape):
    create(tape)
    grow(tape, "root")
    say(tape, threads.HEAD, node="nowhere")

    assert heads(tape) == {"root"}


def test_a_thread_of_thousands_of_nodes_is_walked_without_end():
    made = [Record("t", NOW, threads.CREATE, EVENT, {"title": "long"})]
    for at in range(5_000):
        said = {"event": threads.ADD, "thread": "t", "after": [made[-1].id]}
        parent = {"parent": f"n{at - 1}"}
        made.append(Record(f"n{at}", NOW, f"thread/{at}", THREAD, {**said, **parent}))

    [thread] = replay(made)

    assert [depth for _, depth in thread.tree()] == list(range(5_000))
    assert len(thread.path("n4999")) == 5_000
    assert thread.heads == ("n4999",)


def test_a_thread_with_thousands_of_forged_events_can_be_gone_on_with(tape):
    create(tape)
    [thread] = tape.threads()
    forged = Draft(threads.UPDATE, EVENT, {"thread": thread.id, "summary": "x"})
    tape.add(*(forged for _ in range(20_000)))

    grow(tape, "root")

    assert heads(tape) == {"root"}
