"""The work tree moves from one commit to another, and what lies in it stays."""

import fcntl
import os
import stat
import time
from hashlib import sha256
from pathlib import PurePosixPath

import pytest
from tests.sync.conftest import SECRET, numbered, settled, write_all

from gitmem.errors import (
    Busy,
    Conflicted,
    Corrupt,
    ErrorClass,
    GitmemError,
    StaleWrite,
)
from gitmem.files.tree import Tree
from gitmem.repo.history import TreeEntry
from gitmem.sync.apply import LARGEST_BYTES, apply


def push_tree(machine, changes: dict[str, tuple[str, bytes]], remote) -> None:
    """Push a commit whose paths and modes nobody checked, as a stranger would."""
    repository = machine.repository
    oids = repository.store([data for _, data in changes.values()])
    modes = [mode for mode, _ in changes.values()]
    lines = "".join(
        f"{mode} {oid}\t{path}\0"
        for path, mode, oid in zip(changes, modes, oids, strict=True)
    )
    index = {"GIT_INDEX_FILE": str(remote / "k-index")}
    repository.change("read-tree", "main", extra=index)
    repository.change(
        "-c", "core.protectNTFS=false", "-c", "core.protectHFS=false",
        "update-index", "-z", "--index-info",
        stdin=lines.encode("utf-8", "surrogateescape"), extra=index,
    )  # fmt: skip
    tree = repository.change("write-tree", extra=index).decode().strip()
    commit = machine.git_("commit-tree", tree, "-p", "main", "-m", "odd").strip()
    machine.git_("push", "-q", remote, f"{commit}:refs/heads/main")


def test_changes_additions_and_deletions_arrive(pair):
    first, second = pair
    write_all(first, {"a.md": "a\n", "b/c.md": "c\n", "d.md": "d\n"})
    first.cycle()
    second.cycle()
    first.write("a.md", "changed\n")
    first.delete("b/c.md")
    first.write("e/f.md", "f\n")
    first.cycle()

    second.cycle()

    assert second.disk() == first.disk() == first.tree()
    assert not (second.root / "b").exists()
    assert second.is_clean()


def test_a_file_and_a_folder_change_places(pair):
    first, second = pair
    write_all(first, {"file": "file\n", "folder/a.md": "a\n", "folder/b/c.md": "c\n"})
    first.cycle()
    second.cycle()
    first.delete("file", "folder/a.md", "folder/b/c.md")
    (first.root / "folder/b").rmdir()
    (first.root / "folder").rmdir()
    write_all(first, {"file/x.md": "x\n", "folder": "now a file\n"})
    first.cycle()

    second.cycle()

    assert second.disk() == first.disk() == second.tree()
    assert second.is_clean()


def test_a_file_becomes_a_folder_here_while_it_is_edited_there(pair):
    first, second = pair
    first.write("x.md", "start\n")
    first.cycle()
    second.cycle()
    first.write("x.md", "alpha\n")
    second.delete("x.md")
    second.write("x.md/y.md", "omega\n")
    first.cycle()
    second.cycle()
    first.cycle()

    assert first.disk() == second.disk() == first.tree()
    assert b"alpha" in first.text()
    assert b"omega" in first.text()


class Interrupted(Tree):
    """A work tree in which an agent writes at the moment it is read."""

    def __init__(self, root, path: str, text: bytes | None, reads: int) -> None:
        super().__init__(root)
        self.agent = (PurePosixPath(path), text)
        self.reads = reads

    def read(self, path, **limits):
        found = super().read(path, **limits)
        if path == self.agent[0]:
            self.reads -= 1
            if self.reads == 0:
                (self.root / path).unlink()
            if self.reads == 0 and self.agent[1] is not None:
                (self.root / path).write_bytes(self.agent[1])
        return found


@pytest.mark.parametrize("reads", [1, 2])
def test_an_edit_in_the_middle_is_seen_and_nothing_is_lost(alone, reads):
    write_all(alone, {"a.md": "old\n", "b.md": "old\n"})
    alone.cycle()
    old = alone.tip()
    write_all(alone, {"a.md": "new\n", "b.md": "new\n"})
    alone.cycle()
    repository = alone.repository
    tree = Interrupted(alone.root, "a.md", b"agent\n", reads)

    with pytest.raises(StaleWrite):
        apply(repository, tree, alone.tip(), old, may_set_aside=False)

    assert alone.read("a.md") == "agent\n"


@pytest.fixture
def shrunk(alone):
    """Give a machine, and the commit before the one that added a file."""
    old = alone.tip()
    alone.write("a.md", "a\n")
    alone.cycle()
    return alone, old


@pytest.mark.parametrize("reads", [1, 2])
def test_an_edit_of_a_file_that_goes_is_seen_and_kept(shrunk, reads):
    machine, old = shrunk
    tree = Interrupted(machine.root, "a.md", b"agent\n", reads)

    with pytest.raises(StaleWrite):
        apply(machine.repository, tree, machine.tip(), old, may_set_aside=False)

    assert machine.read("a.md") == "agent\n"


def test_a_file_that_goes_and_is_gone_already_is_no_trouble(shrunk):
    machine, old = shrunk
    tree = Interrupted(machine.root, "a.md", None, 1)

    apply(machine.repository, tree, machine.tip(), old, may_set_aside=False)

    assert not (machine.root / "a.md").exists()


def test_a_link_in_the_place_of_a_file_that_goes_is_left_alone(shrunk, tmp_path):
    machine, old = shrunk
    outside = tmp_path / "outside"
    outside.write_text("outside\n", encoding="utf-8")
    machine.delete("a.md")
    (machine.root / "a.md").symlink_to(outside)

    apply(
        machine.repository, Tree(machine.root), machine.tip(), old, may_set_aside=False
    )

    assert (machine.root / "a.md").is_symlink()
    assert outside.read_text("utf-8") == "outside\n"


def test_an_edit_between_commit_and_apply_starts_the_cycle_anew(pair, monkeypatch):
    first, second = pair
    first.write("a.md", "start\n")
    first.cycle()
    second.cycle()
    first.write("a.md", "start\n\nalpha\n")
    first.cycle()
    second.write("b.md", "b\n")
    told = []

    def agent(_: bytes) -> None:
        told.append(second.write("a.md", "omega\n\nstart\n"))

    second.with_(progress=agent).cycle()

    assert told
    assert second.read("a.md") == "omega\n\nstart\n\nalpha\n"
    assert second.is_clean()


def test_files_that_keep_changing_are_set_aside_and_lost_nowhere(pair):
    first, second = pair
    first.write("a.md", "start\n")
    first.cycle()
    second.cycle()
    second.write("a.md", f"{SECRET}\n")
    second.cycle()
    first.write("a.md", "alpha\n")
    first.cycle()

    report = second.cycle()

    kept = [path for path in second.disk() if ".conflict-" in path]
    assert second.read("a.md") == "alpha\n"
    assert [second.read(path) for path in kept] == [f"{SECRET}\n"]
    assert SECRET.encode() not in second.text()
    assert len(report.refused) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [("a.md", f"{SECRET}\n"), ("a.sqlite", "mine\n"), ("a.md", "x" * 1_000_001)],
    ids=["refused", "ignored", "large"],
)
def test_an_uncommitted_file_at_an_incoming_path_is_set_aside(pair, git, path, text):
    first, second = pair
    second.write(path, text)
    first.write(path, "incoming\n")
    git("add", "-f", path, cwd=first.root)
    git("commit", "-qm", "x", cwd=first.root)
    first.cycle()

    second.cycle()

    assert second.read(path) == "incoming\n"
    assert text.encode() in second.disk().values()


def test_a_copy_that_somebody_wrote_on_is_not_written_over(pair):
    first, second = pair
    write_all(first, {"a.md": "start\n"})
    first.cycle()
    second.cycle()
    text = f"{SECRET}\n"
    second.write("a.md", text)
    second.write(f"a.conflict-{sha256(text.encode()).hexdigest()[:8]}.md", "mine\n")
    second.cycle()
    first.write("a.md", "alpha\n")
    first.cycle()

    second.cycle()

    assert {b"mine\n", text.encode(), b"alpha\n"} <= set(second.disk().values())


def test_a_folder_of_refused_files_in_the_way_is_named(pair):
    first, second = pair
    second.write("x.md/secret.md", f"{SECRET}\n")
    first.write("x.md", "incoming\n")
    first.cycle()

    with pytest.raises(Conflicted, match=r"x\.md"):
        second.cycle()

    assert second.read("x.md/secret.md") == f"{SECRET}\n"


def test_a_refused_file_in_the_way_of_a_folder_is_named(pair):
    first, second = pair
    second.write("x.md", f"{SECRET}\n")
    first.write("x.md/y.md", "incoming\n")
    first.cycle()

    with pytest.raises(Conflicted, match=r"x\.md/y\.md"):
        second.cycle()

    assert second.read("x.md") == f"{SECRET}\n"


ODD = {
    "link.md": ("120000", b"/etc/passwd"),
    "CON": ("100644", b"device\n"),
    "a:b.md": ("100644", b"colon\n"),
    "a\nb.md": ("100644", b"newline\n"),
    "a\udcffb.md": ("100644", b"bytes\n"),
    "huge.md": ("100644", b"x" * (LARGEST_BYTES + 1)),
}


def test_what_may_not_appear_is_hidden_and_stays_in_the_tree(pair, bare_remote):
    first, second = pair
    push_tree(first, ODD, bare_remote)
    second.cycle()
    second.write("a.md", "a\n")

    second.cycle()

    names = os.listdir(os.fsencode(second.root))
    assert sorted(names) == [b".git", b".gitattributes", b".gitignore", b"a.md"]
    listed = second.git_("-c", "core.quotePath=true", "ls-tree", "-r", "main")
    assert len(listed.splitlines()) == len(ODD) + 3
    assert second.is_clean()


@pytest.mark.parametrize("name", [".GIT", "git~1", ".g\u200cit"])
def test_names_of_git_s_own_folder_do_not_get_in(pair, bare_remote, name):
    first, second = pair
    repository = first.repository
    (oid,) = repository.store([b"[core]\nfsmonitor = touch ran\n"])
    inner = repository.change("mktree", stdin=f"100644 blob {oid}\tconfig\n".encode())
    listed = (
        first.git_("ls-tree", "main") + f"040000 tree {inner.decode()[:40]}\t{name}\n"
    )
    tree = repository.change("mktree", stdin=listed.encode()).decode().strip()
    commit = first.git_("commit-tree", tree, "-p", "main", "-m", "odd").strip()
    first.git_("push", "-q", bare_remote, f"{commit}:refs/heads/main")
    before = second.disk()

    with pytest.raises(Corrupt, match="git"):
        second.cycle()

    assert second.disk() == before
    assert second.engine.record().fetch.error_class is ErrorClass.CORRUPT


def test_a_gitlink_from_the_remote_is_hidden_and_stays(pair, bare_remote):
    first, second = pair
    line = f"160000 {first.tip()}\tinner\0"
    first.repository.change("update-index", "-z", "--index-info", stdin=line.encode())
    first.git_("commit", "-qm", "x")
    first.git_("push", "-q", bare_remote, "main")
    second.cycle()
    second.write("a.md", "a\n")

    second.cycle()

    assert "160000" in second.git_("ls-tree", "main")
    assert not (second.root / "inner").exists()


def test_a_hidden_link_that_is_deleted_upstream_goes(pair, bare_remote):
    first, second = pair
    push_tree(first, {"link.md": ("120000", b"/etc/passwd")}, bare_remote)
    second.cycle()
    first.cycle()
    first.git_("update-index", "--no-skip-worktree", "link.md")
    first.git_("rm", "-q", "--cached", "link.md")
    first.git_("commit", "-qm", "x")
    first.cycle()

    second.cycle()

    assert "link.md" not in second.git_("ls-files")
    assert second.is_clean()


def test_a_link_becomes_a_file_and_a_file_becomes_a_link(pair, bare_remote):
    first, second = pair
    first.write("b.md", "plain\n")
    first.cycle()
    push_tree(
        first,
        {"a.md": ("120000", b"/etc/passwd"), "b.md": ("120000", b"/etc/passwd")},
        bare_remote,
    )
    second.cycle()
    assert not (second.root / "b.md").exists()
    tree = second.repository
    oid = tree.store([b"plain now\n"])[0]
    wanted = {PurePosixPath("a.md"): TreeEntry("100644", oid)}
    second.git_(
        "update-ref",
        "refs/heads/x",
        second.git_(
            "commit-tree", tree.edit_tree("main", wanted), "-p", "main", "-m", "x"
        ).strip(),
    )
    second.git_("push", "-q", bare_remote, "x:main")

    second.cycle()

    assert second.read("a.md") == "plain now\n"
    assert second.is_clean()


def test_the_executable_bit_stays_in_the_tree_and_off_the_disk(pair, git):
    first, second = pair
    first.write("run.sh", "echo\n").chmod(0o755)
    git("add", "run.sh", cwd=first.root)
    git("update-index", "--chmod=+x", "run.sh", cwd=first.root)
    git("commit", "-qm", "x", cwd=first.root)
    first.cycle()
    second.cycle()
    second.write("run.sh", "echo changed\n")

    second.cycle()

    assert second.git_("ls-tree", "main", "run.sh").startswith("100755")
    assert not stat.S_IMODE((second.root / "run.sh").stat().st_mode) & 0o111


def test_a_merged_script_keeps_its_executable_bit(pair, git):
    first, second = pair
    first.write("run.sh", "one\n")
    git("add", "run.sh", cwd=first.root)
    git("update-index", "--chmod=+x", "run.sh", cwd=first.root)
    git("commit", "-qm", "x", cwd=first.root)
    first.cycle()
    second.cycle()
    first.write("run.sh", "one\nalpha\n")
    second.write("run.sh", "one\nomega\n")
    first.cycle()

    second.cycle()

    assert second.git_("ls-tree", "main", "run.sh").startswith("100755")


def test_two_thousand_files_arrive(pair):
    first, second = pair
    write_all(first, numbered(2_000))
    first.cycle()
    started = time.monotonic()

    second.cycle()

    assert second.disk() == first.disk()
    assert time.monotonic() - started < 20


def test_a_local_link_in_the_way_is_not_followed(pair, tmp_path):
    first, second = pair
    outside = tmp_path / "outside"
    outside.mkdir()
    (second.root / "notes").symlink_to(outside)
    first.write("notes/a.md", "incoming\n")
    first.cycle()

    with pytest.raises(GitmemError):
        second.cycle()

    assert list(outside.iterdir()) == []


def test_an_empty_folder_is_not_in_the_way_of_a_file(pair):
    first, second = pair
    second.write("tree", "a file\n")
    second.cycle()
    (first.root / "tree" / "sub").mkdir(parents=True)

    first.cycle()

    assert first.read("tree") == "a file\n"


@pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="no leases here")
def test_a_file_that_somebody_has_open_delays_only_itself(pair):
    first, second = pair
    write_all(first, {"a.md": "a\n", "b.md": "b\n", "z.md": "z\n"})
    settled(pair, rounds=1)
    write_all(first, {"a.md": "alpha\n", "b.md": "beta\n"})
    first.delete("z.md")
    first.cycle()
    second.write("mine.md", "mine\n")

    with (second.root / "a.md").open("ab", buffering=0) as writer:
        with pytest.raises(Busy, match=r"a\.md is open in another program"):
            second.cycle()
        with pytest.raises(Busy):
            second.cycle()
        before = second.tip()
        with pytest.raises(Busy):
            second.cycle()
        assert second.tip() == before
        assert second.read("b.md") == "beta\n"
        assert not (second.root / "z.md").exists()
        first.cycle()
        assert first.read("mine.md") == "mine\n"
        writer.write(b"late\n")
    settled(pair, rounds=2)

    assert first.disk() == second.disk() == first.tree()
    assert b"alpha" in first.text()
    assert b"late" in first.text()


@pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="no leases here")
def test_an_open_file_in_the_way_of_a_folder_delays_what_goes_there(pair):
    first, second = pair
    write_all(first, {"x": "start\n", "b.md": "b\n"})
    settled(pair, rounds=1)
    first.delete("x")
    write_all(first, {"x/y.md": "omega\n", "b.md": "beta\n"})
    first.cycle()

    with (second.root / "x").open("ab"), pytest.raises(Busy, match="x is open"):
        second.cycle()

    assert second.read("b.md") == "beta\n"
    assert second.read("x") == "start\n"
    settled(pair, rounds=2)
    assert first.disk() == second.disk() == first.tree()
    assert second.read("x/y.md") == "omega\n"


def test_a_huge_file_at_an_incoming_path_is_set_aside_whole(pair, monkeypatch):
    first, second = pair
    monkeypatch.setattr(Tree.read, "__kwdefaults__", {"limit_bytes": 2_000_000})
    first.write("a.md", "alpha\n")
    first.cycle()
    huge = b"0123456789" * 300_000
    second.write("a.md", huge)

    second.cycle()

    [kept] = second.root.glob("a.conflict-*.md")
    assert kept.read_bytes() == huge
    assert second.read("a.md") == "alpha\n"
    assert [each.path for each in second.cycle().refused] == [kept.name]
