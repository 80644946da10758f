import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.frontmatter.read import Document, block_value, read
from gitmem.memory.frontmatter.split import Block, split

PIECES = [
    *(b"a", b"tags", b"k: v\n", b": ", b"- ", b"? ", b"\n", b"\r", b"  ", b"\t", b"#"),
    *(b"|", b"[", b"]", b"{", b"}", b",", b'"', b"'", b"\\", b"---\n", b"&x ", b"*x"),
    *(b"!t ", b"\xff", b"\0", b"@", b"~", b"\xe2\x80\xa8", b'"\\ud800"'),
]
HEADS = st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join)
FILES = st.binary(max_size=60) | HEADS.map(lambda head: b"---\n" + head + b"\n---\nx")


def _codes(data, **options):
    return [(found.line, found.code) for found in read(data, **options).problems]


@given(data=FILES)
@settings(max_examples=300, deadline=None)
def test_nothing_ever_raises(data):
    document = read(data)

    assert document.body_text == split(data).body.decode("utf-8", "replace")
    assert repr(document.fields).encode()


def test_document_tells_fields_text_and_the_line_the_text_begins_on():
    assert read(b"---\na: 1\nb: [c, d]\n---\n\nText.\n") == Document(
        fields={"a": "1", "b": ["c", "d"]},
        body_text="\nText.\n",
        body_line=5,
        problems=(),
    )


@pytest.mark.parametrize(
    ("written", "value"),
    [
        pytest.param("no # c", "no", id="word"),
        pytest.param("1.10 # c", "1.10", id="number"),
        pytest.param("12:30 # c", "12:30", id="time"),
        pytest.param("2026-02-14 # c", "2026-02-14", id="date"),
        pytest.param("~ # c", "", id="null"),
        pytest.param('"~" # c', "~", id="quoted-null"),
        pytest.param("!!str 1", "1", id="text-tag"),
        pytest.param("&x [2 * 3]", ["2 * 3"], id="anchor-without-alias"),
        pytest.param("[1, {a: 2.0}] # c", ["1", {"a": "2.0"}], id="nested"),
        pytest.param("Deploy: step two", "Deploy: step two", id="colon"),
        pytest.param("@scope/pkg", "@scope/pkg", id="at"),
        pytest.param("*Italic*", "*Italic*", id="star"),
        pytest.param("{{x}}", "{{x}}", id="braces"),
        pytest.param("!important", "!important", id="bang"),
        pytest.param("!t [a, b]", ["a", "b"], id="tagged-list"),
        pytest.param("? why", "? why", id="question"),
        pytest.param('"C:\\dir"', "C:\\dir", id="backslash"),
        pytest.param("'it's'", "it's", id="apostrophe"),
        pytest.param("[@a, 'b']", ["@a", "b"], id="invalid-list"),
        pytest.param(
            "\n  - [[a]]b\n  - c: d: e", ["[[a]]b", "c: d: e"], id="invalid-items"
        ),
        pytest.param("\n  b: @c\n  d: e", {"b": "@c", "d": "e"}, id="invalid-mapping"),
        pytest.param("|\n  \x00a\n   b", "\x00a\n b\n", id="literal-with-nul"),
        pytest.param(">\n  \x00a\n  b", "\x00a b\n", id="folded-with-nul"),
        pytest.param("@a\n  b", "@a b", id="invalid-over-lines"),
        pytest.param("\n  - @a\n    b\n  # c", ["@a b"], id="invalid-item-over-lines"),
        pytest.param("\n  \x00", "\x00", id="nul-below"),
        pytest.param('["\x00", "a\\"b"]', ["\x00", 'a"b'], id="quoted-with-nul"),
        pytest.param("\n  # c\n  @a", "@a", id="comment-above-invalid"),
        pytest.param('"\\ud800"', "?", id="surrogate"),
    ],
)
def test_value_is_read_as_text(written, value):
    assert value == read(f"---\na: {written}\n---\n".encode()).fields["a"]


def test_field_that_yaml_rejects_spoils_no_other():
    head = b"---\na: @b\nc: {d: 'e, f'}\na: g\n---\n"

    assert read(head).fields == {"a": "g", "c": {"d": "e, f"}}
    assert _codes(head) == [(2, "invalid-yaml"), (4, "duplicate-key")]


def test_too_many_fields_that_yaml_rejects_are_read_by_their_lines():
    head = b"".join(b"k%d: [@a, b]\n" % number for number in range(300))

    assert read(b"---\n" + head + b"---\n").fields["k299"] == ["@a", "b"]


def test_alias_bomb_is_refused_before_it_is_unpacked():
    lines = [b"a0: &a0 [x]\n"]
    lines += [
        b"a%d: &a%d [%s]\n" % (n, n, b"*a%d," % (n - 1) * 9) for n in range(1, 40)
    ]

    fields = read(b"---\n" + b"".join(lines) + b"---\n").fields

    assert fields["a0"] == ["x"]
    assert fields["a39"] == ["*a38"] * 9


def test_line_of_a_problem_counts_from_the_top_of_the_file():
    assert _codes(b"\n---\n# c\n\na: 1\nb: @c\n---\n") == [
        (1, "late-frontmatter"),
        (6, "invalid-yaml"),
    ]


def test_character_cut_at_the_end_of_what_was_read_is_no_problem():
    data = "---\na: b\n---\né".encode()[:-1]

    assert _codes(data, is_truncated=True) == []
    assert _codes(data) == [(4, "not-utf8")]


def test_frontmatter_that_goes_on_behind_what_was_read_is_long():
    assert _codes(b"---\na: b\n", is_truncated=True) == [(1, "long-frontmatter")]


def test_value_of_one_block_is_what_the_file_reads():
    parts = split(b"---\n# c\na: [b, c]\nd: e: f\n? g\n---\n")

    assert [["b", "c"], "e: f", ""] == [block_value(block) for block in parts.blocks]
    assert block_value(Block("a", b"")) == ""


def test_without_the_c_library_the_same_is_read(monkeypatch):
    monkeypatch.delattr(yaml, "CBaseLoader", raising=False)

    deep = b"---\na: " + b"[" * 3000 + b"\nb: 'c'  # d\n---\n"
    assert read(deep).fields["b"] == "c"
    assert (3 - 1, "too-deep") in _codes(deep)
    assert read(b'---\na: "\\ud800"\nb: &c [d]\n---\n').fields == {"a": "?", "b": ["d"]}
    assert _codes(b"---\na: @b\n---\n") == [(2, "invalid-yaml")]
