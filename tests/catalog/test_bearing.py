"""What may bear on a text is found by its words, its triggers and its tags."""

from datetime import date

import pytest

from gitmem.attention.asking import phrases
from gitmem.catalog.bearing import Held, Said, bearing, held, related

TODAY = date(2026, 3, 2)


def note(description="d", **fields):
    lines = [f"{name}: {value}" for name, value in fields.items()]
    return "\n".join(["---", f"description: {description}", *lines, "---", "body", ""])


@pytest.fixture
def found(house):
    """List the paths that bear on a text."""

    def ask(text, layers=("p", "global")):
        answer = bearing(house.catalog, Said(text, phrases(text)), layers)
        return sorted(str(each.row.path) for each in answer.bearings)

    return ask


def test_words_triggers_and_tags_find(house, found):
    house.put("p/words.md", note("the yaml parser"))
    house.put("p/trigger.md", note(triggers="[Book it]"))
    house.put("p/tag.md", note(tags="[stagingBox]"))
    house.refresh()

    assert found("parser") == ["p/words.md"]
    assert found("please book-it") == ["p/trigger.md"]
    assert found("the staging box") == ["p/tag.md"]
    assert found("spring") == []


def test_only_the_layers_that_are_asked_for(house, found):
    house.put("p/a.md", note("the parser", triggers="[box]", tags="[box]"))
    house.put("q/a.md", note("the parser", triggers="[box]", tags="[box]"))
    house.refresh()

    assert found("parser box") == ["p/a.md"]


def test_a_change_and_a_deletion_are_followed(house, found):
    house.put("p/a.md", note(triggers="[book it]"))
    house.refresh()
    house.put("p/a.md", note(triggers="[rent it]"))
    house.refresh()

    assert (found("book it"), found("rent it")) == ([], ["p/a.md"])

    (house.root / "p/a.md").unlink()
    house.refresh()

    assert found("rent it") == []


def test_words_say_how_many_memories_have_them(house):
    house.put("p/a.md", note("the yaml parser"))
    house.put("p/b.md", note("the toml parser"))
    house.refresh()

    heard = bearing(house.catalog, Said("yaml parser"), ["p"]).heard

    assert heard.memories == 2
    assert {each.label: each.holders for each in heard.words} == {
        "yaml": 1,
        "parser": 2,
    }


def test_relations_are_followed_both_ways(house):
    house.put("p/a.md", note(key="a:1", relations="[{target: 'b:1'}]"))
    house.put("p/b.md", note(key="b:1"))
    house.put("p/c.md", note(relations="[{target: 'a:1'}]"))
    house.refresh()

    reached = related(house.catalog, ["a:1"], ["b:1"], ["p"])

    assert [str(each.row.path) for each in reached] == ["p/b.md", "p/c.md"]
    assert related(house.catalog, [], [], ["p"]) == ()


def test_counts_are_over_everything_held(house):
    house.put("p/a.md", note(tags="[sam]"))
    house.put("p/b.md", note(subjects="[person:sam]", attention="open-loop"))
    house.put("p/c.md", note(domains="[sam]", tags="[Sam]", status="archived"))
    house.put("p/d.md", note(tags="[sam]", attention="open-loop", ended="2026-01-01"))
    house.put("q/e.md", note(tags="[sam]"))
    house.refresh()

    counted = held(house.catalog, {"sam": "Sam", "x": "x"}, ["p"], TODAY)

    assert counted == (Held("sam", "Sam", 4, 1),)


def test_an_enormous_frontmatter_stays_sensitive(house):
    house.put("p/a.md", note("the parser", odd="x" * 30_000, sensitivity="sensitive"))
    house.refresh()

    (only,) = bearing(house.catalog, Said("parser"), ["p"]).bearings

    assert only.traits.is_sensitive


@pytest.mark.parametrize(
    "text", ["", "'", '"', "*", "\0", "a' OR 1=1 --", "x" * 9_000, "word " * 3_000]
)
def test_no_text_breaks_it(text, house, found):
    house.put("p/a.md", note("the parser"))
    house.refresh()

    assert found(text) == []


def test_a_rule_brings_what_carries_its_domain(house, found):
    house.put("p/domain.md", note(domains="[topic:finance]"))
    house.put("p/tag.md", note(tags="[Finance]"))
    house.put("p/other.md", note(domains="[travel]"))
    house.put("activation.yaml", "purchase order: finance\n")
    house.refresh()

    assert found("the purchase-order is late") == ["p/domain.md", "p/tag.md"]
    assert found("an order") == []


def test_a_rule_is_read_again_when_its_file_changed_and_gone_with_it(house, found):
    house.put("p/a.md", note(domains="[finance]"))
    file = house.put("activation.yaml", "invoice: finance\n")
    house.refresh()
    file.write_text("receipt: finance\n", "utf-8")
    house.refresh()

    assert (found("invoice"), found("receipt")) == ([], ["p/a.md"])

    file.unlink()
    house.refresh()

    assert found("receipt") == []


def test_a_link_is_no_file_of_rules(house, found, tmp_path):
    house.put("p/a.md", note(domains="[finance]"))
    (tmp_path / "rules").write_text("invoice: finance\n", "utf-8")
    (house.root / "activation.yaml").symlink_to(tmp_path / "rules")
    house.refresh()

    assert found("invoice") == []


def test_rules_that_cannot_be_read_are_none_and_the_reason_is_known(house):
    house.put("p/a.md", note(domains="[finance]"))
    house.put("activation.yaml", "invoice: finance\nreceipt\n")
    house.refresh()

    found = bearing(house.catalog, Said("invoice", ["invoice"]), ("p",))

    assert (found.bearings, dict(found.fired)) == ((), {})
    assert found.problem.startswith("line 2: ")
