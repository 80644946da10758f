import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.frontmatter.edit import block, edit, render
from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import Block, split

PIECES = [
    *(b"a", b"tags", b"updated", b"k: v\n", b"updated: 2026-01-01\n", b": ", b"- "),
    *(b"\n", b"\n", b"\r\n", b" ", b"\t", b"#", b" # c", b"|", b"[", b"]", b"{", b"}"),
    *(b",", b'"', b"'", b"---\n", b"? ", b"&x ", b"*x", b"!t ", b"\xff", b"\0", b"@"),
    *(b"tags:\n  - a\n  - b\n", "日".encode(), b"\xe2\x80\xa8"),
]
HEADS = st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)
FILES = HEADS | HEADS.map(lambda head: b"---\n" + head + b"\n---\nbody\n")
KEYS = st.sampled_from(["updated", "tags", "a", "new", "x y"])
WORDS = st.text(max_size=8, alphabet=st.characters(exclude_categories=["Cs"]))
TEXTS = WORDS | st.sampled_from(["no", "1.10", "2026-01-01", "x: y", "a b"])
VALUES = TEXTS | st.lists(TEXTS | st.sampled_from(["a", "b"]), max_size=4)


@given(data=FILES, key=KEYS, value=VALUES)
@settings(max_examples=200, deadline=None)
def test_field_reads_back_as_it_was_set(data, key, value):
    after = edit(data, {key: value})

    assert value == read(after).fields[key]
    assert after == edit(after, {key: value})


@given(head=HEADS, value=VALUES)
@settings(max_examples=200, deadline=None)
def test_other_blocks_keep_their_bytes(head, value):
    data = b"---\nfirst: 1\nset: old\n" + head + b"\n---\nbody"

    after = edit(data, {"first": value})

    old, new = split(data), split(after)
    assert old.blocks[1:] == new.blocks[1:]
    assert (old.closing, old.body) == (new.closing, new.body)


@given(data=FILES, key=KEYS)
@settings(max_examples=100, deadline=None)
def test_field_taken_away_is_gone(data, key):
    after = edit(data, {key: None})

    assert split(after).block(key) is None
    assert after == edit(after, {key: None})


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        pytest.param("a: old\n", {"a": "new"}, "a: new\n", id="plain"),
        pytest.param("a: old  # c \n", {"a": "new"}, "a: new  # c \n", id="comment"),
        pytest.param("a:   old \n", {"a": "new"}, "a:   new \n", id="spaces"),
        pytest.param('a: "x # w"\n', {"a": "new"}, 'a: "new"\n', id="double"),
        pytest.param("a: 'it''s'\n", {"a": "x's"}, "a: 'x''s'\n", id="single"),
        pytest.param("a: 'x'\n", {"a": "\n"}, 'a: "\\n"\n', id="single-cannot"),
        pytest.param("a: 2026-01-01\n", {"a": "no"}, 'a: "no"\n', id="quoted"),
        pytest.param("a: x\r\n", {"a": "w"}, "a: w\r\n", id="carriage-return"),
        pytest.param("a:\nb: 1\n", {"a": "x"}, "a: x\nb: 1\n", id="was-empty"),
        pytest.param("a: >\n  x\n  w\nb: 1\n", {"a": "z"}, "a: z\nb: 1\n", id="folded"),
        pytest.param("a: |\n  # x\n", {"a": "z"}, "a: z\n", id="literal"),
        pytest.param("a: 'x\n  w'\n", {"a": "z"}, "a: z\n", id="over-lines"),
        pytest.param("a: x\na: w\n", {"a": "z"}, "a: x\na: z\n", id="last-of-two"),
        pytest.param("a: x\na: w\n", {"a": None}, "", id="all-of-two"),
        pytest.param("# c\na: x\nb: w\n", {"a": None}, "# c\nb: w\n", id="removed"),
        pytest.param("a: x\n# c\n", {"b": "w"}, "a: x\n# c\nb: w\n", id="added"),
        pytest.param("  a: x\n", {"b": "w"}, "  a: x\n  b: w\n", id="added-indented"),
        pytest.param("a: x\n", {"c d": "w"}, 'a: x\n"c d": w\n', id="odd-name"),
        pytest.param("a: [x, w]\n", {"a": ["w", "z w"]}, "a: [w, z w]\n", id="flow"),
        pytest.param("a: [x] # c\n", {"a": []}, "a: [] # c\n", id="flow-emptied"),
        pytest.param("a: x, w\n", {"a": ["x"]}, "a: [x]\n", id="text-to-list"),
        pytest.param(
            "a: [x,\n  # c\n  w]\n", {"a": ["z"]}, "# c\na: [z]\n", id="flow-lines"
        ),
        pytest.param(
            "a: # t\n  # c\n  - x # 1\n  - w\n",
            {"a": ["x", "no"]},
            'a: # t\n  # c\n  - x # 1\n  - "no"\n',
            id="items",
        ),
        pytest.param("a:\n- x\n", {"a": ["x", "w"]}, "a:\n- x\n- w\n", id="items-left"),
        pytest.param(
            "a:\n  - x\n  # c\n", {"a": []}, "# c\na: []\n", id="items-emptied"
        ),
        pytest.param(
            "a:\n  - x\n  # c\n  - w\n",
            {"a": ["z", "w"]},
            "a:\n  - z\n  - w\n  # c\n",
            id="comment-of-a-removed-item",
        ),
        pytest.param(
            "a: # c\n  [x,\n  - w]\n", {"a": ["z"]}, "a: [z] # c\n", id="comment-before"
        ),
        pytest.param("a:\n  b: x\n", {"a": {"b": "w"}}, "a: {b: w}\n", id="mapping"),
        pytest.param("a: x\n", {"a": "x"}, "a: x\n", id="unchanged"),
        pytest.param("a: yes\n", {"a": "yes"}, "a: yes\n", id="unchanged-word"),
        pytest.param("a: x\n", {"b": None}, "a: x\n", id="not-there"),
        pytest.param("{a: x}\n", {"b": "w"}, "a: x\nb: w\n", id="braces"),
        pytest.param("a: x\n<<<\n", {"a": "w"}, "a: w\n<<<\n", id="stray-line"),
        pytest.param("t: a: b\n", {"u": "w"}, "t: a: b\nu: w\n", id="invalid-beside"),
    ],
)
def test_only_what_was_asked_for_is_changed(before, changes, after):
    whole = f"---\n{before}---\nbody"

    assert f"---\n{after}---\nbody" == edit(whole.encode(), changes).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"", b"---\na: x\n---\n", id="empty"),
        pytest.param(b"text\r\n", b"---\r\na: x\r\n---\r\ntext\r\n", id="text"),
        pytest.param(
            b"\xef\xbb\xbftext", b"\xef\xbb\xbf---\na: x\n---\ntext", id="mark"
        ),
        pytest.param(b"---\n---\n", b"---\na: x\n---\n", id="empty-head"),
        pytest.param(b"---\nb: 1\n", b"---\na: x\n---\n---\nb: 1\n", id="unclosed"),
        pytest.param(b"---\n- b\n---\n", b"---\na: x\n---\n---\n- b\n---\n", id="list"),
    ],
)
def test_file_without_fields_gets_a_head_and_keeps_its_bytes(before, after):
    assert after == edit(before, {"a": "x"})


def test_taking_a_field_from_a_file_without_fields_changes_nothing():
    assert edit(b"- text\n", {"a": None}) == b"- text\n"


def test_numbers_and_truth_are_written_as_text():
    assert edit(b"", {"a": [1, True, {"b": None}]}) == (
        b'---\na: ["1", "true", {b: ""}]\n---\n'
    )


def test_block_is_what_split_would_find():
    new = block("a", "b: c", b"\r\n")

    assert new == Block("a", b'a: "b: c"\r\n')
    assert split(b"---\r\n" + new.text + b"---\r\n").blocks == (new,)


def test_new_file_has_its_fields_in_their_customary_order():
    fields = {
        "zebra": "kept",
        "updated": "2026-02-14",
        "tags": ["deploy", "rsync"],
        "description": "Deploy: step two",
        "key": None,
    }

    assert render(fields, "\n# Deploy\r\n\n") == (
        b'---\ndescription: "Deploy: step two"\ntags: [deploy, rsync]\n'
        b'updated: "2026-02-14"\nzebra: kept\n---\n\n# Deploy\n'
    )


def test_new_file_without_text_ends_with_its_head():
    assert render({"description": "a"}, " \n".strip()) == b"---\ndescription: a\n---\n"
