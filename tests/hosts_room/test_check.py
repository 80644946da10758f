"""A host that is there is found, and what keeps gitmem from working in it is said."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gitmem.hosts import check


@pytest.fixture
def look(person, tmp_path):
    """Put programs on PATH that say a version, and look at the hosts."""
    programs = tmp_path / "programs"
    programs.mkdir()

    def find(**versions: str) -> dict[str, check.Standing]:
        for name, script in versions.items():
            program = programs / name
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)
        environment = {"PATH": f"{programs}:/usr/bin:/bin"}
        where = person.where("")
        found = check.hosts(where, person.installation, environment)
        return {each.name: each for each in found}

    return find


def test_a_host_that_is_not_there_is_not_found(look):
    found = look()

    assert set(found) == {"claude-code", "pi", "codex", "opencode"}
    assert {each.program for each in found.values()} == {None}
    assert not any(each.is_installed for each in found.values())


def test_a_host_says_its_version_wherever_it_says_it(look):
    found = look(claude="echo '2.1.332 (Claude Code)'", pi="echo 0.73.1 >&2")

    assert found["claude-code"].version == "2.1.332"
    assert found["pi"].version == "0.73.1"


@pytest.mark.parametrize("script", ["exit 3", "echo none", "exec /no/such/program"])
def test_a_host_that_says_no_version_is_found_all_the_same(look, script):
    found = look(opencode=script)["opencode"]

    assert isinstance(found.program, Path)
    assert found.version == ""


def test_gitmem_in_a_host_is_up_to_date(person, look):
    person.install("claude-code")

    found = look()["claude-code"]

    assert (found.is_installed, found.trouble) == (True, "")


def test_another_gitmem_wants_to_be_installed_again(person, look):
    person.install("claude-code")
    person.upgrade()

    found = look()["claude-code"]

    assert "gitmem 1.0" in found.trouble
    assert found.mend == "gitmem host install claude-code"


def test_an_interpreter_that_moved_wants_an_install(person, look):
    person.install("opencode")
    moved = Path("/elsewhere/python")
    person.installation = replace(person.installation, python=moved)

    assert "another Python" in look()["opencode"].trouble


def test_a_file_that_gitmem_was_put_into_is_told(person, look):
    person.install("agents-md")
    page = person.where("agents-md").target

    found = look()["agents-md"]

    assert (found.file, found.is_installed, found.trouble) == (page, True, "")


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_bytes(b"x")])
def test_a_file_that_lost_gitmem_wants_an_install(person, look, change):
    person.install("agents-md")
    page = person.where("agents-md").target
    change(page)

    found = look()["agents-md"]

    assert "not as gitmem wrote it" in found.trouble
    assert found.mend == f"gitmem host install agents-md {page}"


def test_a_file_that_gitmem_was_taken_out_of_is_forgotten(person, look):
    person.install("agents-md")
    person.uninstall("agents-md")

    assert "agents-md" not in look()


def test_hooks_that_codex_does_not_trust_are_told(person, look):
    person.install("codex")

    found = look()["codex"]

    assert "none of gitmem's hooks" in found.trouble
    assert "/hooks" in found.mend


def test_hooks_that_codex_trusts_are_fine(person, look):
    person.install("codex")
    folder = person.home / ".codex"
    with (folder / "config.toml").open("a") as settings:
        key = f"{folder}/hooks.json:session_start:0:0"
        settings.write(f'\n[hooks.state."{key}"]\ntrusted_hash = "sha256:1"\n')

    assert look()["codex"].trouble == ""


@pytest.mark.parametrize("text", ["hooks = 1", "[hooks]\nstate = []", "="])
def test_settings_of_codex_that_make_no_sense_trust_nothing(person, look, text):
    person.file(".codex/config.toml", b"")
    person.install("codex")
    (person.home / ".codex" / "config.toml").write_text(text)

    assert look()["codex"].trouble


def test_a_hook_whose_gitmem_is_gone_ends_as_no_host_minds(person, tmp_path):
    gone = replace(person.installation, package=tmp_path / "gitmem")

    done = subprocess.run(
        gone.hook("claude-code", "UserPromptSubmit"), capture_output=True, check=False
    )

    assert done.returncode == 1
    assert done.stdout == b""


def test_a_hook_finds_its_own_files_and_its_words(person, tmp_path):
    package = tmp_path / "gitmem"
    (package / "hook").mkdir(parents=True)
    script = "import sys\nprint(__name__, __file__, *sys.argv)\n"
    (package / "hook" / "client.py").write_text(script)
    here = replace(person.installation, package=package)

    said = subprocess.check_output(here.hook("pi", "turn"), text=True).split()

    client = str(package / "hook" / "client.py")
    assert said == ["__main__", client, client, "pi", "turn"]
