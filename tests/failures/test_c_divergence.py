"""Divergence and conflicts: both sides stay, and nobody is stopped by the other."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.sync.conftest import numbered, settled, write_all

HEAD = "---\ndescription: {0}\ntags: [{1}]\nupdated: 2026-01-0{2}\n---\n"


def both_hold(pair, *texts: bytes) -> bool:
    return all(text in machine.text() for machine in pair for text in texts)


def copies(machine) -> list[str]:
    return [name for name in machine.tree() if ".conflict-" in name]


def test_21_machines_that_push_at_once_all_get_through(machine, bare_remote):
    machines = [machine(f"m{number}") for number in range(4)]
    for each in machines:
        each.cycle()
        each.write(f"{each.options.author.machine}.md", "x\n")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda each: each.engine.cycle(), machines))
    settled(machines, rounds=1)

    assert {f"m{number}.md" for number in range(4)} <= set(machines[3].tree())


@pytest.mark.parametrize(
    ("key", "text"), [("pull.ff", "only"), ("pull.rebase", "true")], ids=str
)
def test_22_and_23_histories_that_parted_meet_however_pull_is_set(pair, git, key, text):
    first, second = pair
    git("config", "--global", key, text, cwd=first.root)
    first.write("a.md", "a\n")
    first.engine.commit()
    second.write("b.md", "b\n")
    second.cycle()

    settled(pair)

    assert first.tree() == second.tree()
    assert {"a.md", "b.md"} <= set(first.tree())


def test_24_one_conflict_stops_no_other_note(pair):
    first, second = pair
    first.write("f.md", "base\n")
    settled(pair)
    second.write("f.md", "theirs\n")
    write_all(second, numbered(10))
    second.cycle()
    first.write("f.md", "ours\n")

    first.cycle()

    assert numbered(10).keys() <= first.tree().keys()
    assert len(copies(first)) == 1


def test_25_no_marker_lands_in_a_memory(pair):
    first, second = pair
    first.write("f.md", HEAD.format("base", "a", 1))
    settled(pair)
    first.write("f.md", HEAD.format("ours", "a", 2))
    second.write("f.md", HEAD.format("theirs", "a", 3))

    settled(pair)

    assert b"<<<<<<<" not in first.text()
    assert first.read("f.md") == HEAD.format("theirs", "a", 3)
    assert both_hold(pair, b"ours", b"theirs")


def test_26_both_sides_of_one_line_are_found_on_both_machines(pair):
    first, second = pair
    first.write("f.md", "base\n")
    settled(pair)
    first.write("f.md", "written here\n")
    second.write("f.md", "written there\n")

    settled(pair)

    assert first.tree() == second.tree()
    assert both_hold(pair, b"written here", b"written there")


def test_27_a_date_that_every_machine_writes_is_no_conflict(pair):
    first, second = pair
    first.write("f.md", HEAD.format("base", "a", 1))
    settled(pair)
    first.write("f.md", HEAD.format("base", "a", 2))
    second.write("f.md", HEAD.format("base", "a", 3))

    settled(pair)

    assert copies(first) == []
    assert first.read("f.md") == second.read("f.md") == HEAD.format("base", "a", 3)


def test_28_a_record_that_both_appended_is_there_once(pair):
    first, second = pair
    first.write("log.jsonl", '{"id": 1}\n')
    settled(pair)
    first.write("log.jsonl", '{"id": 1}\n{"id": 2}\n{"id": 3}\n')
    second.write("log.jsonl", '{"id": 1}\n{"id": 2}\n{"id": 4}\n')

    settled(pair)

    ids = [json.loads(line)["id"] for line in first.read("log.jsonl").splitlines()]
    assert sorted(ids) == [1, 2, 3, 4]


def test_29_no_field_is_doubled_even_where_union_is_asked_for(pair):
    first, second = pair
    first.write(".gitattributes", "*.md merge=union\n")
    first.write("f.md", HEAD.format("base", "a", 1))
    settled(pair)
    first.write("f.md", HEAD.format("base", "a, b", 2))
    second.write("f.md", HEAD.format("base", "a, c", 3))

    settled(pair)

    assert first.read("f.md").count("updated:") == 1
    assert first.read("f.md").count("tags:") == 1
    assert all(tag in first.read("f.md") for tag in "abc")


def test_30_a_merge_driver_that_nobody_configured_is_not_missed(pair):
    first, second = pair
    first.write(".gitattributes", "*.md merge=frontmatter\n")
    first.write("f.md", "one\n\ntwo\n\nthree\n")
    settled(pair)
    first.write("f.md", "ONE\n\ntwo\n\nthree\n")
    second.write("f.md", "one\n\ntwo\n\nTHREE\n")

    settled(pair)

    assert second.read("f.md") == "ONE\n\ntwo\n\nTHREE\n"
    assert copies(second) == []


def test_31_a_new_note_stays_in_the_folder_where_it_was_put(pair):
    first, second = pair
    write_all(first, numbered(3, "x"))
    settled(pair)
    (first.root / "x").rename(first.root / "y")
    second.write("x/new.md", "new\n")

    settled(pair)

    assert "x/new.md" in first.tree()
    assert first.tree() == second.tree()


def test_32_an_edit_beats_a_deletion(pair):
    first, second = pair
    first.write("f.md", "base\n")
    settled(pair)
    first.delete("f.md")
    second.write("f.md", "edited\n")

    settled(pair)

    assert first.read("f.md") == second.read("f.md") == "edited\n"


def test_33_a_conflict_ends_no_command(pair, gitmem):
    first, second = pair
    first.write("f.md", "base\n")
    settled(pair)
    second.write("f.md", "theirs\n")
    second.cycle()
    first.write("f.md", "ours\n")

    done = gitmem(first, "sync", "--json")

    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["copies"]) == 1


def test_34_records_without_a_last_line_end_are_not_glued(pair):
    first, second = pair
    first.write("log.jsonl", '{"id": 1}')
    settled(pair)
    first.write("log.jsonl", '{"id": 1}\n{"id": 2}')
    second.write("log.jsonl", '{"id": 1}\n{"id": 3}')

    settled(pair)

    ids = [json.loads(line)["id"] for line in first.read("log.jsonl").splitlines()]
    assert sorted(ids) == [1, 2, 3]
