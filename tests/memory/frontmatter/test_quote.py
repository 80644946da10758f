import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from gitmem.memory.frontmatter import quote

ODD = st.from_regex(
    r"[yYnN]|[-+]?[0-9][0-9_:.eExob]*|\.?(inf|nan|INF)|true|off|<<|=|null|~",
    fullmatch=True,
)
TEXTS = st.text(max_size=12, alphabet=st.characters(exclude_categories=["Cs"])) | ODD
FORMS = [
    quote.text,
    lambda text: quote.text(text, '"'),
    lambda text: quote.text(text, "'"),
    quote.item,
]


def _read_11(text):
    return yaml.safe_load(text)


def _read_12(text):
    return YAML(typ="safe", pure=True).load(text)


@given(text=TEXTS)
@example(text="it's: # \u2028\ufeff\x85")
@settings(max_examples=60, deadline=None)
def test_text_reads_back_under_both_versions_of_yaml(text):
    written = [f"k: {form(text)} # c" for form in FORMS]

    expected = [{"k": text}] * len(FORMS)
    assert expected == [_read_11(line) for line in written]
    assert expected == [_read_12(line) for line in written]


@pytest.mark.parametrize(
    "word", ["yes", "No", "ON", "null", "y", "1", "2026-01-01", ""]
)
def test_what_yaml_would_not_read_as_text_is_quoted(word):
    assert f'"{word}"' == quote.value(word)


@pytest.mark.parametrize("text", ["deploy", "a b, c", "see http://x/y#z", "日本"])
def test_what_reads_as_text_is_left_plain(text):
    assert text == quote.value(text)


def test_lone_surrogate_is_replaced():
    assert quote.text("a\ud800") == '"a\N{REPLACEMENT CHARACTER}"'


def test_lists_and_mappings_are_written_on_one_line():
    assert quote.value([{"a": "b: c", "no": ["d", "e, f"]}]) == (
        '[{a: "b: c", "no": [d, "e, f"]}]'
    )
