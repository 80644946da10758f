import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.frontmatter.split import (
    HEAD_LIMIT_BYTES,
    Block,
    Parts,
    find,
    flow_end,
    join,
    leading_trivia,
    line_of,
    split,
)

PIECES = [
    *(b"a", b"tags", b"updated", b"k: v\n", b": ", b":", b"- ", b"-", b"? ", b"#"),
    *(b"\n", b"\n", b"\r\n", b"\r", b" ", b"\t", b"|", b">-", b"|+", b"[", b"]", b"{"),
    *(b"}", b",", b'"', b"'", b"\\", b"---", b"---\n", b"...\n", b"&x ", b"!t ", b"\0"),
    *(b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", "日".encode()),
]
HEADS = st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join)
FILES = HEADS | st.binary(max_size=40) | HEADS.map(lambda h: b"---\n" + h + b"\n---\nx")


@given(data=FILES)
@settings(max_examples=300, deadline=None)
def test_any_bytes_come_together_again(data):
    assert data == join(split(data))


def test_file_is_cut_into_its_parts():
    data = b"\xef\xbb\xbf---\r\n# top\r\ntitle: a\r\n\r\n# end\r\n...\r\nbody"

    assert split(data) == Parts(
        bom=b"\xef\xbb\xbf",
        opening=b"---\r\n",
        blocks=(
            Block("title", b"# top\r\ntitle: a\r\n"),
            Block(None, b"\r\n# end\r\n"),
        ),
        closing=b"...\r\n",
        body=b"body",
        newline=b"\r\n",
    )


@pytest.mark.parametrize(
    ("head", "blocks"),
    [
        pytest.param(b"a: 1\nb: 2\n", [("a", 1), ("b", 1)], id="fields"),
        pytest.param(b"a:\n  b: 1\n\n  c: 2\n", [("a", 4)], id="nested"),
        pytest.param(b"a:\n- x\n- y: z\nb: 1\n", [("a", 3), ("b", 1)], id="items"),
        pytest.param(b"a: |\n x\n\n # y\nb: 1\n", [("a", 4), ("b", 1)], id="literal"),
        pytest.param(b"a: |\n x\n\nb: 1\n", [("a", 2), ("b", 2)], id="blank-line"),
        pytest.param(b"a: |+\n x\n\nb: 1\n", [("a", 3), ("b", 1)], id="kept-blank"),
        pytest.param(b"a: [x,\ny: z]\nb: 1\n", [("a", 2), ("b", 1)], id="flow"),
        pytest.param(b'a: [x, # ]\n"]"]\nb: 1\n', [("a", 2), ("b", 1)], id="in-flow"),
        pytest.param(b'a: "x\ny: z"\nb: 1\n', [("a", 2), ("b", 1)], id="double"),
        pytest.param(b"a: 'x''\ny: z'\nb: 1\n", [("a", 2), ("b", 1)], id="single"),
        pytest.param(b"a: [x\nb: 1\n", [("a", 1), ("b", 1)], id="unclosed"),
        pytest.param(b'a: "x" y\nb: 1\n', [("a", 1), ("b", 1)], id="after-quote"),
        pytest.param(b"\"a b\": 1\n'c''d': 2\n", [("a b", 1), ("c'd", 1)], id="keys"),
        pytest.param(b"? a\n: b\nc: 1\n", [(None, 2), ("c", 1)], id="complex"),
        pytest.param(b"a: 1\na: 2\n", [("a", 1), ("a", 1)], id="twice"),
        pytest.param(b"  a: 1\n  b: 2\n", [("a", 1), ("b", 1)], id="indented"),
        pytest.param(
            b"a: 1\n<<<<<\nb: 2\n", [("a", 1), (None, 1), ("b", 1)], id="stray"
        ),
        pytest.param(b"a: 1\n# c\n\nb: 2\n", [("a", 1), ("b", 3)], id="comment-above"),
        pytest.param(b"http://x: 1\na : 2\n", [("http://x", 1), ("a", 1)], id="colons"),
        pytest.param(b"{a: 1}\n", [(None, 1)], id="flow-root"),
        pytest.param(b"a: &x [b,\nc: d]\n", [("a", 2)], id="anchored"),
    ],
)
def test_head_is_cut_into_blocks(head, blocks):
    parts = split(b"---\n" + head + b"---\n")

    assert blocks == [(b.key, len(b.text.splitlines())) for b in parts.blocks]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"text", id="text"),
        pytest.param(b"---", id="only-a-fence"),
        pytest.param(b"---\na: 1\n", id="unclosed"),
        pytest.param(b"---\na: 1\n --- \n----\n", id="no-fence"),
        pytest.param(b"----\na: 1\n----\n", id="four-dashes"),
        pytest.param(b"---\n" + b"a" * HEAD_LIMIT_BYTES + b"\n---\n", id="enormous"),
        pytest.param(
            b"---\n" + b"\n" * (HEAD_LIMIT_BYTES - 7) + b"---a", id="cut-by-the-limit"
        ),
    ],
)
def test_file_without_closed_frontmatter_is_all_body(data):
    assert data == split(data).body


def test_unclosed_frontmatter_is_told_from_none():
    assert find(b"---\na: 1\n").is_unclosed
    assert not find(b"a: 1\n").is_unclosed


def test_last_of_duplicate_fields_is_the_one_that_is_found():
    parts = split(b"---\na: 1\n# note\na: 2\n---\n")

    assert parts.block("a") == Block("a", b"# note\na: 2\n")
    assert parts.block("b") is None


def test_line_of_a_field_is_the_line_of_its_name():
    parts = split(b"---\na: 1\n# note\n\nb: 2\n---\n")

    assert (2, 5, 1) == tuple(line_of(parts, key) for key in ("a", "b", "c"))


def test_comments_above_a_field_are_told_from_its_value():
    assert leading_trivia(b"# a\n\nb: 1\n# c\n") == b"# a\n\n"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        pytest.param(b"[a, 'b]', {c: \"d}\"}] # x\n", 20, id="flow"),
        pytest.param(b"[don't, it's]\n", 13, id="apostrophes"),
        pytest.param(b"[a] b\n", 0, id="text-behind"),
        pytest.param(b"[a\n", 0, id="unclosed"),
        pytest.param(b"plain\n", 0, id="plain"),
    ],
)
def test_end_of_a_bracketed_value_is_found(text, end):
    assert end == flow_end(text, 0)
