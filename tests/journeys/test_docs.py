"""What the pages show is what the program prints."""

import re
from pathlib import Path

import pytest

from gitmem.cli.group import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/tutorial.md"]
TAUGHT = sorted(
    [*PAGES, *(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/how-to/*"))]
)
ADDRESS = "git@example.org:me/memory.git"
BLOCK = re.compile(r"```console (\w+)\n(.*?)```", re.DOTALL)
FENCED = re.compile(r"```(?:sh|console \w+)\n(.*?)```", re.DOTALL)
TYPED = re.compile(r"(?:^|^\$ |\| |`)gitmem ([a-z]+)", re.MULTILINE)


def read(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_the_terminal_shows(machine, bare_remote, page, steady):
    machines = {name: machine(name) for name in ("laptop", "desktop")}
    blocks = BLOCK.findall(read(page))

    shown = [
        machines[name].replay(block.replace(ADDRESS, str(bare_remote)))
        for name, block in blocks
    ]

    told = [each.replace(str(bare_remote), "/remote.git") for each in shown]
    assert [each.replace("/remote.git", ADDRESS) for each in told] == [
        steady(block) for _, block in blocks
    ]


@pytest.mark.parametrize("page", TAUGHT)
def test_a_page_names_only_commands_that_there_are(page):
    text = read(page)
    typed = "\n".join([*FENCED.findall(text), *re.findall("`gitmem [^`]+`", text)])

    assert set(TYPED.findall(typed)) - set(COMMANDS) == set()


@pytest.mark.parametrize("page", TAUGHT)
def test_every_link_of_a_page_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)\)", read(page))

    missing = [
        link for link in links if not (ROOT / page).parent.joinpath(link).exists()
    ]

    assert missing == []


def test_the_glossary_has_every_word_once():
    words = re.findall(r"^\| ([a-z ]+) \|", read("docs/glossary.md"), re.MULTILINE)

    assert len(words) == len(set(words)) == 24
