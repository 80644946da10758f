"""What says where a memory came from, alone and after memories went into another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.origins import MORE, Origin, joined, origins

FIELDS = ("imported_from", "imported_path", "imported_id", "imported_digest")
OWN = Origin("folder", "notes/a.md", "", "0011")
OTHER = Origin("pi-memory-auto", "auto/TOOLING.md", "20261011-a1b2 TOOLING", "0022")


def fields_of(origin: Origin) -> dict[str, object]:
    values = (origin.kind, origin.path, origin.id, origin.digest)
    return dict(zip(FIELDS, values, strict=True))


def test_a_whole_has_the_entries_of_all_its_parts():
    whole = fields_of(OWN) | joined(fields_of(OWN), [fields_of(OTHER)])

    assert origins(whole) == (OWN, OTHER)
    assert whole[MORE] == [
        "pi-memory-auto 0022 auto/TOOLING.md 20261011-a1b2%20TOOLING"
    ]


def test_what_went_into_a_part_goes_on_into_the_whole():
    third = Origin("folder", "notes/c d 100%.md", "", "0033")
    part = fields_of(OTHER) | joined(fields_of(OTHER), [fields_of(third)])

    assert origins(joined({}, [part])) == (OTHER, third)


@pytest.mark.parametrize(
    ("kept", "others"),
    [({}, [{}]), (fields_of(OWN), [{}]), (fields_of(OWN), [fields_of(OWN)])],
    ids=["none", "of the kept", "the same"],
)
def test_a_whole_with_no_more_entries_gets_no_field(kept, others):
    assert joined(kept, others) == {}


def test_a_text_that_names_no_entry_stays_and_names_none():
    kept = {MORE: ["by hand", "a b c d e"]}

    assert origins(kept) == ()
    assert joined(kept, [fields_of(OWN)])[MORE] == [
        "by hand",
        "a b c d e",
        "folder 0011 notes/a.md",
    ]


word = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(st.builds(Origin, word, word, st.one_of(st.just(""), word), word))
def test_any_entry_is_read_back_as_it_was(origin):
    assert origins(joined({}, [fields_of(origin)])) == (origin,)
