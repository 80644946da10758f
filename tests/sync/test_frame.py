"""What is damaged of Git's own folder is made anew, and nothing is lost by it."""

import pytest
from tests.sync.conftest import Machine, numbered, settled, write_all

from gitmem.errors import BadConfig, Corrupt
from gitmem.repo import damage, frame

NULS = b"\0" * 41


@pytest.fixture
def spoilt(pair):
    """Give two machines with a history, and an edit of the first that waits."""
    first, second = pair
    write_all(first, numbered(3, "proj"))
    settled(pair, rounds=1)
    first.write("proj/n0001.md", "edited\n")
    return first, second


def put(machine: Machine, name: str, data: bytes) -> None:
    path = machine.root / ".git" / name
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def agrees(machines) -> bool:
    """Say whether everything arrived everywhere, and is sound."""
    first, second = machines
    settled(machines, rounds=1)
    first.git_("fsck", "--strict")
    is_same = first.tree() == second.tree() == first.disk() == second.disk()
    edited = second.read("proj/n0001.md") == "edited\n"
    return is_same and edited and len(first.disk()) == 5 and first.is_clean()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"proj/n0000.md", b"proj/n0005.md"),
        (b"\x00\x00\x81\xa4", b"\x00\x00\x81\xb4"),
        (b"DIRC", b"DIRK"),
        (b"\0\0\0\2", b"\0\0\0\6"),
    ],
    ids=["name", "mode", "signature", "version"],
)
def test_an_index_with_a_turned_bit_reaches_no_commit(spoilt, old, new):
    first, _ = spoilt
    path = first.root / ".git" / "index"
    path.write_bytes(path.read_bytes().replace(old, new, 1))

    report = first.cycle()

    assert report.settled == ("what was damaged: .git/index is damaged",)
    assert report.pushed
    assert set(first.tree()) == set(first.disk())
    assert agrees(spoilt)


def test_an_index_that_is_gone_deletes_nothing_that_is_ignored(spoilt):
    first, _ = spoilt
    first.write(".git/info/exclude", "n0002.md\n")
    (first.root / ".git" / "index").unlink()

    first.cycle()

    assert "proj/n0002.md" in first.tree()


DAMAGE = {
    "index cut": ("index", b"DIRC\0\0\0\2\0\0\0\3" + bytes(28)),
    "index empty": ("index", b""),
    "branch zeros": ("refs/heads/main", NULS),
    "branch empty": ("refs/heads/main", b""),
    "branch garbage": ("refs/heads/main", b"garbage\n"),
    "remote zeros": ("refs/remotes/origin/main", NULS),
    "seen garbage": ("refs/gitmem/seen/main", b"garbage\n"),
    "another ref": ("refs/tags/mine", b""),
    "head empty": ("HEAD", b""),
    "head garbage": ("HEAD", b"\x07\x07\x07"),
    "head no branch": ("HEAD", b"ref: rffs/heads/main\n"),
    "packed refs": ("packed-refs", b"# pack-refs with: peeled \nnonsense\n"),
    "shallow": ("shallow", b"nonsense\n"),
    "config zeros": ("config", NULS),
    "config empty": ("config", b""),
    "info": ("info/attributes", b""),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_what_is_damaged_is_made_anew(spoilt, case):
    put(spoilt[0], *DAMAGE[case])

    assert agrees(spoilt)
    assert not tuple(frame.faults(spoilt[0].root / ".git"))


@pytest.mark.parametrize(
    "name", ["HEAD", "config", "index", "refs/heads/main", "refs/gitmem/seen/main"]
)
def test_what_is_missing_is_made_anew(spoilt, name):
    (spoilt[0].root / ".git" / name).unlink()

    assert agrees(spoilt)


@pytest.mark.parametrize(
    "name", ["index", "HEAD", "info/attributes", "index.lock", "shallow", "config"]
)
def test_a_folder_in_the_place_of_a_file_is_put_aside(spoilt, name):
    path = spoilt[0].root / ".git" / name
    path.unlink(missing_ok=True)
    (path / "inside").mkdir(parents=True)

    assert agrees(spoilt)


@pytest.mark.parametrize("name", ["info", "logs", "refs/remotes"])
def test_a_file_in_the_place_of_a_folder_is_put_aside(spoilt, name, tmp_path):
    path = spoilt[0].root / ".git" / name
    path.rename(tmp_path / "moved")
    path.write_bytes(b"not a folder")

    assert agrees(spoilt)


def test_what_was_damaged_is_kept_and_named(spoilt):
    first, _ = spoilt
    put(first, "refs/heads/main", b"garbage\n")

    report = first.cycle()

    kept = first.root / ".git" / damage.FOLDER / "refs-heads-main"
    assert kept.read_bytes() == b"garbage\n"
    assert report.settled == ("what was damaged: .git/refs/heads/main is damaged",)


def test_a_branch_that_is_gone_with_its_log_stands_where_it_was_recorded(spoilt):
    first, _ = spoilt
    tip = first.tip()
    first.git_("update-ref", "-d", "refs/heads/main")

    report = first.cycle()

    assert tip[:12] in report.settled[0]
    assert first.git_("merge-base", tip, "main").strip() == tip
    assert agrees(spoilt)


def test_a_configuration_that_git_cannot_read_is_said_to_be_that(spoilt):
    put(spoilt[0], "config", b"[core\n\tbare = false\n")

    with pytest.raises(BadConfig, match="bad config line 1") as caught:
        spoilt[0].cycle()

    assert "Mend that line" in caught.value.hint


def test_a_damaged_head_is_not_taken_for_no_repository(spoilt):
    put(spoilt[0], "HEAD", b"")

    with pytest.raises(Corrupt, match="is damaged") as caught:
        spoilt[0].engine.status()

    assert "gitmem sync" in caught.value.hint


def test_a_folder_that_is_not_gits_is_left_alone(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(b"mine")

    assert frame.mend(tmp_path / ".git", branch="main", url="") == ()
    assert (tmp_path / ".git" / "HEAD").read_bytes() == b"mine"


def test_a_persons_commit_that_no_other_git_could_read_is_not_pushed(spoilt):
    first, second = spoilt
    blob = first.git_("rev-parse", "main:proj/n0000.md").strip()
    entry = b"100644 twice\0" + bytes.fromhex(blob)
    (first.root.parent / "bad").write_bytes(entry + entry)
    tree = first.git_(
        "hash-object", "-t", "tree", "-w", "--literally", first.root.parent / "bad"
    ).strip()
    bad = first.git_("commit-tree", tree, "-p", "main", "-m", "bad").strip()
    first.git_("update-ref", "refs/heads/main", bad)

    report = first.cycle()

    assert report.pushed
    assert bad not in first.git_("rev-list", "main")
    assert first.git_("for-each-ref", "--contains", bad, "refs/gitmem/rescue").strip()
    assert second.cycle().fetched
    assert second.tree() == first.tree() == first.disk()
