import shutil
from pathlib import Path, PurePosixPath

import pytest

from gitmem.memory.claims import (
    choose,
    claimed_remotes,
    layers,
    resolve,
    rivals,
    shared_layer,
    with_claim,
)
from gitmem.memory.layout import Layer
from gitmem.project.identity import Project

A = "example.org/ada/alpha"
B = "example.org/bob/alpha"
C = "forge.example/bob/alpha"


def project(name="alpha", remote=None):
    return Project(Path("/somewhere"), name, remote, is_git=remote is not None)


def layer(name, *remotes):
    return Layer(name, PurePosixPath(name), remotes=remotes)


def chosen(candidates, name="alpha", remote=None, shared="global"):
    found = choose(candidates, project(name, remote), shared_name=shared)
    return found.name, found.exists


@pytest.mark.parametrize(
    ("candidates", "remote", "expected"),
    [
        pytest.param([], None, ("alpha", False), id="nothing-yet"),
        pytest.param([], A, ("alpha", False), id="nothing-yet-with-remote"),
        pytest.param([layer("alpha")], A, ("alpha", True), id="unclaimed"),
        pytest.param([layer("alpha", A)], A, ("alpha", True), id="own-claim"),
        pytest.param([layer("work", A)], A, ("work", True), id="claim-beats-name"),
        pytest.param(
            [layer("alpha"), layer("work", A)], A, ("work", True), id="claim-first"
        ),
        pytest.param([layer("alpha", A)], B, ("bob-alpha", False), id="taken"),
        pytest.param(
            [layer("alpha", A), layer("bob-alpha")],
            B,
            ("bob-alpha", True),
            id="taken-and-owner-there",
        ),
        pytest.param(
            [layer("alpha", A), layer("bob-alpha", B)],
            C,
            ("bob-alpha-a92aea84", False),
            id="owner-taken-too",
        ),
        pytest.param(
            [layer("alpha", A), layer("bob-alpha", A), layer("bob-alpha-a92aea84", B)],
            C,
            ("bob-alpha-a92aea84", False),
            id="all-taken",
        ),
        pytest.param([layer("alpha", A)], None, ("alpha", True), id="outside-git"),
        pytest.param([layer("ALPHA")], A, ("ALPHA", True), id="other-case"),
        pytest.param(
            [layer("ALPHA"), layer("alpha")], A, ("alpha", True), id="exact-first"
        ),
        pytest.param(
            [layer("x", A), layer("b", A), layer("alpha", A)],
            A,
            ("alpha", True),
            id="rivals-by-name",
        ),
        pytest.param(
            [layer("x", A), layer("B", A)], A, ("B", True), id="rivals-in-order"
        ),
    ],
)
def test_a_project_gets_the_layer_that_is_its_own(candidates, remote, expected):
    assert expected == chosen(candidates, remote=remote)


def test_the_order_of_folders_decides_nothing():
    candidates = [layer("x", A), layer("b", A), layer("ALPHA", B), layer("alpha", B)]
    assert chosen(candidates, remote=A) == chosen(candidates[::-1], remote=A)


@pytest.mark.parametrize("name", ["team", "TEAM"])
def test_a_project_named_like_the_shared_layer_gets_another_name(name):
    assert f"project-{name}" == chosen([], name=name, shared="team")[0]


def test_decomposed_and_composed_names_are_one():
    candidates = [layer("cafe\u0301")]
    assert ("cafe\u0301", True) == chosen(candidates, name="caf\u00e9")


def test_two_projects_of_one_name_never_share(memory):
    memory.put("alpha/PROJECT.md", with_claim(None, "alpha", A, "2026-11-30"))
    first = resolve(memory.tree, project(remote=A), shared_name="global")
    second = resolve(memory.tree, project(remote=B), shared_name="global")
    assert ("alpha", "bob-alpha") == (first.name, second.name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"remotes: [{A}, {B}]", (A, B), id="list"),
        pytest.param(f"remotes: {A}", (A,), id="text"),
        pytest.param("remotes:\n  - git@example.org:ada/alpha.git", (A,), id="scp"),
        pytest.param("remotes: ['https://u:t@example.org/ada/alpha']", (A,), id="url"),
        pytest.param(f"remotes: [{A}, {A}]", (A,), id="twice"),
        pytest.param("remotes: ['ext::sh -c x']", (), id="program"),
        pytest.param("remotes: {a: b}", (), id="mapping"),
        pytest.param("remotes: [[a]]", (), id="nested"),
        pytest.param("remotes:", (), id="empty"),
        pytest.param("tags: [a]", (), id="none"),
    ],
)
def test_claims_are_read_whatever_they_look_like(text, expected):
    assert expected == claimed_remotes(f"---\n{text}\n---\n".encode())


def test_a_claim_changes_only_its_own_lines():
    before = b"---\n# mine\ndescription: d\nupdated: '2020-01-01'\n---\nbody"
    after = (
        b"---\n# mine\ndescription: d\nupdated: '2026-11-30'\n"
        b"remotes: [example.org/ada/alpha]\n---\nbody"
    )
    assert after == with_claim(before, "alpha", A, "2026-11-30")


def test_only_plain_folders_are_layers(memory, tmp_path):
    memory.put("alpha/a.md")
    memory.put("global/a.md")
    memory.put(".obsidian/a.md")
    memory.put("tape/alpha/m.jsonl")
    memory.put("TAPE/x.jsonl")
    memory.put("CON/a.md")
    memory.put("file.md")
    (memory.root / "link").symlink_to(tmp_path, target_is_directory=True)
    found = layers(memory.tree, shared_name="global")
    assert [("global", True), ("alpha", False)] == [
        (x.name, x.is_shared) for x in found
    ]


def test_no_repository_has_no_layers(tmp_path, memory):
    memory.root.rmdir()
    assert () == layers(memory.tree, shared_name=None)


def test_a_linked_claim_is_not_read(memory, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_bytes(with_claim(None, "alpha", A, "2026-11-30"))
    memory.put("alpha/a.md")
    (memory.root / "alpha/PROJECT.md").symlink_to(outside)
    assert ((),) == tuple(x.remotes for x in layers(memory.tree, shared_name=None))


@pytest.mark.parametrize(
    ("shared", "expected"),
    [
        pytest.param(None, None, id="unset"),
        pytest.param("team", ("team", False), id="not-there-yet"),
        pytest.param("global", ("global", True), id="exact-of-two"),
        pytest.param("GLOBAL", ("Global", True), id="other-case"),
    ],
)
def test_the_shared_layer_is_there_only_when_it_is_set(memory, shared, expected):
    memory.put("global/a.md")
    memory.put("Global/a.md")
    found = shared_layer(memory.tree, shared_name=shared)
    assert expected == (found and (found.name, found.exists))


def test_an_unconfigured_shared_layer_is_nobodys(memory):
    memory.put("global/PROJECT.md", with_claim(None, "global", A, "2026-11-30"))
    found = resolve(memory.tree, project(remote=A), shared_name=None)
    assert ("alpha", False) == (found.name, found.exists)


def test_layers_that_claim_one_remote_are_told():
    first, second = layer("a", A), layer("b", B, A)
    assert {A: (first, second)} == rivals([second, first, layer("c", C)])


def test_a_repository_of_pi_memory_md_works_as_it_is(memory, repository_root):
    source = repository_root / "fixtures/layouts/pi-memory-md"
    shutil.copytree(source, memory.root, dirs_exist_ok=True)
    before = memory.files()
    found = resolve(
        memory.tree, project("my-app", "example.org/ada/my-app"), shared_name="global"
    )
    names = [each.name for each in layers(memory.tree, shared_name="global")]
    assert (["global", "my-app", "website"], "my-app", before) == (
        names,
        found.name,
        memory.files(),
    )
