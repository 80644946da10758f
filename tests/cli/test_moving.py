"""Memories are listed, moved and deleted, and nothing of them is lost."""

import pytest

SHIP = "# Ship\n\nSee core/deploy.md for the rest.\n"


@pytest.fixture
def two(gitmem, memory):
    """Make a second memory, which names the first."""
    gitmem(
        *("write", "notes/ship.md", "--description", "how to ship"),
        *("--tag", "deploy", "--tag", "ship"),
        stdin=SHIP,
    )
    return memory


def last_commit(gitmem) -> str:
    return str(gitmem("log", "--limit", "1").out[:12])


def test_the_list_is_one_line_for_each_memory_newest_first(gitmem, two):
    gitmem("write", "core/old.md", "--description", "old", stdin="text\n")

    lines = gitmem("list", "--layer", "project").out.splitlines()

    day = (
        gitmem("read", "core/old.md", "--json").json["text"].split('created: "')[1][:10]
    )
    assert f"beacon/notes/ship.md  {day}  how to ship  #deploy, #ship" in lines
    assert f"beacon/core/old.md  {day}  old" in lines
    assert len(gitmem("list", "--limit", "1").out.splitlines()) == 1


@pytest.mark.parametrize(
    ("tags", "paths"),
    [
        (["deploy"], {"beacon/core/deploy.md", "beacon/notes/ship.md"}),
        (["deploy", "Ship"], {"beacon/notes/ship.md"}),
        (["none"], set()),
    ],
    ids=["one", "both", "unknown"],
)
def test_the_list_can_be_narrowed_by_tags(gitmem, two, tags, paths):
    asked = [part for tag in tags for part in ("--tag", tag)]

    found = gitmem("list", *asked, "--json").json["memories"]

    assert {each["path"] for each in found} == paths


def test_an_empty_list_says_so(gitmem):
    gitmem("init")

    assert gitmem("list").out == "There are no memories here yet.\n"


def test_of_a_tag_that_no_memory_has_the_nearest_are_named(gitmem, two):
    assert gitmem("list", "--tag", "deplo").out == (
        "No memory has #deplo.\nTags like it: #deploy (2)\n"
    )
    assert gitmem("list", "--tag", "deploy", "--tag", "zzz").out.startswith(
        "No memory has each of these tags.\n"
    )
    assert gitmem("list", "--layer", "global").status == 2


def test_a_moved_memory_is_as_it_was_and_who_names_it_is_told(gitmem, two):
    before = (two / "beacon/core/deploy.md").read_bytes()

    said = gitmem("mv", "core/deploy.md", "notes/deploy.md")

    assert said.out == (
        "Moved beacon/core/deploy.md to beacon/notes/deploy.md.\n"
        f"Committed {last_commit(gitmem)}; `gitmem undo` takes it back, "
        "`gitmem sync` sends it.\n"
    )
    assert "beacon/notes/ship.md:" in said.err
    assert said.err.endswith(" names the old path\n")
    assert (two / "beacon/notes/deploy.md").read_bytes() == before
    assert not (two / "beacon/core/deploy.md").exists()


def test_where_a_memory_was_imported_from_is_no_mention_of_it(gitmem, empty_home):
    (empty_home / "store" / "notes").mkdir(parents=True)
    (empty_home / "store" / "notes" / "tea.md").write_text("Tea.\n", "utf-8")
    gitmem("init")
    gitmem("import", str(empty_home / "store"), "--yes")

    said = gitmem("mv", "notes/tea.md", "core/tea.md", "--json")

    assert (said.status, said.err) == (0, "")
    assert said.json["mentions"] == []


def test_a_move_can_be_undone(gitmem, two):
    gitmem("mv", "core/deploy.md", "notes/deploy.md")
    moved = last_commit(gitmem)

    said = gitmem("undo")

    assert said.out.splitlines()[0] == (
        f"Took back {moved} memory(*): move beacon/core/deploy.md to "
        "beacon/notes/deploy.md"
    )
    assert (two / "beacon/core/deploy.md").exists()
    assert not (two / "beacon/notes/deploy.md").exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["core/none.md", "a.md"], "beacon/core/none.md does not exist"),
        (["core/deploy.md", "notes/ship.md"], "beacon/notes/ship.md exists already"),
        (["core/deploy.md", "../x.md"], ""),
    ],
    ids=["none", "taken", "outside"],
)
def test_a_move_that_cannot_be_changes_nothing(gitmem, two, arguments, error):
    said = gitmem("mv", *arguments)

    assert (said.status, said.err[: 7 + len(error)]) == (1, f"error: {error}")
    assert (two / "beacon/core/deploy.md").exists()


def test_a_memory_that_was_never_committed_is_committed_before_it_goes(gitmem, two):
    before = (two / "beacon/core/deploy.md").read_bytes()

    said = gitmem("rm", "core/deploy.md")

    assert said.out == (
        "Deleted beacon/core/deploy.md.\n"
        f"Committed {last_commit(gitmem)}; `gitmem undo` takes it back, "
        "`gitmem sync` sends it.\n"
    )
    assert not (two / "beacon/core/deploy.md").exists()

    gitmem("undo")

    assert (two / "beacon/core/deploy.md").read_bytes() == before


def test_each_deletion_is_a_commit_and_undo_takes_back_the_last_alone(gitmem, two):
    gitmem("rm", "core/deploy.md")
    gitmem("rm", "notes/ship.md")

    gitmem("undo")

    assert [line[32:] for line in gitmem("log").out.splitlines()[1:3]] == [
        "memory(beacon): delete notes/ship.md  (oak, cli)",
        "memory(beacon): delete core/deploy.md  (oak, cli)",
    ]
    assert (two / "beacon/notes/ship.md").exists()
    assert not (two / "beacon/core/deploy.md").exists()


def test_the_history_goes_back_beyond_each_move(gitmem, two):
    gitmem("mv", "core/deploy.md", "notes/deploy.md")
    gitmem("write", "notes/deploy.md", "--description", "how we deploy")
    gitmem("sync")
    gitmem("mv", "notes/deploy.md", "deploy.md")

    said = gitmem("history", "deploy.md").out.splitlines()

    first, second = "beacon/core/deploy.md", "beacon/notes/deploy.md"
    assert [line[32:] for line in said] == [
        f"memory(*): move {second} to beacon/deploy.md  (oak, cli)",
        f"memory(beacon): update notes/deploy.md  (oak, cli)  as {second}",
        f"memory(*): move {first} to {second}  (oak, cli)  as {second}",
        f"memory(beacon): add core/deploy.md, notes/ship.md  (oak, cli)  as {first}",
    ]
    assert len(gitmem("history", "deploy.md", "--limit", "3").out.splitlines()) == 3


def test_a_file_that_may_not_be_committed_is_not_deleted(gitmem, two):
    path = two / "beacon/core/deploy.md"
    path.write_text("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "utf-8")

    said = gitmem("rm", "core/deploy.md")

    assert said.status == 1
    assert "is not committed, so it could not be brought back." in said.err
    assert path.exists()


def test_a_deleted_memory_is_not_found_any_more(gitmem, two):
    gitmem("search", "ship")

    gitmem("rm", "notes/ship.md")

    assert "notes/ship.md" not in gitmem("list").out
    assert gitmem("rm", "notes/ship.md").status == 1
