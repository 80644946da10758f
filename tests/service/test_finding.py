"""Find memories by what they mean, when a model is named."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.app import connect
from gitmem.errors import SettingsError

MODEL = "car 1 0\nautomobile 1 0.1\ntree 0 1\n"
MEMORIES = {
    "beacon/garage.md": "---\ndescription: keys\n---\nWhere the car is.\n",
    "beacon/wood.md": "---\ndescription: walks\n---\nA tree.\n",
}


@pytest.fixture
def model(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "vectors.txt").write_text(MODEL)
    return folder


def remembering(connected, **settings):
    made = connected(**settings)
    made.init()
    root = made.rooms.root
    for path, text in MEMORIES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return made


def found(service, query):
    return [str(hit.path) for hit in service.search(query, limit=5).hits]


def test_search_finds_by_meaning_with_a_model_and_not_without(connected, model):
    assert found(remembering(connected), "automobile") == []
    service = connected(GITMEM_SEARCH__SEMANTIC=str(model))
    assert found(service, "automobile") == ["beacon/garage.md"]


def test_folder_without_a_model_is_told_of(connected, tmp_path):
    service = remembering(connected, GITMEM_SEARCH__SEMANTIC=str(tmp_path / "none"))
    with pytest.raises(SettingsError, match="There is no model in"):
        service.search("car", limit=5)


def test_refresh_makes_the_vectors_that_a_search_has_no_time_for(
    connected, model, tmp_path
):
    ready = remembering(connected, GITMEM_SEARCH__SEMANTIC=str(model))
    clock = iter(datetime(2026, 3, 2, tzinfo=UTC) + timedelta(n) for n in range(99))
    hasty = connect(
        ready.rooms.cwd,
        environment={
            "HOME": str(tmp_path / "oak"),
            "GITMEM_HOME": str(tmp_path / "oak" / "gitmem"),
            "GITMEM_SEARCH__SEMANTIC": str(model),
        },
        now=lambda: next(clock),
    )
    assert found(hasty, "automobile") == []
    ready.refresh()
    assert found(hasty, "automobile") == ["beacon/garage.md"]
