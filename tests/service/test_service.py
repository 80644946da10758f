"""Every verb delegates, and what one wrote the next one finds."""

from pathlib import PurePosixPath

import pytest

from gitmem.catalog.ripgrep import Kind
from gitmem.errors import (
    InvalidMemory,
    NoRepository,
    NotFound,
    PathRefused,
    StaleWrite,
    UsageError,
)
from gitmem.memory.draft import Draft
from gitmem.service import writing
from gitmem.service.answers import Visit

DEPLOY = (
    b"---\ndescription: how to deploy\ntags: [deploy]\n---\n\nShip with make ship.\n"
)
FIELDS = {"description": "how to deploy", "tags": ["deploy"]}


@pytest.mark.parametrize(
    "verb",
    [
        lambda service: service.read("core/a.md"),
        lambda service: service.write("core/a.md", b"x"),
        lambda service: service.search("x", limit=1),
        lambda service: service.grep("x", Kind.RG, limit=1),
        lambda service: service.context(),
        lambda service: service.sync(),
        lambda service: service.log(limit=1),
        lambda service: service.check(),
    ],
    ids=["read", "write", "search", "grep", "context", "sync", "log", "check"],
)
def test_a_verb_without_a_repository_says_how_to_get_one(connected, verb):
    with pytest.raises(NoRepository, match="no memory repository") as raised:
        verb(connected())

    assert "gitmem init" in raised.value.hint


def test_the_path_is_known_before_there_is_a_repository(connected, tmp_path):
    service = connected()

    memory = tmp_path / "oak" / "gitmem" / "data" / "memory"
    assert service.path() == memory
    assert service.path("project") == memory / "beacon"
    assert service.path("global") == memory / "global"


def test_a_shared_layer_that_is_not_set_has_no_path(connected):
    service = connected(GITMEM_MEMORY_DIR__GLOBAL_MEMORY="")

    with pytest.raises(NotFound, match="no shared layer"):
        service.path("global")


def test_a_document_is_written_as_it_is(service):
    stored = service.write("core/deploy.md", DEPLOY)

    assert stored.path == PurePosixPath("beacon/core/deploy.md")
    assert service.read("core/deploy.md").data == (
        b"---\ndescription: how to deploy\ntags: [deploy]\n"
        b'created: "2026-03-02"\nupdated: "2026-03-02"\n---\n\nShip with make ship.\n'
    )


def test_a_text_gets_the_fields_that_are_given_with_it(service):
    service.write("core/deploy.md", b"Ship with make ship.\n", FIELDS)

    assert (
        service.search(tags=("deploy",), limit=1).hits[0].description == "how to deploy"
    )


def test_fields_alone_leave_the_text(service):
    service.write("core/deploy.md", DEPLOY)

    service.write("core/deploy.md", None, {"tags": ["make"]})

    assert service.read("core/deploy.md").data.endswith(b"\n\nShip with make ship.\n")


def test_a_write_is_found_by_the_next_search(service):
    service.search("ship", limit=1)
    service.write("core/deploy.md", DEPLOY)

    found = service.search("ship", limit=1)

    assert [str(hit.path) for hit in found.hits] == ["beacon/core/deploy.md"]


def test_a_write_commits_nothing(service):
    service.write("core/deploy.md", DEPLOY)

    assert len(service.log(limit=9)) == 1
    assert service.status().uncommitted == 1


def test_a_commit_names_machine_host_and_session(service):
    service.write("core/deploy.md", DEPLOY)
    service.sync()

    newest = service.log(limit=1)[0]

    assert (newest.machine, newest.host, newest.session) == ("oak", "pi", "s1")


def test_a_version_is_read_and_restored(service):
    service.write("core/deploy.md", DEPLOY)
    service.sync()
    service.write("core/deploy.md", b"Never ship.\n")
    service.sync()

    old = service.read("core/deploy.md", "HEAD~1")
    service.restore("core/deploy.md", "HEAD~1")

    assert old.data.endswith(b"Ship with make ship.\n")
    assert service.read("core/deploy.md").data == old.data
    assert len(service.history("core/deploy.md", limit=9)) == 3


def test_a_deleted_memory_has_a_history(service):
    stored = service.write("core/deploy.md", DEPLOY)
    service.sync()
    (service.path() / stored.path).unlink()
    service.sync()

    assert len(service.history("core/deploy.md", limit=9)) == 2


def test_an_unknown_memory_has_no_history(service):
    with pytest.raises(NotFound, match="no commit ever held it"):
        service.history("core/nothing.md", limit=9)


def test_undo_takes_the_last_commit_back(service):
    service.write("core/deploy.md", DEPLOY)
    service.sync()

    service.undo()

    assert not (service.path("project") / "core" / "deploy.md").exists()


def test_other_layers_are_counted_and_searched_when_named(connected, service):
    service.write("core/deploy.md", DEPLOY)
    other = connected(project="lantern")
    other.write("core/own.md", b"Ships sail.\n", {"description": "ships"})

    here = other.search("ship", limit=5)
    there = other.search("ship", layer="beacon", limit=5)
    everywhere = other.search("ship", layer="all", limit=5)

    assert [hit.layer for hit in here.hits] == ["lantern"]
    assert [(each.layer, each.hits) for each in here.elsewhere] == [("beacon", 1)]
    assert [hit.layer for hit in there.hits] == ["beacon"]
    assert {hit.layer for hit in everywhere.hits} == {"beacon", "lantern"}


@pytest.mark.parametrize("layer", ["project", "all", "beacon"])
def test_a_pattern_is_looked_for_in_a_layer(service, layer):
    service.write("core/deploy.md", DEPLOY)

    found = service.grep(r"make \w+", Kind.GREP, layer=layer, limit=5)

    assert [line.text for line in found.lines] == ["Ship with make ship."]


def test_a_layer_without_a_folder_has_no_lines(service):
    assert service.grep("x", Kind.RG, layer="global", limit=5).lines == ()


def test_an_unknown_layer_is_named(service):
    with pytest.raises(UsageError, match="no layer 'attic'"):
        service.search("x", layer="attic", limit=5)


def test_a_session_is_told_the_same_until_it_is_refreshed(service):
    service.write("core/deploy.md", DEPLOY)
    first = service.context("s1", "pi")
    service.write("core/stack.md", b"Python.\n", {"description": "the stack"})

    again = service.context("s1", "pi")
    other = service.context("s2", "pi")
    service.refresh("s1", "pi")
    refreshed = service.context("s1", "pi")

    assert (again.text, again.is_snapshot) == (first.text, True)
    assert "the stack" not in first.text
    assert "the stack" in other.text
    assert refreshed.text == other.text


def test_the_start_text_has_pinned_memories_first_and_no_claims_or_copies(service):
    service.write("core/a.md", b"a\n", {"description": "a"})
    service.write("core/b.md", b"b\n", {"description": "b", "priority": "high"})
    copy = service.path("project") / "core" / "a.conflict-0123abcd.md"
    copy.write_text("the other side\n", "utf-8")
    (service.path("project") / "PROJECT.md").write_text("# beacon\n", "utf-8")

    told = service.context().text

    paths = [line[8:] for line in told.splitlines() if line.startswith("- path: ")]
    assert paths == ["core/b.md", "core/a.md"]


def test_an_agent_is_told_its_notes_even_if_nothing_can_be_synced(service, git):
    service.write("core/deploy.md", DEPLOY)
    git("config", "core.fsmonitor", "touch x", cwd=service.path())

    told = service.context().text

    assert "how to deploy" in told
    assert "cannot be synced as it is: run `gitmem doctor`." in told


def test_nothing_is_given_at_a_turn_where_nothing_came_up(service):
    assert service.session.turn(Visit("pi", "s1"), "how").text == ""


def test_check_mends_only_when_asked(service):
    service.write("core/deploy.md", DEPLOY)
    path = service.path("project") / "core" / "deploy.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    found = service.check("beacon/core")
    fixed = service.check("beacon/core", fix=True)

    assert [each.code for each in found.checked.findings] == ["byte-order-mark"]
    assert found.mended == ()
    assert [each.codes for each in fixed.mended] == [("byte-order-mark",)]
    assert fixed.checked.findings == ()


def test_check_takes_a_full_path_below_the_root_and_no_other(service):
    service.write("core/deploy.md", DEPLOY)

    inside = service.check(str(service.path("project")))

    assert inside.checked.memories == 1
    with pytest.raises(PathRefused, match="outside the memory repository"):
        service.check("/etc")


def test_two_projects_with_one_name_do_not_share_a_layer(connected, git, tmp_path):
    here, there = connected(project="a/beacon"), connected(project="b/beacon")
    git("init", "--quiet", tmp_path / "oak/a/beacon", cwd=tmp_path)
    git("init", "--quiet", tmp_path / "oak/b/beacon", cwd=tmp_path)
    for name in ("a", "b"):
        url = f"https://git.example.org/{name}/beacon.git"
        git("remote", "add", "origin", url, cwd=tmp_path / "oak" / name / "beacon")
    here, there = connected(project="a/beacon"), connected(project="b/beacon")
    here.init()

    first = here.write("core/x.md", b"x\n", FIELDS)
    second = there.write("core/x.md", b"x\n", FIELDS)

    assert str(first.path) == "beacon/core/x.md"
    assert str(second.path) == "b-beacon/core/x.md"


def test_what_was_proposed_is_carried_out_over_nothing_else(service):
    draft = Draft(FIELDS, "Ship with make ship.\n")
    proposed = writing.propose(service.rooms, "core/deploy.md", draft, None)
    service.write("core/deploy.md", DEPLOY)

    with pytest.raises(StaleWrite, match="exists by now"):
        writing.carry_out(service.rooms, draft, proposed)

    assert service.read("core/deploy.md").data.startswith(DEPLOY[:40])


def test_a_proposal_without_text_makes_no_memory(service):
    with pytest.raises(InvalidMemory, match="no text to write"):
        writing.propose(service.rooms, "core/deploy.md", Draft(FIELDS), None)


def test_the_newest_memories_of_this_project_are_listed(service):
    service.write("core/deploy.md", DEPLOY)
    service.write("global/USER.md", DEPLOY)

    assert {row.path.name for row in service.newest(limit=10)} == {
        "deploy.md",
        "USER.md",
    }
    assert len(service.newest(limit=1)) == 1
