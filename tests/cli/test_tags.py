"""Tags on the command line: the table, a rename, a plan."""

import json
import os

import pytest

from gitmem.cli.commands import tags


@pytest.fixture
def tagged(gitmem, memory):
    """Make memories whose tags want tidying."""
    for number, tag in enumerate(("deployment", "Deploy", "other", "other", "x y")):
        name = f"notes/{number}.md"
        gitmem("write", name, "--description", name, "--tag", tag, stdin=f"{number}\n")
    gitmem("sync")
    return memory


def plan(tmp_path, **found) -> str:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(found))
    return str(path)


def test_the_table_is_shown_with_what_is_due(gitmem, tagged):
    assert gitmem("tags").out == (
        "beacon: 6 memories, 4 tags\n"
        "     2  #Deploy  also deploy\n"
        "     2  #other\n"
        "     1  #deployment\n"
        "     1  #x y\n"
        "6 memories came since the beginning; it is due at 20.\n"
    )


def test_the_table_names_the_limit_and_what_is_over_due(gitmem, tagged, monkeypatch):
    monkeypatch.setenv("GITMEM_TAGS__CONTRACT", "strict")
    monkeypatch.setenv("GITMEM_TAGS__CONSOLIDATE_EVERY", "5")

    lines = gitmem("tags", "show", "--layer", "project").out.splitlines()

    assert lines[0] == "beacon: 6 memories, 4 tags of at most 200"
    assert lines[-1] == (
        "6 memories came since the beginning: it is due."
        " Tidy with `gitmem tags compact --plan FILE`."
    )


def test_the_table_is_one_document_for_programs(gitmem, tagged):
    (layer,) = gitmem("tags", "rebuild", "--json").json["layers"]

    assert layer["tags"][0] == {"tag": "Deploy", "memories": 2, "others": ["deploy"]}
    assert (layer["memories"], layer["added"], layer["is_due"]) == (6, 6, False)


def test_a_tag_is_renamed_and_one_undo_takes_it_back(gitmem, tagged):
    said = gitmem("tags", "rename", "deployment", "deploy").out

    assert said.startswith(
        "Renamed #deployment to #Deploy, which is there: they are one tag"
        " (1 memory of beacon).\nCommitted "
    )
    assert said.endswith("; `gitmem undo` takes it back.\n")
    assert "\\u" not in said
    assert "#deployment" not in gitmem("tags").out
    gitmem("undo")
    assert "#deployment" in gitmem("tags").out


def test_a_tag_that_is_spelled_alike_is_said_to_be(gitmem, tagged):
    said = gitmem("tags", "rename", "deploy", "Deploy").out
    again = gitmem("tags", "rename", "deploy", "Deploy")

    assert said.startswith(
        "Spelled #Deploy so wherever it stands (1 memory of beacon).\nCommitted "
    )
    assert again.err.startswith("error: deploy is called that already.\n")


def test_a_plan_says_what_it_did_and_what_it_left_out(gitmem, tagged, tmp_path):
    path = plan(
        tmp_path,
        merges=[
            {"keep": "notes/2.md", "drop": ["notes/3.md", "notes/9.md"]},
        ],
        renames=[{"from": "x y", "to": "z"}],
    )

    dry = gitmem("tags", "compact", "--plan", path, "--dry-run")
    done = gitmem("tags", "compact", "--plan", path)

    assert dry.out == (
        "Would merge beacon/notes/3.md into beacon/notes/2.md.\n"
        "Would rename #x y to #z (1 memory of beacon).\n"
        "3 files would change; nothing was done.\n"
    )
    assert done.out.startswith("Merged beacon/notes/3.md into beacon/notes/2.md.\n")
    assert done.err == (
        "notes/9.md does not go into beacon/notes/2.md: there is no such memory\n"
    )
    assert done.status == 0
    assert gitmem("read", "notes/2.md").out.endswith("2\n\nnotes/3.md\n\n3\n")


def test_what_is_left_out_is_told_up_to_a_bound(gitmem, tagged, tmp_path):
    names = [f"notes/none-{number}.md" for number in range(25)]
    path = plan(tmp_path, merges=[{"keep": "notes/0.md", "drop": names}])

    done = gitmem("tags", "compact", "--plan", path)

    assert len(done.err.splitlines()) == 21
    assert done.err.endswith("\n5 more of the plan was left out; --json names all\n")


def test_a_plan_comes_from_standard_input(gitmem, tagged):
    said = gitmem("tags", "compact", "--plan", "-", "--json", stdin="{}").json

    assert said == {
        "is_dry": False,
        "merged": [],
        "renamed": [],
        "removals": [],
        "changes": [],
        "said": [],
        "committed": "",
    }


def test_a_plan_with_a_misspelled_guard_does_nothing(gitmem, tagged, tmp_path):
    merges = [{"keep": "notes/2.md", "drop": ["notes/3.md"]}]
    path = plan(tmp_path, merges=merges, hash={"notes/2.md": "0"})

    refused = gitmem("tags", "compact", "--plan", path)

    assert refused.status == 2
    assert refused.err == (
        "error: The plan has no field hash.\n"
        "hint: Its fields are merges, renames, hashes.\n"
    )
    assert gitmem("read", "notes/3.md").status == 0


def test_a_plan_that_removes_much_asks(gitmem, tagged, tmp_path):
    path = plan(
        tmp_path,
        merges=[{"keep": "notes/0.md", "drop": ["notes/1.md", "notes/2.md"]}],
    )

    refused = gitmem("tags", "compact", "--plan", path)

    assert (refused.status, refused.err) == (
        1,
        (
            "error: The plan would remove 2 of 6 memories of beacon: more than a"
            " fifth.\n"
            "hint: Look at it with --dry-run; if that is meant, say it with --yes.\n"
        ),
    )
    assert gitmem("tags", "compact", "--plan", path, "--yes").status == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("rename", "a"), "`gitmem tags rename` takes OLD and NEW."),
        (("show", "a"), "`gitmem tags show` takes no name."),
        (("compact",), "--plan belongs to `gitmem tags compact`, which needs it."),
        (("--dry-run",), "`gitmem tags show` changes nothing"),
        (("--yes",), "--yes belongs to `gitmem tags compact`."),
        (("tidy",), "'tidy' is not one of"),
    ],
)
def test_what_is_typed_wrongly_is_told(gitmem, memory, line, said):
    found = gitmem("tags", *line)

    assert found.status == 2
    assert said in found.err


def test_a_plan_that_is_none_is_refused(gitmem, memory, tmp_path, monkeypatch):
    path = tmp_path / "plan.json"
    path.write_text("[]")
    not_an_object = gitmem("tags", "compact", "--plan", str(path))
    monkeypatch.setattr(tags, "PLAN_LIMIT_BYTES", 1)
    too_large = gitmem("tags", "compact", "--plan", str(path))
    nowhere = gitmem("tags", "compact", "--plan", str(tmp_path / "none.json"))

    assert "The plan is not an object." in not_an_object.err
    assert "The plan has more than 1 bytes." in too_large.err
    assert [each.status for each in (not_an_object, too_large, nowhere)] == [2, 2, 2]


def test_a_plan_from_a_pipe_that_nobody_writes_to_is_refused(
    gitmem, memory, tmp_path, monkeypatch
):
    monkeypatch.setattr(tags, "PIPE_WAIT_SECONDS", 0.01)
    os.mkfifo(tmp_path / "pipe")

    found = gitmem("tags", "compact", "--plan", str(tmp_path / "pipe"))

    assert found.status == 2
    assert "is a pipe, and nobody writes to it." in found.err
