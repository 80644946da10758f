"""What a daemon keeps open answers as if it were opened for each question."""

import os
import shutil
import threading
from contextlib import ExitStack
from datetime import date

import pytest
from tests.catalog.test_refresh import (
    build_of,
    damage_rows,
    damage_text,
    delete_rows,
    delete_text,
    empty_rows,
)

from gitmem.catalog import rows
from gitmem.catalog.bearing import Said, bearing
from gitmem.catalog.refresh import rebuild
from gitmem.catalog.search import SearchRequest, search
from gitmem.catalog.warm import Warm

TODAY = date(2026, 3, 2)
NOTE = "---\ndescription: the parser\n---\n"


@pytest.fixture
def warm(house):
    """Hold the catalog of a memory open, after a first question."""
    house.put("p/a.md", NOTE)
    house.refresh()
    house.catalog.close()
    held = Warm()
    asked(held, house)
    yield held
    held.close()


def asked(warm, house, query="parser"):
    """Ask both stores, and the memories that were kept."""
    with warm.catalog(house.catalog.folder) as catalog:
        hits = search(catalog, SearchRequest(query, today=TODAY), house.tree).hits
        found = bearing(catalog, Said(query), ["p"]).bearings
    assert {each.row.path for each in found} == {each.path for each in hits}
    return sorted((str(each.row.path), each.row.description) for each in found)


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def test_it_answers_again_from_what_is_open(warm, house):
    before = descriptors()

    assert [asked(warm, house) for _ in range(50)] == [[("p/a.md", "the parser")]] * 50
    assert descriptors() == before


def test_a_change_is_seen_by_the_next_question(warm, house):
    house.put("p/a.md", NOTE.replace("the parser", "a parser"))
    house.put("p/b.md", NOTE)
    house.refresh()

    assert asked(warm, house) == [("p/a.md", "a parser"), ("p/b.md", "the parser")]


def test_a_change_within_one_opening_is_seen(warm, house):
    with warm.catalog(house.catalog.folder) as catalog:
        assert len(bearing(catalog, Said("parser"), ["p"]).bearings) == 1
        house.put("p/a.md", NOTE.replace("the parser", "a parser"))
        house.refresh()
        (found,) = bearing(catalog, Said("parser"), ["p"]).bearings

    assert found.row.description == "a parser"


def test_a_rebuild_is_followed_and_the_old_build_let_go(warm, house):
    before = descriptors()
    house.put("p/a.md", NOTE.replace("the parser", "a parser"))
    rebuild(house.catalog, house.tree)

    assert asked(warm, house) == [("p/a.md", "a parser")]
    assert descriptors() == before


def test_a_catalog_that_was_removed_answers_nothing_until_it_is_there_again(
    warm, house
):
    shutil.rmtree(house.catalog.folder)

    assert asked(warm, house) == []
    house.refresh()
    assert asked(warm, house) == [("p/a.md", "the parser")]


@pytest.mark.parametrize(
    "harm", [damage_rows, empty_rows, delete_rows, delete_text, damage_text]
)
def test_damage_is_seen_and_mended_as_if_nothing_had_been_open(warm, house, harm):
    harm(build_of(house))

    assert asked(warm, house) == []
    house.refresh()
    assert asked(warm, house) == [("p/a.md", "the parser")]


def test_another_repository_is_answered_from_its_own(warm, house, tmp_path):
    with warm.catalog(tmp_path / "other") as other:
        assert rows.count(other) == 0

    assert asked(warm, house) == [("p/a.md", "the parser")]


def asked_at_once(warm, house):
    with ExitStack() as stack:
        both = [stack.enter_context(warm.catalog(house.catalog.folder)) for _ in "ab"]
        return [rows.count(each) for each in both]


def test_who_asks_meanwhile_opens_another_and_one_is_kept(warm, house):
    # SQLite keeps a closed descriptor for the next opening while another is open.
    asked_at_once(warm, house)
    before = descriptors()

    assert [asked_at_once(warm, house) for _ in range(9)] == [[1, 1]] * 9
    assert descriptors() == before


def test_threads_ask_in_turn(warm, house):
    answers = []
    for _ in range(4):
        thread = threading.Thread(target=lambda: answers.append(asked(warm, house)))
        thread.start()
        thread.join()

    assert answers == [[("p/a.md", "the parser")]] * 4


def test_closed_it_holds_nothing(house):
    house.put("p/a.md", NOTE)
    house.refresh()
    house.catalog.close()
    held = Warm()
    before = descriptors()
    asked(held, house)

    held.close()

    assert descriptors() == before
