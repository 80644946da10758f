import os
from pathlib import PurePosixPath as P

import pytest

from gitmem.errors import PathRefused
from gitmem.memory.layout import Layer
from gitmem.memory.places import Place, find, for_writing, locate

ALPHA = Layer("alpha", P("alpha"))
SHARED = Layer("global", P("global"), is_shared=True)


def located(memory, text, shared=SHARED):
    return str(locate(memory.tree, text, project=ALPHA, shared=shared))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("alpha/core/a.md", "alpha/core/a.md", id="from-the-root"),
        pytest.param("core/a.md", "alpha/core/a.md", id="from-the-layer"),
        pytest.param("a.md", "alpha/a.md", id="name-alone"),
        pytest.param("global/a.md", "global/a.md", id="shared"),
        pytest.param("GLOBAL/a.md", "global/a.md", id="shared-in-capitals"),
        pytest.param("Alpha/a.md", "alpha/a.md", id="layer-in-capitals"),
        pytest.param("own/a.md", "alpha/own/a.md", id="own-folder-like-a-layer"),
        pytest.param("gamma/a.md", "alpha/gamma/a.md", id="new-folder"),
        pytest.param("日本/語.md", "alpha/日本/語.md", id="any-script"),
    ],
)
def test_a_path_is_read_from_the_root_or_from_the_layer(memory, text, expected):
    memory.put("own/a.md")
    memory.put("alpha/own/b.md")
    assert expected == located(memory, text)


@pytest.mark.parametrize(
    "text",
    [
        "../a.md",
        "alpha/../beta/a.md",
        "core/../../a.md",
        "/etc/passwd.md",
        "//a.md",
        "./a.md",
        "",
        ".",
        "alpha",
        "alpha/",
        "global",
        "a.txt",
        "a",
        "beta/a.md",
        "tape/a.md",
        "TAPE/a.md",
        "tape/alpha/m.md",
        ".git/config.md",
        ".GIT/a.md",
        "alpha/.git/a.md",
        "alpha/git~1/a.md",
        "alpha/.gi\u200ct/a.md",
        ".hidden.md",
        "alpha/.obsidian/a.md",
        "CON.md",
        "alpha/nul/a.md",
        "a\nb.md",
        "a\x1b[31m.md",
        "a\u202eb.md",
        "a\0.md",
        "a\\b.md",
        "C:/a.md",
        "a:b.md",
        "a?.md",
        "a /b.md",
        "a./b.md",
        "-\udce4.md",
        "x/" * 500 + "a.md",
        "a" * 300 + ".md",
    ],
    ids=ascii,
)
def test_a_hostile_path_is_refused(memory, text):
    memory.put("beta/a.md")
    with pytest.raises(PathRefused):
        located(memory, text)


def test_the_shared_layer_is_refused_while_it_is_not_set(memory):
    memory.put("global/a.md")
    with pytest.raises(PathRefused) as refused:
        located(memory, "global/a.md", shared=None)
    assert "gitmem init --shared global" in refused.value.hint


def test_another_layer_is_refused_with_the_path_to_use_instead(memory):
    memory.put("notes/a.md")
    with pytest.raises(PathRefused) as refused:
        located(memory, "notes/deploy.md")
    assert "alpha/notes/deploy.md" in refused.value.hint


def test_a_linked_layer_is_refused(memory, tmp_path):
    (memory.root / "beta").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(PathRefused):
        located(memory, "beta/a.md")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("alpha/core/user.md", (True, None), id="there"),
        pytest.param("alpha/core/new.md", (False, None), id="not-there"),
        pytest.param("alpha/new/new.md", (False, None), id="folder-not-there"),
        pytest.param("alpha/core/USER.md", (False, P("alpha/core/user.md")), id="case"),
        pytest.param(
            "alpha/Core/user.md", (False, P("alpha/core/user.md")), id="folder-case"
        ),
        pytest.param(
            "alpha/Core/x/y.md", (False, P("alpha/core/x/y.md")), id="new-below-twin"
        ),
        pytest.param(
            "alpha/caf\u00e9.md", (False, P("alpha/cafe\u0301.md")), id="composed"
        ),
        pytest.param("alpha/cafe\u0301.md", (True, None), id="decomposed"),
    ],
)
def test_another_spelling_is_found(memory, path, expected):
    memory.put("alpha/core/user.md")
    memory.put("alpha/cafe\u0301.md")
    place = find(memory.tree, P(path))
    assert expected == (place.exists, place.twin)


def test_a_twin_cannot_be_written_and_the_existing_path_is_told(memory):
    memory.put("alpha/core/user.md")
    with pytest.raises(PathRefused) as refused:
        for_writing(memory.tree, P("alpha/core/User.md"))
    assert "alpha/core/user.md" in refused.value.hint


def test_a_new_name_is_spelled_composed(memory):
    place = for_writing(memory.tree, P("alpha/cafe\u0301.md"))
    assert Place(P("alpha/caf\u00e9.md"), exists=False) == place


def test_an_existing_decomposed_name_is_kept(memory):
    memory.put("alpha/cafe\u0301.md")
    place = for_writing(memory.tree, P("alpha/cafe\u0301.md"))
    assert Place(P("alpha/cafe\u0301.md"), exists=True) == place


@pytest.mark.parametrize("name", ["a.conflict-0a1b2c3d.md", "a.MD"])
def test_a_name_with_another_meaning_cannot_be_written_anew(memory, name):
    with pytest.raises(PathRefused):
        for_writing(memory.tree, P("alpha", name))


def test_a_name_that_is_there_can_be_written_whatever_it_means(memory):
    memory.put("alpha/a.conflict-0a1b2c3d.md")
    assert for_writing(memory.tree, P("alpha/a.conflict-0a1b2c3d.md")).exists


def test_no_name_behind_a_link_is_looked_at(memory, tmp_path):
    (tmp_path / "Secret.md").touch()
    memory.put("alpha/a.md")
    (memory.root / "alpha/link").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(PathRefused):
        find(memory.tree, P("alpha/link/secret.md"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_named(memory):
    folder = memory.put("alpha/core/a.md").parent
    folder.chmod(0)
    with pytest.raises(PathRefused) as refused:
        find(memory.tree, P("alpha/core/a.md"))
    folder.chmod(0o700)
    assert "alpha/core" in refused.value.message
