"""Every way to begin: each does the expected thing, or says one line and the next."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def oak(machine):
    return machine("oak")


def left_behind(oak) -> list[str]:
    """Name what a failed init left where memories are kept."""
    folder = oak.memory.parent
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def with_memories(git, remote: Path) -> Path:
    """Make a bare repository that holds one memory."""
    folder = remote.with_name("drafts")
    git("init", "--quiet", "--initial-branch=main", folder, cwd=folder.parent)
    (folder / "beacon" / "core").mkdir(parents=True)
    memory = folder / "beacon" / "core" / "deploy.md"
    memory.write_text("---\ndescription: how to deploy\n---\nmake ship\n", "utf-8")
    git("add", ".", cwd=folder)
    git("commit", "--quiet", "--message=x", cwd=folder)
    git("clone", "--quiet", "--bare", folder, remote, cwd=folder.parent)
    return remote


def test_a_remote_with_memories_is_cloned_and_told(oak, git, tmp_path):
    remote = with_memories(git, tmp_path / "remote")

    shown = oak.type(f"gitmem init {remote} && gitmem context && gitmem sync")

    assert "Cloned the memory repository" in shown
    assert "- path: core/deploy.md\n  description: how to deploy\n" in shown
    assert shown.endswith(("Pushed.\n", "in sync.\n"))


def test_an_empty_remote_is_filled_by_the_first_sync(oak, git, bare_remote):
    oak.type(f"gitmem init {bare_remote} && gitmem sync")

    assert git("log", "--format=%s", "main", cwd=bare_remote) == (
        "memory(.): add .gitattributes, .gitignore\n"
    )


def test_a_remote_with_code_is_not_taken_for_a_memory(oak, git, tmp_path):
    code = tmp_path / "code"
    git("init", "--quiet", "--initial-branch=main", code, cwd=tmp_path)
    (code / "main.c").write_text("int main;", "utf-8")
    git("add", ".", cwd=code)
    git("commit", "--quiet", "--message=x", cwd=code)

    shown = oak.type(f"gitmem init {code}")

    assert shown == (
        "error: /code does not look like a memory: 1 of its 1 files are no Markdown, "
        "such as main.c.\n"
        "hint: If it is the right repository, run the command again with --adopt.\n"
        "[1]\n"
    )
    assert left_behind(oak) == []


def test_a_clone_that_is_there_already_is_adopted(oak, git, tmp_path):
    remote = with_memories(git, tmp_path / "remote")
    oak.memory.parent.mkdir(parents=True)
    git("clone", "--quiet", remote, oak.memory, cwd=tmp_path)

    shown = oak.type("gitmem init && gitmem sync")

    assert "Took over the repository" in shown
    assert "Its remote is /remote, its branch main." in shown


def test_a_folder_with_files_is_left_alone_unless_it_is_to_be_adopted(oak):
    oak.memory.mkdir(parents=True)
    (oak.memory / "note.md").write_text("a note\n", "utf-8")

    refused = oak.type("gitmem init")
    adopted = oak.type("gitmem init --adopt && gitmem sync")

    assert refused.startswith("error: ~/.local/share/gitmem/memory holds files but")
    assert adopted.startswith("Took over the repository")
    assert (oak.memory / "note.md").read_text("utf-8") == "a note\n"


@pytest.mark.parametrize(
    ("url", "line"),
    [
        (
            "https://127.0.0.1:1/memory.git",
            "error: git ls-remote: unable to access 'https://127.0.0.1:1/memory.git/'",
        ),
        (
            "/dev/null/memory.git",
            "error: git ls-remote: '/dev/null/memory.git' does not",
        ),
        (
            "https://sam:hunter22@example.org/memory.git",
            "error: https://***@example.org/memory.git holds a credential",
        ),
        ("'ext::sh -c touch% pwned'", "error: ext::sh -c touch% pwned cannot be"),
        ("-- --upload-pack=touch", "error: --upload-pack=touch cannot be the remote"),
        (
            "ssh://-oProxyCommand=touch/x",
            "error: ssh://-oProxyCommand=touch/x cannot be the remote",
        ),
        ("http://example.org/x", "error: http://example.org/x cannot be the remote"),
    ],
    ids=["unreachable", "missing", "credentials", "ext", "option", "proxy", "http"],
)
def test_an_address_that_does_not_do_leaves_nothing_behind(oak, url, line):
    shown = oak.type(f"gitmem init {url}")

    assert shown.startswith(line)
    assert "\nhint: " in shown
    assert shown.endswith("[1]\n")
    assert "hunter22" not in shown
    assert left_behind(oak) == []
    assert list(oak.project.iterdir()) == []


def test_a_second_init_with_another_address_changes_nothing(oak, bare_remote):
    oak.type(f"gitmem init {bare_remote}")

    shown = oak.type("gitmem init /elsewhere.git")

    assert "already is a repository with another remote" in shown
    assert oak.type("gitmem remote") == "/remote.git\n"


def test_a_remote_can_come_later(oak, git, bare_remote):
    oak.type("gitmem init")
    oak.type("echo x | gitmem write core/a.md --description a && gitmem sync")

    shown = oak.type(f"gitmem remote {bare_remote} && gitmem sync")

    assert shown.endswith("Pushed.\n")
    assert git("ls-tree", "-r", "--name-only", "main", cwd=bare_remote) == (
        ".gitattributes\n.gitignore\nbeacon/core/a.md\n"
    )


def test_a_remote_with_a_branch_of_another_name_is_followed(oak, git, tmp_path):
    remote = with_memories(git, tmp_path / "remote")
    git("branch", "--move", "main", "trunk", cwd=remote)

    shown = oak.type(f"gitmem init {remote} && gitmem sync status")

    assert "Set sync.branch = trunk in your settings.\n" in shown
    assert "branch:       trunk\n" in shown
