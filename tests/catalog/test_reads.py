"""What was read after a cue is counted, fades, and may be lost."""

from datetime import date, timedelta

import pytest

from gitmem.catalog import builds, reads, schema
from gitmem.catalog.bearing import Said, bearing
from gitmem.catalog.reads import FADES_IN_DAYS, Reads, note

TODAY = date(2026, 3, 2)


@pytest.fixture
def count(house):
    """Say what is known of how often a memory was read."""
    house.put("p/a.md", "---\ntags: [box]\n---\n")
    house.refresh()

    def ask():
        found = bearing(house.catalog, Said("box", ["box"]), ("p",))
        return found.bearings[0].reads

    return ask


def test_each_read_is_counted(house, count):
    before = count().on(TODAY)
    note(house.catalog, "p/a.md", TODAY)
    note(house.catalog, "p/a.md", TODAY)

    assert (before, count()) == (0.0, Reads(2.0, TODAY))


def test_a_count_fades(house, count):
    later = TODAY + timedelta(days=FADES_IN_DAYS)
    note(house.catalog, "p/a.md", TODAY)

    assert count().on(later) == 0.5

    note(house.catalog, "p/a.md", later)

    assert count() == Reads(1.5, later)


def test_a_clock_that_went_back_makes_nothing_more(count):
    assert Reads(1.0, TODAY + timedelta(days=9)).on(TODAY) == 1.0


def test_a_change_of_the_memory_keeps_its_count(house, count):
    note(house.catalog, "p/a.md", TODAY)
    house.put("p/a.md", "---\ntags: [box]\n---\nmore\n", age=50)
    house.refresh()

    assert count() == Reads(1.0, TODAY)


def test_only_so_many_are_kept_and_the_oldest_go(house, count, monkeypatch):
    monkeypatch.setattr(reads, "KEPT", 2)
    note(house.catalog, "p/a.md", TODAY)
    note(house.catalog, "p/b.md", TODAY + timedelta(days=1))
    note(house.catalog, "p/c.md", TODAY + timedelta(days=2))

    assert count() == reads.NEVER


def test_nothing_is_counted_where_nothing_is_indexed(house):
    note(house.catalog, "p/a.md", TODAY)

    assert not house.catalog.is_built()


def test_nobody_waits_for_a_catalog_that_is_being_written(house, count):
    (file,) = house.catalog.folder.glob(f"build-*/{builds.ROWS}")
    writer = schema.open_writer(file)
    writer.execute("BEGIN IMMEDIATE")
    note(house.catalog, "p/a.md", TODAY)
    writer.execute("ROLLBACK")
    writer.close()

    assert count() == reads.NEVER
