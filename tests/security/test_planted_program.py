"""A program that lies in wait under the name of one that gitmem runs."""

import os
import shutil
from pathlib import Path

import pytest

from gitmem.lookup import NOWHERE, trusted

PROGRAMS = ("git", "rg", "ssh", "gpg", "sh", "git-remote-https", "python3")
FORMS = {
    "nothing": "",
    "dot": ".",
    "relative": "bin",
    "process": "/proc/self/cwd",
    "process below": "/proc/self/cwd/bin",
    "descriptor": "/dev/fd/../../proc/self/cwd",
    "dot at the end": "{project}/.",
    "up again": "{project}/sub/..",
    "two slashes": "/{project}",
    "link": "{beside}/link",
    "link of a process": "{beside}/process",
    "below": "{project}/bin",
    "through a link": "{beside}/link/bin",
    "link to what lies below": "{beside}/inner",
    "memory": "{memory}/beacon",
}


@pytest.fixture
def planted(person, trap, tmp_path, bare_remote):
    """Give a person with a memory whose project and layer hold programs."""
    service = person.service()
    service.init(str(bare_remote))
    service.write("core/deploy.md", b"---\ndescription: how\n---\ntext\n")
    service.sync()
    (person.project / "sub").mkdir()
    for folder in (
        person.project,
        person.project / "bin",
        person.memory / "beacon",
    ):
        folder.mkdir(exist_ok=True)
        for name in PROGRAMS:
            shutil.copy2(trap, folder / name)
    (tmp_path / "link").symlink_to(person.project)
    (tmp_path / "process").symlink_to("/proc/self/cwd")
    (tmp_path / "inner").symlink_to(person.project / "bin")
    return person


def place(form: str, person, beside: Path) -> str:
    return form.format(project=person.project, memory=person.memory, beside=beside)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_no_program_is_run_out_of_the_project_or_the_memory(
    planted, marker, tmp_path, form
):
    entry = place(form, planted, tmp_path)
    planted.variables = {"PATH": f"{entry}{os.pathsep}{os.environ['PATH']}"}

    said = planted("sync")

    assert not marker.exists()
    assert said.status == 0, said.all


def test_no_door_runs_a_program_out_of_the_project(
    planted, marker, tmp_path, door, git
):
    entries = [place(form, planted, tmp_path) for form in FORMS.values()]
    planted.variables = {"PATH": os.pathsep.join([*entries, os.environ["PATH"]])}

    said = door(planted)

    assert not marker.exists()
    assert "Unexpected" not in said
    assert "core/by-" in git("ls-files", cwd=planted.memory), said


@pytest.mark.parametrize(
    ("command", "program"),
    [(("sync",), "Git"), (("search", "--rg", "text"), "ripgrep")],
    ids=["git", "rg"],
)
@pytest.mark.parametrize("path", ["{project}/bin", ".", ""], ids=["below", ".", "none"])
def test_a_program_that_is_only_there_is_named_and_not_run(
    planted, marker, command, program, path
):
    alone = planted.home / "venv"
    planted.command = (*planted.command[:1], "-c", ALONE, str(alone))
    planted.variables = {"PATH": path.format(project=planted.project)}

    said = planted(*command)

    assert not marker.exists()
    assert said.status == 1
    assert f"{program} is not installed" in said.err
    assert "Nothing is run from the current folder, its project" in said.err


# ripgrep lies beside the Python that runs gitmem: this one lies alone.
ALONE = """
import sys
sys.executable = sys.argv.pop(1) + "/python"
from gitmem.cli.main import main
main()
"""


def test_folders_of_the_person_and_the_system_are_searched(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    own, project = tmp_path / ".local/bin", tmp_path / "work/beacon"
    mine = project / ".venv/bin"
    for folder in (own, mine):
        folder.mkdir(parents=True)
    monkeypatch.chdir(project)
    path = os.pathsep.join(map(str, (mine, own, "/usr/bin", tmp_path / "absent")))

    kept = trusted(path, roots=[project]).split(":")

    assert [str(own), "/usr/bin", str(tmp_path / "absent")] == kept


@pytest.mark.parametrize("root", ["/", "/usr", "/usr/bin", "{home}"])
def test_a_folder_that_holds_much_else_is_no_project(tmp_path, monkeypatch, root):
    own = tmp_path / ".local/bin"
    own.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    chosen = root.format(home=tmp_path)
    monkeypatch.chdir(chosen)

    kept = trusted(f"/usr/bin:{own}:{tmp_path}", roots=[Path(chosen)]).split(":")

    assert {"/usr/bin", str(own)} <= set(kept)
    assert (str(tmp_path) in kept) == (root != "{home}")


def test_a_folder_is_known_under_another_name_of_the_same_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    circle = tmp_path / "circle"
    circle.symlink_to(circle)

    assert trusted(f"{tmp_path}//:{circle}") == NOWHERE


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (".:/usr/bin", ["/usr/bin"]),
        (":/usr/bin:", ["/usr/bin"]),
        ("bin:/a:../b:/c", ["/a", "/c"]),
        ("", [NOWHERE]),
        (".", [NOWHERE]),
    ],
)
def test_what_is_relative_is_left_out(path, kept):
    assert ":".join(kept) == trusted(path)
