"""A memory repository comes to be, whole or not at all."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.sync.conftest import Clock

import gitmem
from gitmem.errors import BadConfig, NoRepository, NotFound, Offline, PathRefused
from gitmem.repo.repository import Repository
from gitmem.sync.author import Author
from gitmem.sync.check import Rules
from gitmem.sync.create import Created, Made, create, set_remote
from gitmem.sync.engine import Engine
from gitmem.sync.options import Options


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(
        root=tmp_path / "data" / "memory",
        state=tmp_path / "state",
        branch="main",
        url=None,
        author=Author(machine="here"),
        rules=Rules(max_file_bytes=1_000_000, secrets="block"),
        now=Clock(),
        timeout_seconds=30,
        fetch_ttl=timedelta(hours=12),
    )


@pytest.fixture
def fill(bare_remote: Path, git, tmp_path: Path):
    """Push files to the remote, on a branch."""

    def push(files: dict[str, str], branch: str = "main") -> None:
        work = tmp_path / "work"
        git("init", "-q", "-b", branch, work, cwd=tmp_path)
        for name, text in files.items():
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        git("add", "-A", cwd=work)
        git("commit", "-qm", "theirs", cwd=work)
        git("push", "-q", bare_remote, branch, cwd=work)
        shutil.rmtree(work)

    return push


def left_behind(options: Options) -> list[str]:
    folder = options.root.parent
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_without_an_address_a_repository_is_made(options, git):
    created = create(options)

    assert created == Created(Made.CREATED, "main")
    log = git("log", "--format=%s", cwd=options.root)
    assert log == "memory(.): begin\n"
    assert git("status", "--porcelain", cwd=options.root) == ""
    assert (options.root.stat().st_mode & 0o777) == 0o700
    assert left_behind(options) == ["memory"]


def test_a_second_time_changes_nothing(options, git):
    create(options)
    tip = git("rev-parse", "HEAD", cwd=options.root)

    assert create(options) == Created(Made.READY, "main")

    assert git("rev-parse", "HEAD", cwd=options.root) == tip


def test_an_empty_remote_gets_its_first_commit_with_the_first_cycle(
    options, bare_remote, git
):
    options = replace(options, url=str(bare_remote))

    created = create(options)
    Engine(options).cycle()

    assert created == Created(Made.CLONED, "main")
    assert git("rev-parse", "main", cwd=bare_remote) == git(
        "rev-parse", "main", cwd=options.root
    )


def test_a_remote_with_memories_is_cloned(options, bare_remote, fill, git):
    user = "---\ndescription: who\n---\nuser\n"
    fill({"core/user.md": user, "core/run.sh": "x\n", "a.md": "a\n"})
    options = replace(options, url=str(bare_remote))

    created = create(options)

    assert created == Created(Made.CLONED, "main")
    assert (options.root / "core/user.md").read_text("utf-8") == user
    assert git("status", "--porcelain", cwd=options.root) == ""
    assert Engine(options).cycle().pushed
    assert Engine(options).cycle().committed is None


def test_a_remote_s_own_branch_is_followed(options, bare_remote, fill, git):
    fill({"a.md": "a\n"}, branch="trunk")
    git("symbolic-ref", "HEAD", "refs/heads/trunk", cwd=bare_remote)

    created = create(replace(options, url=str(bare_remote)))

    assert created.branch == "trunk"
    assert (options.root / "a.md").exists()


def test_a_remote_with_only_another_branch_is_followed(options, bare_remote, fill):
    fill({"a.md": "a\n"}, branch="notes")

    created = create(replace(options, url=str(bare_remote)))

    assert created.branch == "notes"


def test_a_remote_with_a_project_in_it_is_refused_and_taken_when_asked(
    options, bare_remote, fill
):
    fill({"main.c": "x\n", "Makefile": "x\n", "README.md": "x\n"})
    options = replace(options, url=str(bare_remote))

    with pytest.raises(BadConfig, match="does not look like a memory"):
        create(options)

    assert left_behind(options) == []
    assert create(options, may_adopt=True).made is Made.CLONED


@pytest.mark.parametrize(
    ("url", "error", "words"),
    [
        ("/nowhere/memory.git", Offline, "does not appear to be"),
        ("https://ada:swordfish7@host.invalid/x.git", BadConfig, "credential"),
        ("ext::sh -c touch% ran", BadConfig, "cannot be the remote"),
        ("-oProxyCommand=x", BadConfig, "cannot be the remote"),
        ("http://host.invalid/x", BadConfig, "in the clear"),
        ("ftp://host.invalid/x", BadConfig, "not allowed"),
        ("git://host.invalid/x", BadConfig, "not allowed"),
    ],
    ids=["unreachable", "credential", "ext", "option", "http", "ftp", "git"],
)
def test_an_address_that_is_of_no_use_leaves_nothing_behind(options, url, error, words):
    with pytest.raises(error, match=words) as raised:
        create(replace(options, url=url))

    assert "swordfish7" not in raised.value.message + raised.value.hint
    assert raised.value.hint
    assert left_behind(options) == []


def test_an_existing_clone_is_taken_as_it_is(options, bare_remote, fill, git, tmp_path):
    fill({"a.md": "a\n"})
    git("clone", "-q", bare_remote, options.root, cwd=tmp_path)
    (options.root / "b.md").write_text("b\n", encoding="utf-8")
    before = (options.root / ".git/config").read_bytes()

    created = create(replace(options, url=f"{bare_remote}/"))

    assert created == Created(Made.ADOPTED, "main")
    assert (options.root / ".git/config").read_bytes() == before
    assert sorted(os.listdir(options.root)) == [".git", "a.md", "b.md"]


def test_an_existing_repository_without_a_remote_gets_the_address(
    options, bare_remote, git
):
    create(options)

    create(replace(options, url=str(bare_remote)))

    assert git("remote", "get-url", "origin", cwd=options.root).strip() == str(
        bare_remote
    )


def test_an_existing_clone_of_something_else_is_refused(options, bare_remote, git):
    create(replace(options, url=str(bare_remote)))

    with pytest.raises(BadConfig, match="another remote"):
        create(replace(options, url="/somewhere/else.git"))


def test_an_existing_repository_that_runs_something_is_refused(options, git):
    create(options)
    git("config", "core.fsmonitor", "touch ran", cwd=options.root)

    with pytest.raises(BadConfig, match="fsmonitor"):
        create(options)


def test_a_folder_with_files_is_refused_and_taken_when_asked(options, git):
    options.root.mkdir(parents=True)
    (options.root / "a.md").write_text("a\n", encoding="utf-8")

    with pytest.raises(NoRepository, match="holds files"):
        create(options)

    assert os.listdir(options.root) == ["a.md"]
    assert create(options, may_adopt=True).made is Made.ADOPTED
    Engine(options).cycle()
    assert "a.md" in git("ls-files", cwd=options.root)


def test_a_folder_with_files_and_an_address_is_taken_when_asked(
    options, bare_remote, git
):
    options = replace(options, url=str(bare_remote))
    options.root.mkdir(parents=True)
    (options.root / "a.md").write_text("a\n", encoding="utf-8")

    create(options, may_adopt=True)
    Engine(options).cycle()

    assert "a.md" in git("ls-tree", "--name-only", "main", cwd=bare_remote)


def test_a_file_in_the_place_is_refused(options):
    options.root.parent.mkdir(parents=True)
    options.root.touch()

    with pytest.raises(PathRefused, match="is a file"):
        create(options)


def test_an_empty_folder_and_a_link_to_one_are_used(options, tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    options.root.parent.mkdir(parents=True)
    options.root.symlink_to(real)

    create(options)

    assert options.root.is_symlink()
    assert (real / ".git").is_dir()


def test_another_repository_that_is_being_made_next_door_is_left_alone(options):
    options.root.parent.mkdir(parents=True)
    other = options.root.parent / ".gitmem-tmp-init-memory-two"
    other.mkdir()

    create(options)

    assert other.exists()


def test_lines_of_other_clients_are_kept_and_ours_added(
    options, bare_remote, fill, git
):
    fill({"a.md": "a\n", ".gitignore": ".obsidian/\n*.sqlite", ".gitattributes": "x y"})

    create(replace(options, url=str(bare_remote)))

    ignored = (options.root / ".gitignore").read_text("utf-8").splitlines()
    assert ignored[:2] == [".obsidian/", "*.sqlite"]
    assert ".gitmem-tmp-*" in ignored
    assert len(ignored) == len(set(ignored))


def test_the_person_s_template_is_not_used(options, empty_home, tmp_path):
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    (template / "pre-commit").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (empty_home / ".gitconfig").write_text(
        f"[init]\ntemplateDir = {template.parent}\n", encoding="utf-8"
    )

    create(options)

    assert not (options.root / ".git/hooks/pre-commit").exists()


PROGRAM = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from gitmem.sync.author import Author
from gitmem.sync.check import Rules
from gitmem.sync.create import create
from gitmem.sync.options import Options

create(Options(
    root=Path(sys.argv[1]), state=Path(sys.argv[2]), branch="main", url=sys.argv[3],
    author=Author(machine="here"), rules=Rules(1_000_000, "block"),
    now=lambda: datetime.now(UTC), timeout_seconds=30, fetch_ttl=timedelta(hours=1),
))
"""


def wait_for(path: Path) -> None:
    ends = time.monotonic() + 20
    while not path.exists() and time.monotonic() < ends:
        time.sleep(0.002)


def test_a_kill_in_the_middle_leaves_nothing_that_stops_the_next_try(
    options, bare_remote, fill
):
    fill({f"notes/{number}.md": f"{number}\n" for number in range(300)})
    options = replace(options, url=str(bare_remote))
    workshop = options.root.parent / ".gitmem-tmp-init-memory"
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, options.root, options.state, options.url],
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path(gitmem.__file__).parents[1])},
    )
    wait_for(workshop / "notes")
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert workshop.exists()
    assert not options.root.exists()

    create(options)

    assert left_behind(options) == ["memory"]
    assert len(os.listdir(options.root / "notes")) == 300


def test_a_remote_is_set_and_what_was_known_of_the_old_one_forgotten(
    options, bare_remote, git, tmp_path
):
    options = replace(options, url=str(bare_remote))
    create(options)
    Engine(options).cycle()

    address = set_remote(options, str(tmp_path / "new.git"))

    refs = Repository(options.root).refs("refs/remotes", "refs/gitmem/seen")
    assert refs == {}
    assert git("remote", "get-url", "origin", cwd=options.root).strip() == address.text


def test_setting_the_remote_to_something_dangerous_is_refused(options, git):
    create(options)

    with pytest.raises(BadConfig):
        set_remote(options, "ext::sh -c touch% ran")

    assert git("config", "--list", "--local", cwd=options.root).count("remote") == 0


def test_setting_the_remote_of_nothing_is_refused(options):
    with pytest.raises((NoRepository, NotFound)):
        set_remote(options, "/x.git")


def test_pull_right_after_a_clone_asks_nobody(options, bare_remote, fill):
    fill({"notes/one.md": "one\n"})
    options = replace(options, url=str(bare_remote))
    create(options)

    assert Engine(options).pull().skipped


@pytest.mark.parametrize(
    "files",
    [
        {"src/a.c": "int a;\n", "README.md": "# Code\n", "docs/guide.md": "# How\n"},
        {"a.c": "int a;\n", "README.md": "# Code\n"},
        {"src/a.c": "", "src/b.c": "", "notes/n.md": "---\ndescription: n\n---\n"},
    ],
    ids=["more documents than code", "a readme", "mostly code"],
)
def test_project_with_documents_is_not_taken_for_a_memory(
    options, bare_remote, fill, files
):
    fill(files)
    options = replace(options, url=str(bare_remote))

    with pytest.raises(BadConfig, match="does not look like a memory"):
        create(options)

    assert left_behind(options) == []
    assert create(options, may_adopt=True).made is Made.CLONED


@pytest.mark.parametrize(
    "files",
    [
        {"blog/one.md": "one\n"},
        {"p/core/x.md": "---\ndescription: x\n---\n", "p/pic.png": "png"},
    ],
    ids=["Markdown alone", "a picture beside memories"],
)
def test_memory_is_recognised_as_one(options, bare_remote, fill, files):
    fill(files)

    assert create(replace(options, url=str(bare_remote))).made is Made.CLONED


def test_remote_that_does_not_answer_leaves_nothing_and_says_so(options, tmp_path):
    options = replace(options, url=str(tmp_path / "mistyped"))

    with pytest.raises(Offline) as caught:
        create(options)

    assert caught.value.hint.startswith("Nothing was made.")
