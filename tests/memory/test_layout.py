from pathlib import PurePosixPath as P

import pytest

from gitmem.memory.layout import (
    Layer,
    is_claim,
    is_core,
    is_daily,
    is_layer_name,
    is_listed,
    is_memory,
    is_profile,
)

ALPHA = Layer("alpha", P("alpha"))
SHARED = Layer("global", P("global"), is_shared=True)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("alpha/core/user.md", True, id="in-core"),
        pytest.param("alpha/README.md", True, id="readme-of-a-layer"),
        pytest.param("alpha/Notes.MD", True, id="capital-suffix"),
        pytest.param("README.md", False, id="root"),
        pytest.param("tape/alpha/x.md", False, id="tape"),
        pytest.param("TAPE/x.md", False, id="pi-memory-md-tape"),
        pytest.param("alpha/.obsidian/x.md", False, id="hidden-folder"),
        pytest.param("alpha/.x.md", False, id="hidden-file"),
        pytest.param("alpha/x.txt", False, id="other-suffix"),
        pytest.param("alpha/md", False, id="no-suffix"),
    ],
)
def test_a_memory_is_a_markdown_file_in_a_layer(path, expected):
    assert expected == is_memory(P(path))


@pytest.mark.parametrize(
    ("path", "layer", "expected"),
    [
        pytest.param("alpha/core/a.md", ALPHA, True, id="core"),
        pytest.param("alpha/core/project/a.md", ALPHA, True, id="below-core"),
        pytest.param("alpha/notes/a.md", ALPHA, False, id="other-folder"),
        pytest.param("alpha/PROJECT.md", ALPHA, False, id="layer-root"),
        pytest.param("alphabet/core/a.md", ALPHA, False, id="layer-of-like-name"),
        pytest.param("global/notes/a.md", SHARED, True, id="anywhere-in-shared"),
        pytest.param("global/notes/a.txt", SHARED, False, id="no-memory"),
    ],
)
def test_the_shared_layer_and_a_projects_core_are_listed(path, layer, expected):
    assert expected == is_listed(P(path), layer)


@pytest.mark.parametrize("name", [".git", ".obsidian", "tape", "TAPE"])
def test_reserved_folders_are_no_layers(name):
    assert not is_layer_name(name)


@pytest.mark.parametrize(
    ("claim", "path"),
    [
        pytest.param(is_profile, P("global/USER.md"), id="profile"),
        pytest.param(is_memory, SHARED.index, id="index"),
        pytest.param(is_daily, P("global/daily/2026-02-14.md"), id="daily"),
        pytest.param(is_claim, ALPHA.claim, id="claim"),
        pytest.param(is_core, ALPHA.core / "USER.md", id="core"),
    ],
)
def test_a_layer_knows_where_its_special_files_are(claim, path):
    assert claim(path)


@pytest.mark.parametrize(
    ("claim", "path"),
    [
        pytest.param(is_profile, "alpha/core/USER.md", id="profile-in-core"),
        pytest.param(is_daily, "alpha/daily/notes.md", id="no-day"),
        pytest.param(is_daily, "alpha/2026-02-14.md", id="not-in-daily"),
        pytest.param(is_claim, "alpha/core/PROJECT.md", id="claim-in-core"),
        pytest.param(is_core, "alpha/core.md", id="file-called-core"),
    ],
)
def test_a_special_name_elsewhere_is_nothing_special(claim, path):
    assert not claim(P(path))
