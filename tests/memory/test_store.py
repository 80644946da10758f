import contextlib
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from tests.memory.conftest import TODAY, BusyTree

from gitmem.errors import (
    GitmemError,
    InvalidMemory,
    NotFound,
    PathRefused,
    SecretRefused,
    StaleWrite,
    UsageError,
)
from gitmem.memory.draft import Draft
from gitmem.memory.hashes import hash_of
from gitmem.memory.store import ABSENT, Proposed

REMOTE = "example.org/ada/alpha"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
NOTE = Draft({"description": "what"}, "text\n")
NOTE_TEXT = (
    f'---\ndescription: what\ntags: []\ncreated: "{TODAY}"\nupdated: "{TODAY}"\n---\n'
    "\ntext\n"
)


def test_a_written_memory_is_read_back_with_its_hash(memory):
    written = memory.store().write("core/a.md", NOTE)
    read = memory.store().read("alpha/core/a.md")
    assert (PurePosixPath("alpha/core/a.md"), NOTE_TEXT.encode()) == (
        read.path,
        read.data,
    )
    assert (written.hash, True, False) == (
        read.hash,
        written.is_changed,
        read.is_changed,
    )


def test_an_update_replaces_the_text_and_keeps_unknown_fields(memory):
    memory.put("alpha/a.md", '---\nx: y # z\nupdated: "2020-01-01"\n---\nold\n')
    memory.store().write("a.md", Draft({"description": "new"}, "new"))
    assert (
        f'---\nx: y # z\nupdated: "{TODAY}"\ndescription: new\n---\nnew\n'
    ) == memory.text("alpha/a.md")


def test_a_document_is_written_as_it_is(memory):
    document = b"---\n# mine\ndescription: 'd'\ncreated: 1\nupdated: 2\n---\ntext\n"
    memory.store().write_document("a.md", document)
    assert document == memory.store().read("a.md").data


def test_a_text_with_fields_beside_it_makes_a_memory(memory):
    fields = {"description": "what", "tags": ("a",)}
    memory.store().write_document("a.md", b"# Title\n", fields)
    assert (
        f'---\ndescription: what\ntags: [a]\ncreated: "{TODAY}"\nupdated: "{TODAY}"\n'
        "---\n\n# Title\n"
    ) == memory.text("alpha/a.md")


@pytest.mark.parametrize("name", ["USER.md", "TASK.md", "MEMORY.md"])
def test_a_template_makes_a_memory_under_the_strict_contract(
    memory, repository_root, name
):
    template = repository_root / "skills/memory-init/templates" / name
    store = memory.store(tag_contract="strict")
    stored = store.write_document(f"global/{name}", template.read_bytes())
    assert f'updated: "{TODAY}"\n'.encode() in stored.data


def test_a_text_without_frontmatter_updates_the_text_alone(memory):
    memory.store().write("a.md", NOTE)
    memory.store().write_document("a.md", b"other\n")
    assert NOTE_TEXT.replace("text", "other") == memory.text("alpha/a.md")


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b" \n\n",
        b"a\xff\n",
        b"a\0\n",
        b"---\ndescription: d\ntext\n",
        b"---\ndescription: [a, b\n---\n",
        b'---\ndescription: d\ntags: ["!!!"]\n---\n',
        b'---\ndescription: d\ntags: ["a,b"]\n---\n',
    ],
    ids=ascii,
)
def test_what_is_no_text_replaces_nothing(memory, document):
    before = memory.store().write("a.md", NOTE).data
    with pytest.raises(InvalidMemory):
        memory.store().write_document("a.md", document)
    assert before == memory.store().read("a.md").data


def test_writing_the_same_again_writes_nothing(memory):
    memory.put("alpha/a.md", '---\ndescription: what\nupdated: "2020-01-01"\n---\nx\n')
    before = (memory.root / "alpha/a.md").stat().st_ino
    stored = memory.store().write("a.md", Draft({"description": "what"}, "x\n"))
    assert (False, before) == (
        stored.is_changed,
        (memory.root / "alpha/a.md").stat().st_ino,
    )


@pytest.mark.parametrize("length", [12, 64])
def test_the_expected_hash_allows_the_write(memory, length):
    known = memory.store().write("a.md", NOTE).hash[:length]
    stored = memory.store().write("a.md", Draft(body="new\n"), expected_hash=known)
    assert stored.is_changed


def test_a_proposal_says_what_a_write_would_do_and_writes_nothing(memory):
    store = memory.store()
    proposed = store.propose("core/a.md", NOTE)

    place = PurePosixPath("alpha/core/a.md")
    assert Proposed(place, None, NOTE_TEXT.encode()) == proposed
    assert () == store.list()
    store.write("core/a.md", NOTE, expected_hash=proposed.expected_hash)
    assert NOTE_TEXT == memory.text("alpha/core/a.md")


def test_a_write_that_expects_nothing_there_replaces_nothing(memory):
    memory.put("alpha/a.md", "mine\n")

    with pytest.raises(StaleWrite, match="exists by now"):
        memory.store().write("a.md", NOTE, expected_hash=ABSENT)

    assert "mine\n" == memory.text("alpha/a.md")


def test_another_hash_is_stale_and_the_hint_has_the_current_one(memory):
    current = memory.store().write("a.md", NOTE).hash
    with pytest.raises(StaleWrite) as stale:
        memory.store().write("a.md", Draft(body="new"), expected_hash=hash_of(b"old"))
    assert current in stale.value.hint
    assert NOTE_TEXT == memory.text("alpha/a.md")


def test_an_expected_hash_of_a_file_that_is_gone_is_stale(memory):
    with pytest.raises(StaleWrite):
        memory.store().write("a.md", NOTE, expected_hash=hash_of(b"old"))
    assert {} == memory.files()


@pytest.mark.parametrize("text", ["", "abc", "A" * 64, "g" * 64, "0" * 65])
def test_a_hash_that_is_none_is_wrong_usage(memory, text):
    memory.store().write("a.md", NOTE)
    with pytest.raises(UsageError):
        memory.store().write("a.md", Draft(body="new"), expected_hash=text)


@pytest.mark.parametrize(
    ("draft", "error"),
    [
        pytest.param(Draft(body="text"), InvalidMemory, id="no-description"),
        pytest.param(
            Draft({"description": "d"}, TOKEN),
            SecretRefused,
            id="secret",
        ),
        pytest.param(Draft({"description": "d"}, "a\udce4"), InvalidMemory, id="bytes"),
    ],
)
def test_a_refused_write_leaves_nothing_behind(memory, draft, error):
    with pytest.raises(error):
        memory.store(remote=REMOTE).write("core/a.md", draft)
    assert ({}, []) == (memory.files(), os.listdir(memory.root))


def test_a_warning_comes_with_the_written_memory(memory):
    draft = Draft({"description": "d"}, TOKEN)
    assert 1 == len(memory.store(secrets="warn").write("a.md", draft).warnings)


def test_the_strict_contract_counts_the_tags_of_the_layer(memory):
    tags = [f"[t{n}, u{n}]" for n in range(100)]
    texts = [f"---\ndescription: d\ntags: {each}\n---\n" for each in tags]
    paths = [memory.put(f"alpha/{n}.md", text) for n, text in enumerate(texts)]
    strict = memory.store(tag_contract="strict")
    with pytest.raises(InvalidMemory):
        strict.write("new.md", Draft({"description": "d", "tags": ["new"]}))
    strict.write("known.md", Draft({"description": "d", "tags": ["T5"]}))
    strict.write("global/new.md", Draft({"description": "d", "tags": ["new"]}))
    strict.write("0.md", Draft({"tags": ["t1"]}))
    assert 100 == len(paths)


def test_a_memory_is_edited_in_a_layer_that_has_too_many_tags(memory):
    texts = [f"---\ndescription: d\ntags: [t{n}]\n---\n" for n in range(210)]
    paths = [memory.put(f"alpha/{n}.md", text) for n, text in enumerate(texts)]
    strict = memory.store(tag_contract="strict")

    edited = strict.write("0.md", Draft({}, "More.\n"))

    assert (edited.is_changed, len(paths)) == (True, 210)
    with pytest.raises(InvalidMemory):
        strict.write("0.md", Draft({"tags": ["new"]}))


def test_a_move_takes_the_bytes_along(memory):
    memory.put("alpha/a.md", b"\xef\xbb\xbftext")
    stored = memory.store().move("a.md", "archive/b.md")
    assert ({"alpha/archive/b.md": b"\xef\xbb\xbftext"}, True) == (
        memory.files(),
        stored.is_changed,
    )


def test_a_move_onto_another_memory_is_refused(memory):
    memory.put("alpha/a.md", "a\n")
    memory.put("alpha/b.md", "b\n")
    with pytest.raises(PathRefused):
        memory.store().move("a.md", "b.md")
    assert {"alpha/a.md": b"a\n", "alpha/b.md": b"b\n"} == memory.files()


def test_a_move_of_what_changed_is_refused(memory):
    memory.put("alpha/a.md", "a\n")
    with pytest.raises(StaleWrite):
        memory.store().move("a.md", "b.md", expected_hash=hash_of(b"old"))
    assert {"alpha/a.md": b"a\n"} == memory.files()


def test_a_move_between_layers_follows_the_rules_of_the_other_place(memory):
    memory.put("alpha/a.md", "x" * 9000)
    with pytest.raises(InvalidMemory):
        memory.store().move("a.md", "global/USER.md")


def test_a_deleted_memory_is_gone_with_its_empty_folder(memory):
    memory.put("alpha/core/a.md", "a\n")
    gone = memory.store().delete("core/a.md", expected_hash=hash_of(b"a\n"))
    assert (b"a\n", []) == (gone.data, os.listdir(memory.root))


def test_a_delete_of_what_changed_is_refused(memory):
    memory.put("alpha/a.md", "a\n")
    with pytest.raises(StaleWrite):
        memory.store().delete("a.md", expected_hash=hash_of(b"old"))
    assert {"alpha/a.md": b"a\n"} == memory.files()


@pytest.mark.parametrize("verb", ["read", "delete"])
def test_a_memory_that_is_not_there_is_named(memory, verb):
    memory.put("alpha/USER.md", "a\n")
    with pytest.raises(NotFound) as missing:
        getattr(memory.store(), verb)("user.md")
    assert "alpha/USER.md" in missing.value.hint


def test_only_the_memories_of_both_layers_are_listed(memory):
    memory.put("alpha/core/a.md")
    memory.put("alpha/image.png")
    memory.put("beta/b.md")
    memory.put("global/c.md")
    memory.put("README.md")
    assert ["alpha/core/a.md", "global/c.md"] == [
        str(path) for path in memory.store().list()
    ]


def test_the_first_write_claims_the_layer_for_its_project(memory):
    memory.store(remote=REMOTE).write("a.md", NOTE)
    assert f"remotes: [{REMOTE}]\n" in memory.text("alpha/PROJECT.md")


def test_a_claim_is_told_to_whoever_writes_by_other_means(memory):
    claim = memory.store(remote=REMOTE).claimed()

    assert (str(claim.path), claim.before) == ("alpha/PROJECT.md", None)
    assert f"remotes: [{REMOTE}]\n".encode() in claim.after


def test_without_a_remote_there_is_nothing_to_claim(memory):
    assert memory.store(remote=None).claimed() is None


def test_a_layer_is_claimed_once(memory):
    memory.store(remote=REMOTE).write("a.md", NOTE)
    before = memory.text("alpha/PROJECT.md")
    memory.store(remote=REMOTE).write("b.md", NOTE)
    assert before == memory.text("alpha/PROJECT.md")


def test_a_claim_is_added_to_a_file_that_has_none(memory):
    memory.put("alpha/PROJECT.md", "---\ndescription: mine\n---\nbody\n")
    memory.store(remote=REMOTE).write("a.md", NOTE)
    text = memory.text("alpha/PROJECT.md")
    assert text.startswith("---\ndescription: mine\n")
    assert f"remotes: [{REMOTE}]\n" in text
    assert text.endswith("---\nbody\n")


@pytest.mark.parametrize("path", ["global/a.md", "alpha/PROJECT.md"])
def test_what_is_not_the_projects_own_claims_nothing(memory, path):
    memory.store(remote=REMOTE).write(path, NOTE)
    assert [path] == list(memory.files())


def test_a_layer_that_another_project_claimed_meanwhile_is_left_alone(memory):
    memory.store(remote="example.org/bob/alpha").write("a.md", NOTE)
    with pytest.raises(PathRefused):
        memory.store(remote=REMOTE).write("b.md", NOTE)
    assert ["alpha/PROJECT.md", "alpha/a.md"] == sorted(memory.files())


def test_an_edit_made_between_reading_and_writing_is_kept(memory):
    memory.put("alpha/a.md", "old\n")
    memory.tree = BusyTree(memory.root, before={"alpha/a.md": "theirs\n"})
    with pytest.raises(StaleWrite):
        memory.store().write("a.md", Draft(body="ours\n"))
    assert {"alpha/a.md": b"theirs\n"} == memory.files()


def test_a_file_that_appears_while_one_is_created_is_kept(memory):
    memory.tree = BusyTree(memory.root, before={"alpha/a.md": "theirs\n"})
    with pytest.raises(StaleWrite):
        memory.store().write("a.md", NOTE)
    assert {"alpha/a.md": b"theirs\n"} == memory.files()


def test_an_edit_made_right_after_the_write_is_told(memory):
    memory.tree = BusyTree(memory.root, after={"alpha/a.md": "theirs\n"})
    with pytest.raises(StaleWrite):
        memory.store().write("a.md", NOTE)
    assert {"alpha/a.md": b"theirs\n"} == memory.files()


def test_a_memory_edited_while_it_is_moved_stays_where_it_is(memory):
    memory.put("alpha/a.md", "old\n")
    memory.tree = BusyTree(memory.root, before={"alpha/a.md": "theirs\n"})
    with pytest.raises(StaleWrite):
        memory.store().move("a.md", "b.md")
    assert {"alpha/a.md": b"theirs\n"} == memory.files()


def test_a_memory_edited_while_it_is_deleted_is_kept(memory):
    memory.put("alpha/a.md", "old\n")
    memory.tree = BusyTree(memory.root, before={"alpha/a.md": "theirs\n"})
    with pytest.raises(StaleWrite):
        memory.store().delete("a.md")
    assert {"alpha/a.md": b"theirs\n"} == memory.files()


def test_a_claim_of_the_same_project_made_meanwhile_is_enough(memory):
    claim = f"---\nremotes: [{REMOTE}]\n---\n"
    memory.tree = BusyTree(memory.root, before={"alpha/PROJECT.md": claim})
    memory.store(remote=REMOTE).write("a.md", NOTE)
    assert claim == memory.text("alpha/PROJECT.md")


def test_a_claim_of_another_project_made_meanwhile_stops_the_write(memory):
    claim = "---\nremotes: [example.org/bob/alpha]\n---\n"
    memory.tree = BusyTree(memory.root, before={"alpha/PROJECT.md": claim})
    with pytest.raises(PathRefused):
        memory.store(remote=REMOTE).write("a.md", NOTE)
    assert ["alpha/PROJECT.md"] == list(memory.files())


@pytest.mark.parametrize("link", ["alpha", "alpha/core", "alpha/core/a.md"])
@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(lambda store: store.read("core/a.md"), id="read"),
        pytest.param(lambda store: store.write("core/a.md", NOTE), id="write"),
        pytest.param(lambda store: store.delete("core/a.md"), id="delete"),
        pytest.param(lambda store: store.move("core/a.md", "b.md"), id="move"),
        pytest.param(lambda store: store.move("global/x.md", "core/a.md"), id="into"),
    ],
)
def test_no_link_is_followed_by_any_verb(memory, tmp_path, verb, link):
    outside = tmp_path / "outside"
    (outside / "core").mkdir(parents=True)
    (outside / "a.md").write_text("secret\n")
    (outside / "core/a.md").write_text("secret\n")
    memory.put("global/x.md", "x\n")
    place = memory.root / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside / "a.md" if link.endswith(".md") else outside)
    with pytest.raises(PathRefused):
        verb(memory.store())
    assert ["a.md", "core/a.md", "x\n"] == [
        *sorted(str(p.relative_to(outside)) for p in outside.rglob("*.md")),
        memory.text("global/x.md"),
    ]


SWAPPER = """
import os, sys
from gitmem.files.tree import _swap
folder = os.open(sys.argv[1], os.O_RDONLY)
for _ in range(4000):
    _swap(folder, "core", "link")
"""


def test_a_link_swapped_in_while_writing_leads_nowhere(memory, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    memory.put("alpha/core/keep.md")
    (memory.root / "alpha/link").symlink_to(outside)
    command = [sys.executable, "-c", SWAPPER, memory.root / "alpha"]
    with subprocess.Popen(command) as swapper:
        attempts = write_until(memory, lambda: swapper.poll() is not None, at_least=60)
    assert (0, []) == (swapper.returncode, os.listdir(outside))
    assert attempts >= 60
    assert memory.store().write("core/last.md", NOTE).is_changed


def write_until(memory, is_over, *, at_least):
    number = 0
    while number < at_least or not is_over():
        with contextlib.suppress(GitmemError):
            memory.store().write(f"core/{number}.md", NOTE)
        number += 1
    return number


APPENDER = """
import sys
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from gitmem.errors import StaleWrite
from gitmem.files.tree import Tree
from gitmem.memory.draft import Draft
from gitmem.memory.layout import Layer
from gitmem.memory.rules import Rules
from gitmem.memory.layout import Access
from gitmem.memory.store import Store
access = Access(Layer("alpha", PurePosixPath("alpha")), None, "example.org/ada/alpha")
store = Store(Tree(Path(sys.argv[1])), access, Rules(), lambda: datetime.now(UTC))
store.write(f"{sys.argv[2]}.md", Draft({"description": "d"}, "x"))
for number in range(15):
    while True:
        read = store.read("a.md")
        body = read.data.decode().split("---\\n", 2)[2] + f"{sys.argv[2]}-{number}\\n"
        try:
            store.write("a.md", Draft(body=body), expected_hash=read.hash)
        except StaleWrite:
            continue
        break
"""


def test_two_processes_that_write_at_once_lose_nothing(memory):
    memory.put("alpha/a.md", "---\ndescription: d\n---\n\n")
    source = Path(__file__).parents[2] / "src"
    environment = {**os.environ, "PYTHONPATH": str(source)}
    command = [sys.executable, "-c", APPENDER, memory.root]
    with (
        subprocess.Popen([*command, "one"], env=environment) as one,
        subprocess.Popen([*command, "two"], env=environment) as two,
    ):
        assert (0, 0) == (one.wait(60), two.wait(60))
    lines = memory.text("alpha/a.md").split("---\n", 2)[2].split()
    expected = [f"{name}-{n}" for name in ("one", "two") for n in range(15)]
    assert sorted(expected) == sorted(lines)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_named(memory):
    folder = memory.put("alpha/a.md").parent
    folder.chmod(0o500)
    with pytest.raises(PathRefused) as refused:
        memory.store().write("a.md", Draft(body="new\n"))
    folder.chmod(0o700)
    assert "alpha/a.md" in refused.value.message


@pytest.mark.slow
def test_a_layer_of_ten_thousand_memories_is_listed_whole(memory):
    folder = memory.put("alpha/notes/0.md").parent
    written = [(folder / f"{n}.md").write_bytes(b"text\n") for n in range(10_000)]
    assert len(written) == len(memory.store().list())


STRICT = Draft({"description": "d", "tags": ["one"]}, "text\n")


def test_a_tag_that_the_layer_spells_otherwise_is_told(memory):
    memory.put("alpha/a.md", "---\ndescription: d\ntags: [Deploy Key]\n---\n")
    store = memory.store(tag_contract="strict")

    stored = store.write("b.md", Draft({"description": "d", "tags": ["deploy-key"]}))

    assert stored.warnings == (
        "'deploy-key' is spelled 'Deploy Key' in this layer; it is one tag",
    )


def test_what_cannot_be_read_beside_it_keeps_no_memory_from_being_written(memory):
    memory.put("alpha/huge.md", "---\ndescription: d\ntags: [a]\n---\n")
    os.mkfifo(memory.root / "alpha/pipe.md")
    (memory.root / "alpha/link.md").symlink_to("/etc/hostname")
    (memory.root / "alpha/odd.md").write_bytes(b"\xff\xfe\x00tags: [x\n")

    stored = memory.store(tag_contract="strict").write("b.md", STRICT)

    assert stored.is_changed


def test_the_tags_of_packets_take_no_room_in_the_layer(memory):
    many = ", ".join(f"t{number}" for number in range(200))
    memory.put("alpha/packets/2026/03/a.md", f"---\ntags: [{many}]\n---\n")

    assert memory.store(tag_contract="strict").write("b.md", STRICT).is_changed


def test_a_move_to_another_layer_is_held_to_the_strict_contract(memory):
    memory.put("alpha/a.md", "---\ndescription: d\ntags: [a, b, c, d]\n---\n")
    store = memory.store(tag_contract="strict")

    with pytest.raises(InvalidMemory, match="keep at most 3"):
        store.move("a.md", "global/a.md")

    assert memory.text("alpha/a.md").startswith("---")
