"""Tags are shown, renamed and tidied, and one undo takes it back."""

import pytest

from gitmem.catalog import refresh as refreshing
from gitmem.errors import (
    DiskFull,
    InvalidMemory,
    NotFound,
    NotGranted,
    StaleWrite,
    UsageError,
)
from gitmem.memory.plans import Merge, Plan, Rename
from gitmem.service import tagging, watermark
from gitmem.service.answers import Visit
from gitmem.service.tag_answers import TagLine

STRICT = {"GITMEM_TAGS__CONTRACT": "strict"}


def write(service, path: str, *tags: str, text: str = "") -> None:
    body = text or f"About {path}.\n"
    service.write(path, f"\n{body}".encode(), {"description": path, "tags": tags})


def files(service) -> dict[str, bytes]:
    tree = service.rooms.tree()
    return {str(path): tree.read(path) for path in tree.walk()}


def subjects(service) -> list[str]:
    return [each.subject for each in service.log(limit=5)]


@pytest.fixture
def tagged(service):
    """Make memories of two layers."""
    write(service, "core/a.md", "deploy", "rsync")
    write(service, "notes/b.md", "Deploy")
    write(service, "notes/c.md", "deploys")
    write(service, "notes/d.md", "other")
    write(service, "notes/e.md")
    write(service, "global/g.md", "deploys")
    service.commit()
    return service


def test_the_table_has_every_tag_with_its_spellings(tagged):
    (project, shared) = tagged.tags.show().layers

    assert (project.layer, project.memories, project.untagged) == ("beacon", 5, 1)
    assert project.tags == (
        TagLine("Deploy", 2, ("deploy",)),
        TagLine("deploys", 1, ()),
        TagLine("other", 1, ()),
        TagLine("rsync", 1, ()),
    )
    assert (shared.layer, shared.tags) == ("global", (TagLine("deploys", 1, ()),))


def test_the_table_is_made_anew_of_the_memories(tagged):
    assert tagged.tags.rebuild("project").layers == tagged.tags.show("project").layers


def test_a_tag_is_renamed_in_every_memory_as_one_commit(tagged):
    before = files(tagged)

    done = tagged.tags.rename("Deploys", "deploy")

    assert subjects(tagged)[0] == "memory(*): rename the tag deploys to Deploy"
    assert [(each.layer, each.new) for each in done.renamed] == [
        ("beacon", "Deploy"),
        ("global", "deploy"),
    ]
    assert [each.is_joined for each in done.renamed] == [True, False]
    assert {hit.path.name for hit in tagged.search(tags=("deploy",), limit=9).hits} == {
        "a.md",
        "b.md",
        "c.md",
        "g.md",
    }
    tagged.undo()
    assert files(tagged) == before


def test_a_tag_is_renamed_in_the_layer_that_is_named(tagged):
    done = tagged.tags.rename("deploys", "ship", layer="global")

    assert [str(each.path) for each in done.changes] == ["global/g.md"]


def test_a_dry_run_changes_nothing(tagged):
    write(tagged, "notes/new.md", "deploys")
    before, log = files(tagged), subjects(tagged)

    done = tagged.tags.rename("deploys", "ship", is_dry=True)

    assert len(done.changes) == 3
    assert done.committed == ""
    assert (files(tagged), subjects(tagged)) == (before, log)


@pytest.mark.parametrize(
    ("old", "new", "error", "said"),
    [
        ("deplos", "x", NotFound, "Tags like it: deploys"),
        ("deploys", "!", UsageError, "is no tag"),
        ("other", "other", UsageError, "called that already"),
    ],
)
def test_a_rename_that_cannot_be_says_why(tagged, old, new, error, said):
    with pytest.raises(error) as caught:
        tagged.tags.rename(old, new)

    assert said in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize("layer", ["all", "elsewhere"])
def test_only_the_layers_of_the_project_are_changed(tagged, layer):
    with pytest.raises(UsageError):
        tagged.tags.rename("deploys", "x", layer=layer)


def test_a_plan_is_one_commit_and_one_undo(tagged):
    before = files(tagged)
    plan = Plan(
        (Merge("core/a.md", ("notes/b.md",)), Merge("nothing.md", ("notes/c.md",))),
        (Rename("deploys", "deploy"),),
    )

    done = tagged.tags.compact(plan)

    assert subjects(tagged)[0] == "memory(*): merge 1 memory and rename 2 tags"
    assert "About notes/b.md." in files(tagged)["beacon/core/a.md"].decode()
    assert "beacon/notes/b.md" not in files(tagged)
    assert done.said == ("no memory nothing.md: nothing goes into it",)
    tagged.undo()
    assert files(tagged) == before


@pytest.mark.parametrize(
    ("layer", "paths"),
    [
        ("project", ["beacon/notes/c.md"]),
        ("global", ["global/g.md"]),
        ("all", ["beacon/notes/c.md", "global/g.md"]),
    ],
)
def test_a_plan_names_a_layer_as_an_option_would(tagged, layer, paths):
    done = tagged.tags.compact(Plan((), (Rename("deploys", "ship", layer),)))

    assert [str(each.path) for each in done.changes] == paths


def test_a_plan_that_names_no_layer_is_told_which_there_are(tagged):
    tagged.delete("global/g.md")

    done = tagged.tags.compact(Plan((), (Rename("deploys", "ship", "nope"),)))

    told = "nope is no layer to be changed here: those are beacon, global"
    assert done.said == (f"deploys is not renamed: {told}",)


def test_what_is_done_is_told_where_there_is_no_room_for_more(tagged, monkeypatch):
    tagged.search("about", limit=1)

    def full(*_, **__):
        raise DiskFull("There is no room.")

    monkeypatch.setattr(refreshing, "refresh", full)
    monkeypatch.setattr(watermark, "write", full)

    done = tagged.tags.compact(Plan((Merge("core/a.md", ("notes/b.md",)),)))

    assert done.committed
    assert done.said == (
        "there is no room to note that it is tidied: There is no room.",
    )
    assert "beacon/notes/b.md" not in files(tagged)
    monkeypatch.undo()
    assert [hit.path.name for hit in tagged.search(tags=("rsync",), limit=9).hits] == [
        "a.md"
    ]
    assert len(tagged.tags.show("project").layers[0].tags) == 4


def test_more_than_a_fifth_goes_only_when_somebody_says_so(tagged):
    before = files(tagged)
    plan = Plan((Merge("core/a.md", ("notes/b.md", "notes/c.md")),))

    with pytest.raises(NotGranted, match="2 of 5 memories of beacon"):
        tagged.tags.compact(plan)
    assert files(tagged) == before
    assert tagged.tags.compact(plan, is_dry=True).removals[0].is_large

    tagged.tags.compact(plan, may_remove=True)

    assert len(files(tagged)) == len(before) - 2


def test_a_memory_that_changes_meanwhile_keeps_all_as_it_is(tagged, monkeypatch):
    real = tagging._done

    def edited(rooms, *given, **named):
        (rooms.root / "beacon/notes/b.md").write_text("an agent was here\n")
        return real(rooms, *given, **named)

    monkeypatch.setattr(tagging, "_done", edited)
    before = files(tagged)

    with pytest.raises(StaleWrite):
        tagged.tags.compact(Plan((Merge("core/a.md", ("notes/b.md",)),)))

    assert files(tagged) == {**before, "beacon/notes/b.md": b"an agent was here\n"}


def test_what_may_not_be_committed_is_left_out(tagged):
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    path = tagged.rooms.root / "beacon/notes/s.md"
    path.write_text(f"---\ndescription: s\ntags: [deploys]\n---\n{secret}\n")

    done = tagged.tags.rename("deploys", "ship")

    assert "beacon/notes/s.md keeps its tags: it is not committed" in done.said[0]
    assert len(done.changes) == 2


def test_what_was_added_counts_from_the_last_tidying_on(tagged):
    assert [each.added for each in tagged.tags.show().layers] == [5, 1]

    tagged.tags.compact(Plan())
    write(tagged, "notes/new.md", "x")
    tagged.move("notes/d.md", "core/d.md")
    (project, shared) = tagged.tags.show().layers

    assert (project.added, shared.added) == (1, 0)
    assert project.tidied_at is not None


def test_where_the_mark_is_lost_every_memory_counts(tagged):
    tagged.tags.compact(Plan())
    (tagged.rooms.state / "tidied.json").write_bytes(b"\xff")

    assert [each.added for each in tagged.tags.show().layers] == [5, 1]


def test_a_mark_of_a_commit_that_is_gone_is_none(tagged):
    text = f'{{"beacon": {{"commit": "{"0" * 40}", "at": "soon"}}}}'
    (tagged.rooms.state / "tidied.json").write_text(text)

    (project,) = tagged.tags.show("project").layers

    assert (project.added, project.tidied_at) == (5, None)


def test_a_start_says_that_tidying_is_due_where_tags_are_the_index(connected):
    service = connected(**STRICT, GITMEM_TAGS__CONSOLIDATE_EVERY="2")
    service.init()
    write(service, "core/a.md", "a")
    assert "since it was tidied" not in service.context().text

    write(service, "core/b.md", "b")

    assert (
        "2 memories came to beacon since it was tidied: look at `gitmem tags`, then"
        " `gitmem tags compact --plan FILE`."
    ) in service.context().text
    assert service.tags.show("project").layers[0].is_due
    service.tags.compact(Plan())
    assert "since it was tidied" not in service.context().text


def test_a_free_contract_is_left_in_peace_at_a_start(connected):
    service = connected(GITMEM_TAGS__CONSOLIDATE_EVERY="1")
    service.init()
    write(service, "core/a.md", "a")

    assert "since it was tidied" not in service.context().text


@pytest.mark.parametrize(
    "tag",
    [
        "serializeConversation",
        "serialize-conversation",
        "serialize_conversation",
        "two words",
        "c#",
        "cafe\u0301",
        "日本語",
        "हिन्दी",
        "\U0001f680 launch",
        "a<b>",
    ],
)
def test_a_tag_copied_out_of_the_start_text_is_found(connected, tag):
    service = connected(GITMEM_DELIVERY__START='["tags"]')
    service.init()
    write(service, "core/a.md", tag)
    write(service, "core/b.md", "another")
    table = service.context().text.split('<memory_tags source="project">\n')[1]
    shown = [
        line for line in table.splitlines() if line[0] == "#" and "other" not in line
    ]

    found = service.search(tags=(shown[0],), limit=5).hits

    assert [str(hit.path) for hit in found] == ["beacon/core/a.md"]


@pytest.fixture
def strict(connected):
    """Make a memory whose tags are held to the strict contract."""
    service = connected(**STRICT)
    service.init()
    write(service, "core/a.md", "one")
    return service


def test_no_verb_takes_a_memory_that_breaks_the_strict_contract(strict):
    with pytest.raises(InvalidMemory, match="There are no tags: give 1 to 3"):
        write(strict, "core/b.md")
    with pytest.raises(InvalidMemory, match="keep at most 3"):
        strict.write("core/a.md", None, {"tags": ["1", "2", "3", "4"]})
    (strict.rooms.root / "beacon/x.md").write_text("---\ndescription: x\n---\n")
    with pytest.raises(InvalidMemory, match="There are no tags"):
        strict.move("x.md", "global/x.md")


def test_an_agent_is_told_at_once_of_tags_that_break_the_strict_contract(strict):
    path = strict.rooms.root / "beacon/core/b.md"
    path.write_text("---\ndescription: b\ntags: [a, b, c, d]\n---\n")

    told = strict.session.wrote(Visit("pi", "s1"), [str(path)])

    assert "There are 4 tags: keep at most 3" in told.text
    codes = [each.code for each in strict.check().checked.findings]
    assert codes == ["bad-tags"]


def test_an_agent_is_not_told_of_many_tags_where_they_are_free(service):
    path = service.rooms.root / "beacon/core/b.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\ndescription: b\ntags: [a, b, c, d]\n---\n")

    assert service.session.wrote(Visit("pi", "s1"), [str(path)]).text == ""
