import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.frontmatter import plain, read

PIECES = [
    *("a", "b", "N", "1", " ", " ", ": ", "- ", "key: v", "x: ", "[", "]", ",", "#"),
    *(" #", "~", "null", "no", "1.10", "é", "日本", "\u00a0", "\u2028", "\u0085", "\t"),
    *("|", ">", "?", "!", "&", "*", "@", "%", "`", "-", "--- ", ".", "/", "+", "\\"),
    *("'", '"', '\\"', "''", "\ufeff", "_", "²", ":", "<<"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
LINES = (
    TEXTS
    | TEXTS.map("k: {}".format)
    | TEXTS.map("l: [{}]".format)
    | TEXTS.map('q: "{}"'.format)
    | TEXTS.map("s: '{}'".format)
    | TEXTS.map("  - {}".format)
    | TEXTS.map("- {}".format)
    | TEXTS.map("  n: {}".format)
    | st.sampled_from(["m:", "m:\n  a: b", "m:\n  - a", "m:\n- a"])
)
HEADS = st.lists(LINES, max_size=4).map(lambda lines: "".join(f"{x}\n" for x in lines))


@given(head=HEADS)
@settings(max_examples=300, deadline=None)
def test_what_is_accepted_reads_the_same_under_yaml(head):
    fields = plain.read(head)
    under_yaml = read.read(f'---\n{head}"":\n---\n'.encode())

    assert fields is None or {**fields, "": ""} == under_yaml.fields
    assert fields is None or not under_yaml.problems


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("a: b c, d-e (f)\n", {"a": "b c, d-e (f)"}, id="text"),
        pytest.param("a: http://b/c#d\n", {"a": "http://b/c#d"}, id="url"),
        pytest.param('a: "b: \\"c\\""\n', {"a": 'b: "c"'}, id="double"),
        pytest.param("a: 'it''s # b'\n", {"a": "it's # b"}, id="single"),
        pytest.param(
            "a: [b, c d,e]\nf: []\n", {"a": ["b", "c d", "e"], "f": []}, id="flow"
        ),
        pytest.param(
            "a:\n  - b\n  - null\nc:\n", {"a": ["b", ""], "c": ""}, id="items"
        ),
        pytest.param("a:\n- b\n", {"a": ["b"]}, id="items-at-column-zero"),
        pytest.param("a:\n  b: c\n  d: e\n", {"a": {"b": "c", "d": "e"}}, id="mapping"),
        pytest.param(
            "# c\n\na: b  # d\nc: [] # e\n\n#\n", {"a": "b", "c": []}, id="comments"
        ),
        pytest.param("a: null\nb: no\n", {"a": "", "b": "no"}, id="null"),
    ],
)
def test_plain_heads_are_read(head, fields):
    assert fields == plain.read(head)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("a: b: c\n", id="colon"),
        pytest.param("a: # c\n  b\n", id="value-below"),
        pytest.param("a: b\na: c\n", id="twice"),
        pytest.param("a:\n  b: c\n  b: d\n", id="twice-below"),
        pytest.param("a: &b c\n", id="anchor"),
        pytest.param("a: b\n  c\n", id="continued"),
        pytest.param("a: b", id="no-line-end"),
        pytest.param("a: b \n", id="trailing-space"),
        pytest.param("a: b\r\n", id="carriage-return"),
    ],
)
def test_anything_else_is_declined(head):
    assert plain.read(head) is None
