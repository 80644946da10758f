"""Memories found by what they mean, with a small model in a folder."""

import os
from datetime import date

import pytest

from gitmem.catalog import vectors
from gitmem.catalog.meaning import Meaning
from gitmem.catalog.reason import Match
from gitmem.catalog.search import SearchRequest, search

TODAY = date(2026, 3, 2)
MODEL = """\
car 1 0 0
automobile 0.98 0.1 0
garage 0.9 0.2 0
tree 0 1 0
forest 0.1 0.9 0
invoice 0 0 1
"""
NOTE = "---\ndescription: x\n---\n"


class Understanding:
    """Searches a house by words and by meaning."""

    def __init__(self, house, folder):
        self.house = house
        self.folder = folder

    @property
    def meaning(self):
        return Meaning(self.house.catalog.folder, vectors.opened(self.folder))

    def catch_up(self, batches=1_000):
        may_go_on = iter([True] * batches + [False] * 2)
        return self.house.catalog.ask(
            lambda view: self.meaning.catch_up(
                view.rows, self.house.tree, may_go_on=lambda: next(may_go_on)
            ),
            default=-1,
        )

    def near(self, text, layers=None):
        return self.house.catalog.ask(
            lambda view: self.meaning.near(view.rows, text, layers), default={}
        )

    def hits(self, query, **options):
        request = SearchRequest(query, **options, today=TODAY)
        return search(self.house.catalog, request, self.house.tree, self.meaning).hits

    def found(self, query, **options):
        return [str(hit.path) for hit in self.hits(query, **options)]

    def files(self):
        return sorted(self.house.catalog.folder.glob("vectors-*.sqlite"))


@pytest.fixture
def mind(house, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "vectors.txt").write_text(MODEL)
    house.put("p/garage.md", f"{NOTE}Keys of the car.\n")
    house.put("p/wood.md", f"{NOTE}A tree, by the forest.\n")
    house.put("q/other.md", f"{NOTE}The automobile of the others.\n")
    house.refresh()
    return Understanding(house, folder)


def test_memory_is_found_that_has_no_word_of_the_query(mind):
    assert mind.catch_up() == 0
    (hit,) = mind.hits("automobile", layers=("p",))
    assert (str(hit.path), hit.reason) == (
        "p/garage.md",
        (Match("meaning", ("alike",)),),
    )


def test_memory_with_the_word_stands_first(mind):
    mind.catch_up()
    assert ["q/other.md", "p/garage.md"] == mind.found("automobile")


def test_no_meaning_leads_out_of_the_layers_and_tags_asked_for(mind):
    mind.house.put("p/tagged.md", "---\ntags: [ours]\n---\nAnother garage.\n")
    mind.house.refresh()
    mind.catch_up()
    assert ["p/garage.md", "p/tagged.md"] == sorted(mind.near("car", ("p",)))[:2]
    assert ["p/tagged.md"] == mind.found("automobile", tags=("ours",))
    assert ["q/other.md"] == mind.found("car", layers=("q",))


def test_vectors_that_are_not_made_yet_are_made_the_next_time(mind):
    for number in range(20):
        mind.house.put(f"p/{number}.md", f"{NOTE}Invoice {number}.\n", age=9)
    mind.house.refresh()
    assert mind.catch_up(batches=1) == 23 - 16
    assert mind.near("tree").keys().isdisjoint({"p/garage.md", "p/wood.md"})
    assert mind.catch_up(batches=1) == 0
    assert "p/wood.md" in mind.near("tree")


def test_only_what_changed_gets_another_vector(mind):
    mind.catch_up()
    mind.house.put("p/wood.md", f"{NOTE}Pay the invoice.\n", age=1)
    mind.house.refresh()
    assert mind.catch_up(batches=0) == 1
    assert mind.catch_up() == 0
    assert mind.near("invoice")["p/wood.md"] == pytest.approx(1.0)


def test_moved_memory_keeps_its_vector(mind):
    mind.catch_up()
    (mind.house.root / "p/wood.md").rename(mind.house.root / "p/trees.md")
    mind.house.refresh()
    assert mind.catch_up(batches=0) == 0
    assert "p/trees.md" in mind.near("forest")


def test_vector_of_what_is_gone_is_dropped(mind):
    mind.catch_up()
    (mind.house.root / "p/wood.md").unlink()
    mind.house.refresh()
    mind.catch_up()
    assert sorted(mind.near("forest")) == ["p/garage.md", "q/other.md"]
    mind.house.put("p/wood.md", f"{NOTE}A tree, by the forest.\n")
    mind.house.refresh()
    assert mind.catch_up(batches=0) == 1


def test_another_model_makes_all_anew(mind):
    mind.catch_up()
    before = mind.files()
    (mind.folder / "vectors.txt").write_text(MODEL.replace("car 1 0 0", "car 0 1 0"))
    assert mind.catch_up(batches=0) == 3
    assert mind.catch_up() == 0
    assert len(mind.files()) == 1
    assert mind.files() != before
    assert mind.near("tree")["p/garage.md"] > 0.9


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" * 99])
def test_damaged_vectors_are_made_anew(mind, data):
    mind.catch_up()
    (file,) = mind.files()
    file.write_bytes(data)
    assert mind.near("car") == {}
    assert mind.catch_up() == 0
    assert mind.near("car")["p/garage.md"] == pytest.approx(1.0)


def test_vectors_are_made_again_when_all_of_them_are_deleted(mind):
    mind.catch_up()
    (file,) = mind.files()
    os.unlink(file)
    assert mind.catch_up(batches=0) == 3


def test_query_that_the_model_knows_nothing_of_is_answered_by_words(mind):
    mind.catch_up()
    assert mind.near("keys") == {}
    assert ["p/garage.md"] == mind.found("keys")


def test_without_any_vector_there_are_words(mind):
    assert ["p/garage.md"] == mind.found("car")
