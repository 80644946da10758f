"""Links of a store lead to the same files here, whatever became of their names."""

from pathlib import Path

import pytest
from tests.importers.conftest import memories
from tests.service.conftest import Connect

from gitmem.service.importing import Imported
from gitmem.service.service import Service

MINE = b"---\ndescription: mine\n---\n\nMine.\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def put(folder: Path, **texts: str) -> None:
    """Write notes; `sub__a` is the file `sub/a.md`."""
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ndescription: {path.stem}\n---\n\n{text}", newline="")


def text(service: Service, path: str) -> str:
    return memories(service)[path].partition("\n---\n\n")[2]


def warned(done: Imported, origin: str) -> tuple[str, ...]:
    (step,) = [each for each in done.steps if each.origin == origin]
    return step.warnings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("See [d](core/deploy.md).\n", "See [d](core/deploy-2.md).\n"),
        ("[d](<core/deploy.md>)\r\n\r\nx\r\n", "[d](<core/deploy-2.md>)\r\n\r\nx\r\n"),
        ("[d](./core/deploy.md#part 'T')\n", "[d](core/deploy-2.md#part 'T')\n"),
        ("[d]: core/deploy.md 'T'\n", "[d]: core/deploy-2.md 'T'\n"),
        ("[[deploy]], [[core/deploy|how]]\n", "[[deploy-2]], [[core/deploy-2|how]]\n"),
        ("`x` ![[Deploy.md#part]]\n", "`x` ![[deploy-2.md#part]]\n"),
    ],
    ids=["inline", "angled", "part", "definition", "wiki", "embedded"],
)
def test_a_link_to_what_got_a_number_leads_to_it(
    service: Service, notes: Path, before: str, after: str
) -> None:
    service.write("beacon/core/deploy.md", MINE)
    put(notes, start=before, core__deploy="Theirs.\n")
    done = service.imports.carry_out(notes, "folder")

    assert text(service, "beacon/start.md") == after
    assert "core/deploy" in warned(done, "start.md")[0] or "[[" in before
    assert "deploy-2" in warned(done, "start.md")[0]


@pytest.mark.parametrize(
    "words",
    [
        "`[d](core/deploy.md)`\n",
        "```\n[d](core/deploy.md) [[deploy]]\n```\n",
        "[d](https://example.org/core/deploy.md) [x](gone.md) [[gone]]\n",
        "[o](other.md) [o](core/../other.md) [[other]]\n",
    ],
    ids=["code", "block", "elsewhere", "right"],
)
def test_what_leads_there_already_or_is_no_link_keeps_every_byte(
    service: Service, notes: Path, words: str
) -> None:
    service.write("beacon/core/deploy.md", MINE)
    put(notes, start=words, core__deploy="Theirs.\n", other="Other.\n")
    done = service.imports.carry_out(notes, "folder")

    assert text(service, "beacon/start.md") == words
    assert warned(done, "start.md") == ()


def test_a_link_to_a_name_that_no_windows_has_leads_to_its_new_name(
    service: Service, notes: Path
) -> None:
    put(notes, todo="[c](sub/CON.md), [[CON]]\n", sub__CON="[t](../todo.md)\n")
    done = service.imports.carry_out(notes, "folder")

    assert text(service, "beacon/todo.md") == (
        "[c](sub/project-CON.md), [[project-CON]]\n"
    )
    assert text(service, "beacon/sub/project-CON.md") == "[t](../todo.md)\n"
    (said,) = warned(done, "sub/CON.md")

    assert said.startswith("sub/CON.md: it is the name of a device on Windows, so")


def test_links_of_a_memory_that_is_put_elsewhere_lead_where_they_led(
    service: Service, notes: Path
) -> None:
    put(notes, PROJECT="[o](other.md) [d](docs/e%20f.md)\n", other="Other.\n")
    put(notes / "docs", **{"e f": "E.\n"})
    service.imports.carry_out(notes, "folder")

    assert text(service, "beacon/notes/PROJECT.md") == (
        "[o](../other.md) [d](../docs/e%20f.md)\n"
    )


def test_links_between_layers_lead_to_the_shared_one_by_its_name_here(
    service: Service, stores: Path
) -> None:
    store = stores / "pi-memory-md/memory-md"
    put(store, website__core__links="[u](../../global/USER.md) [c](core/USER.md)\n")
    service.write("global/USER.md", MINE)
    service.imports.carry_out(store)

    assert text(service, "website/core/links.md") == (
        "[u](../../global/USER-2.md) [c](core/USER.md)\n"
    )


def test_the_index_that_was_told_leads_to_the_files_that_it_names(
    service: Service, notes: Path
) -> None:
    (notes / "MEMORY.md").write_text("Read [a](a.md) first.\n")
    put(notes, a="A.\n")
    service.imports.carry_out(notes, "claude-code")

    assert text(service, "beacon/MEMORY.md") == "Read [a](core/a.md) first.\n"


def test_a_new_memory_links_to_where_an_older_import_was_moved(
    service: Service, notes: Path
) -> None:
    put(notes, a="A.\n")
    service.imports.carry_out(notes, "folder")
    service.move("beacon/a.md", "beacon/core/of-mine.md")
    put(notes, b="[a](a.md)\n")
    service.imports.carry_out(notes, "folder")

    assert text(service, "beacon/b.md") == "[a](core/of-mine.md)\n"


def test_links_that_cannot_be_decided_on_stay_and_are_told(
    service: Service, notes: Path
) -> None:
    service.write("beacon/x/deploy.md", MINE)
    service.write("beacon/own.md", MINE)
    put(notes, start="[[deploy]] [o](own.md)\n", x__deploy="X.\n", y__deploy="Y.\n")
    done = service.imports.carry_out(notes, "folder")

    assert text(service, "beacon/start.md") == "[[deploy]] [o](own.md)\n"
    assert warned(done, "start.md") == (
        "its link deploy may lead to another memory here",
        "its link own.md leads to your beacon/own.md",
    )


def test_a_name_that_no_wiki_link_can_hold_leaves_the_link_and_is_told(
    service: Service, notes: Path
) -> None:
    put(notes, a="A.\n")
    service.imports.carry_out(notes, "folder")
    service.move("beacon/a.md", "beacon/a [old].md")
    put(notes, b="[[a]]\n")
    done = service.imports.carry_out(notes, "folder")

    assert text(service, "beacon/b.md") == "[[a]]\n"
    assert warned(done, "b.md") == ("its link a cannot name beacon/a [old].md",)


def test_a_plan_tells_the_links_that_an_import_writes(
    service: Service, notes: Path
) -> None:
    service.write("beacon/z.md", MINE)
    put(notes, a="[z](z.md)\n", z="Z.\n")
    planned = service.imports.plan(notes, "folder")
    done = service.imports.carry_out(notes, "folder")

    assert warned(planned, "a.md") == ("links lead to the new names: z.md -> z-2.md",)
    assert planned.steps == done.steps
    assert not service.imports.plan(notes, "folder").has_work


def test_both_sides_of_a_sync_know_what_was_linked_anew(
    connected: Connect, bare_remote: Path, notes: Path
) -> None:
    oak, elm = connected("oak"), connected("elm")
    oak.init(str(bare_remote))
    oak.write("beacon/z.md", MINE)
    put(notes, a="[z](z.md)\n", z="Z.\n")
    oak.imports.carry_out(notes, "folder")
    oak.sync()
    elm.init(str(bare_remote))

    assert not elm.imports.plan(notes, "folder").has_work
