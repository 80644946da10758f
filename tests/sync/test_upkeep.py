import pytest

from gitmem.errors import Busy
from gitmem.sync import upkeep as upkeeps
from gitmem.sync.upkeep import Upkeep, upkeep


def test_a_store_with_few_loose_objects_is_left_alone(alone):
    alone.write("a.md", "a\n")
    alone.cycle()

    found = upkeep(alone.repository)

    assert (found.loose, found.packs) == (found.loose_before, found.packs_before)


def test_loose_objects_are_packed_and_none_is_lost(alone, monkeypatch):
    monkeypatch.setattr(upkeeps, "LOOSE_AT_MOST", 2)
    alone.write("a.md", "a\n")
    alone.cycle()
    orphan = alone.repository.store([b"nobody names this"])[0]

    found = alone.engine.maintain()

    assert (found.loose, found.packs) == (0, 1)
    assert alone.repository.blobs([orphan]) == {orphan: b"nobody names this"}
    assert alone.engine.maintain() == Upkeep(0, 1, 0, 1)


def test_packing_that_packs_nothing_is_told(alone, monkeypatch):
    monkeypatch.setattr(upkeeps, "LOOSE_AT_MOST", 0)
    alone.write("a.md", "a\n")
    alone.cycle()
    repository = alone.repository
    monkeypatch.setattr(repository, "pack", lambda: None)

    with pytest.raises(Busy, match="could not be packed"):
        upkeep(repository)
