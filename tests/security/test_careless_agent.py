"""An agent that writes where it must not, and what it must not."""

import contextlib
import os
from pathlib import Path
from threading import Event, Thread

import pytest

from gitmem.errors import GitmemError, NotFound, PathRefused, SecretRefused, StaleWrite
from gitmem.service.service import Service

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
TEXT = b"---\ndescription: a note\n---\nplain\n"
BAD_PATHS = [
    "../x.md",
    "core/../../x.md",
    "core/../../../.ssh/authorized_keys.md",
    "/etc/cron.d/x.md",
    "~/x.md/../../y.md",
    "core//x.md",
    ".git/hooks/x.md",
    ".GIT/x.md",
    "git~1/x.md",
    ".g\u200cit/x.md",
    "beacon/.git/x.md",
    "other/core/x.md",
    "global/x.md",
    "tape/x.md",
    "core/CON.md",
    "core/nul",
    "core/x.md\0.md",
    "core/x\n.md",
    "core/\x1b[31m.md",
    "core/\u202edm.x",
    "core/x.md ",
    "core/a:b.md",
    "core\\..\\x.md",
    ".hidden/x.md",
    "core/.x.md",
    "core/x.sh",
    "core/" + "x" * 300 + ".md",
    "core/" + "deep/" * 300 + "x.md",
    "",
    "-",
]


@pytest.fixture
def service(person):
    """Give the verbs of a project beside another one's layer."""
    found = person.service()
    found.init()
    found.write("core/mine.md", TEXT)
    other = person.memory / "other" / "core"
    other.mkdir(parents=True)
    (other / "x.md").write_bytes(TEXT)
    return found


def everything(person) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in person.home.rglob("*")
        if path.is_file() and not path.is_relative_to(person.base / "cache")
    }


@pytest.mark.parametrize("path", BAD_PATHS)
def test_no_verb_takes_a_path_that_leads_elsewhere(person, service, path):
    before = everything(person)

    for verb in (
        lambda: service.write(path, TEXT),
        lambda: service.read(path),
        lambda: service.history(path, limit=5),
        lambda: service.restore(path, "HEAD"),
    ):
        with pytest.raises(GitmemError):
            verb()

    assert before == everything(person)


@pytest.mark.parametrize("layer", ["..", "/etc", "../../etc", ".git", "-x", "a/../.."])
def test_no_search_looks_elsewhere(service, layer):
    with pytest.raises(GitmemError):
        service.grep("root", "rg", layer=layer, limit=5)


@pytest.mark.parametrize(
    "pattern", ["--pre=touch pwned", "-f/etc/passwd", "--files", "-uuu", "-e x"]
)
def test_a_pattern_is_no_option(person, service, pattern):
    assert () == service.grep(pattern, "rg", limit=5).lines
    assert not (person.memory / "pwned").exists()


def test_a_pattern_on_the_command_line_is_no_option(person, service):
    said = person("search", "--rg=--pre=touch pwned")

    assert said.out == "No line matches.\n"
    assert not list(person.project.iterdir())


@pytest.mark.parametrize("link", ["beacon/core", "beacon/core/mine.md", "beacon"])
def test_a_link_in_any_component_is_not_followed(person, service, link):
    outside = person.home / "outside"
    outside.mkdir()
    (outside / "mine.md").write_bytes(b"private\n")
    place = person.memory / link
    os.rename(place, person.home / "moved")
    place.symlink_to(outside / "mine.md" if link.endswith(".md") else outside)

    for verb in (
        lambda: service.read("core/mine.md"),
        lambda: service.write("core/mine.md", TEXT),
        lambda: service.write("core/new.md", TEXT),
    ):
        try:
            verb()
        except (PathRefused, NotFound):
            continue

    assert {"mine.md": b"private\n"} == {
        path.name: path.read_bytes() for path in outside.iterdir()
    }
    assert "private" not in service.context().text
    assert () == service.grep("private", "rg", limit=5).lines


@pytest.mark.slow
def test_a_folder_that_turns_into_a_link_again_and_again_leads_nowhere(person, service):
    outside = person.home / "outside"
    outside.mkdir()
    (outside / "mine.md").write_bytes(b"private\n")
    folder, aside = person.memory / "beacon/core", person.memory / "beacon/aside"
    is_over = Event()

    def swap() -> None:
        while not is_over.is_set():
            # A write may make the folder anew while it is away.
            with contextlib.suppress(OSError):
                folder.rename(aside)
            with contextlib.suppress(OSError):
                folder.symlink_to(outside)
            with contextlib.suppress(OSError):
                folder.unlink()
            with contextlib.suppress(OSError):
                aside.rename(folder)

    swapper = Thread(target=swap)
    swapper.start()
    seen = set()
    try:
        for number in range(150):
            seen.add(_attempt(service, number))
    finally:
        is_over.set()
        swapper.join()

    assert {"mine.md": b"private\n"} == {
        path.name: path.read_bytes() for path in outside.iterdir()
    }
    assert b"private\n" not in seen


def _attempt(service: Service, number: int) -> bytes:
    try:
        service.write("core/mine.md", TEXT + b"%d\n" % number)
        return service.read("core/mine.md").data
    except (PathRefused, NotFound, StaleWrite, FileNotFoundError, FileExistsError):
        return b""


def test_a_secret_is_refused_by_write_and_told_without_its_value(service):
    with pytest.raises(SecretRefused) as caught:
        service.write("core/key.md", TEXT + f"token: {SECRET}\n".encode())

    assert "core/key.md:7" in caught.value.message
    assert SECRET not in caught.value.message + caught.value.hint


def test_a_secret_that_an_editor_wrote_stays_here_and_the_rest_goes_out(
    person, bare_remote, git
):
    person("init", str(bare_remote))
    core = person.memory / "beacon/core"
    core.mkdir(parents=True)
    (core / "key.md").write_bytes(TEXT + f"token: {SECRET}\n".encode())
    (core / "fine.md").write_bytes(TEXT)

    said = [
        person("sync"),
        person("sync", "--json"),
        person("check"),
        person("context"),
    ]
    said += [person("doctor"), person("sync", "status")]

    assert said[0].status == 1
    assert "beacon/core/key.md" in said[0].err
    assert "line 5" in said[0].err
    listed = git("ls-tree", "-r", "--name-only", "main", cwd=bare_remote).split()
    assert "beacon/core/fine.md" in listed
    assert "beacon/core/key.md" not in listed
    assert SECRET in (core / "key.md").read_text("utf-8")
    assert SECRET not in "".join(each.all for each in said)
    assert [] == _holding(SECRET, person.base / "state", bare_remote)
    assert SECRET not in git("log", "--all", "-p", cwd=person.memory)


def _holding(text: str, *folders: Path) -> list[Path]:
    return [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and text.encode() in path.read_bytes()
    ]
