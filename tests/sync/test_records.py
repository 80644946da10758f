"""Records that two machines appended come together, byte for byte and none missing."""

from collections import Counter
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.sync.merge import Merged, merge
from gitmem.sync.records import are_records, merge_records

LOG = PurePosixPath("log.jsonl")
BOM = b"\xef\xbb\xbf"


def merged(base: bytes | None, one: bytes, other: bytes) -> Merged:
    """Merge in both orders, and see that they are one."""
    result = merge(LOG, base, one, other, no_lines)
    assert merge(LOG, base, other, one, no_lines) == result
    return result


def no_lines(ours: bytes, base: bytes, theirs: bytes, style: str) -> bytes:
    raise AssertionError((ours, base, theirs, style))


def record(number: int, **more: str) -> bytes:
    fields = "".join(f', "{name}": "{text}"' for name, text in more.items())
    return f'{{"id": "{number}", "timestamp": "2026-01-0{number}"{fields}}}\n'.encode()


TICK, OTHER = b'{"tick":1}\n', b'{"other":1}\n'
ONE, TWO, LAST = record(1), record(2), record(3)


@pytest.mark.parametrize(
    ("base", "one", "other", "expected"),
    [
        (None, ONE, TWO, ONE + TWO),
        (ONE, ONE + LAST, ONE + TWO, ONE + TWO + LAST),
        (ONE + TWO, TWO, ONE + TWO + LAST, TWO + LAST),
        (ONE, ONE + TWO.rstrip(), ONE + LAST, ONE + TWO + LAST),
        (ONE, ONE + LAST.rstrip(), ONE + TWO.rstrip(), ONE + TWO + LAST.rstrip()),
        (ONE, ONE + LAST, ONE + TWO + LAST, ONE + TWO + LAST),
        (
            ONE + TWO,
            ONE + record(2, a="x"),
            ONE + TWO + LAST,
            ONE + record(2, a="x") + LAST,
        ),
        (ONE + LAST, ONE + TWO + LAST, ONE, ONE + TWO),
        (ONE + TWO, TWO + ONE, ONE + TWO + LAST, TWO + ONE + LAST),
        (ONE + b"\n" + TWO, ONE + b"\n", ONE + b"\n" + TWO + LAST, ONE + b"\n" + LAST),
        (ONE, BOM + ONE + LAST, ONE + TWO, BOM + ONE + TWO + LAST),
        (BOM + ONE, BOM + ONE + LAST, BOM + ONE + TWO, BOM + ONE + TWO + LAST),
    ],
    ids=[
        "both new",
        "by time",
        "one removed",
        "no final newline",
        "no final newline on both",
        "both appended one with an id",
        "edited in its place",
        "inserted in its place",
        "moved",
        "blank lines",
        "a byte order mark",
        "a byte order mark on all",
    ],
)
def test_records_find_their_places(base, one, other, expected):
    assert merged(base, one, other) == Merged(expected)


@pytest.mark.parametrize(
    ("base", "one", "other", "ticks"),
    [
        (0, 2, 0, 2),
        (2, 2, 2, 2),
        (2, 1, 2, 1),
        (2, 1, 1, 1),
        (2, 1, 3, 2),
        (1, 2, 3, 4),
        (3, 0, 1, 0),
        (0, 1, 2, 3),
    ],
)
def test_equal_lines_are_counted(base, one, other, ticks):
    result = merged(TICK * base, TICK * one + OTHER, TICK * other + ONE)

    assert result.copy is None
    assert sorted(result.data.splitlines(keepends=True)) == sorted(
        [TICK] * ticks + [OTHER, ONE]
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b'{"a":2}', b'{"a":1,"a":2}'),
        (b'{"x":1e500}', b'{"x":1e400}'),
        (b'{"id": "1", "a": 1}', b'{"a":1,"id":"1"}'),
        (b"1.0", b"1.00"),
        (b"9" * 5_000, b"8" * 5_000),
    ],
)
def test_what_means_the_same_and_is_written_otherwise_stays(one, other):
    both = merged(b"", one + b"\n", other + b"\n").data

    assert set(both.splitlines()) == {one, other}


def test_what_one_side_appended_keeps_its_order():
    lines = b"".join(b'{"say": "%d"}\n' % number for number in (3, 1, 2))

    assert lines in merged(ONE, ONE + lines, ONE + OTHER).data


def test_line_ends_that_one_side_changed_stay_changed():
    windows = (ONE + TWO).replace(b"\n", b"\r\n")

    assert merged(ONE + TWO, windows, ONE + TWO + LAST).data == windows + LAST


DEEP = b"[" * 5_000 + b"]" * 5_000


@pytest.mark.parametrize(
    "text",
    [
        b'{\n"a": 1\n}\n',
        b'{"a": 1}{"b": 2}\n',
        b'{"a": 1}\r{"b": 2}\r',
        b'{"id": "9", "t',
        b"\xff\n",
        b'"\xe9"\n',
        BOM + LAST,
        b"# log\n",
        b'{"a": 1},\n',
        DEEP,
    ],
)
def test_a_file_of_anything_else_is_merged_as_text(text):
    assert not are_records(ONE + text)
    assert {text in side for side in (merge_as_text(text))} == {True, False}


def merge_as_text(text: bytes) -> tuple[bytes, bytes]:
    """Merge a file with a text in it, where the lines of both overlap."""
    one, other = ONE + text, ONE + TWO

    def overlap(ours: bytes, base: bytes, theirs: bytes, style: str) -> bytes:
        marks = (b"<" * 61, b"|" * 61, b"=" * 61, b">" * 61)
        return b"%b a\n%b\n%b b\n%b%b\n%b\n%b c\n" % (
            *(marks[0], ours, marks[1], base, marks[2], theirs, marks[3]),
        )

    result = merge(LOG, ONE, one, other, overlap)
    assert result.copy is not None
    return result.data, result.copy


LINES = st.lists(
    st.sampled_from(
        [b'{"t":1}', b'{"t":2}', b'{"id":1}', b'{"id":2,"timestamp":"2"}', b"3", b"[]"]
    ),
    max_size=7,
)
ENDS = st.sampled_from([b"\n", b"\n", b"\r\n"])
FILES = st.builds(
    lambda lines, end, last: end.join(lines) + (end if last else b""),
    LINES,
    ENDS,
    st.booleans(),
)


def expected(base: bytes, one: bytes, other: bytes) -> Counter[bytes]:
    """Count each line: what is removed anywhere is gone, what is added stays."""
    before, here, there = (Counter(text.split()) for text in (base, one, other))
    added, more = here - before, there - before
    once = Counter(
        {line: min(added[line], more[line]) for line in added if b"id" in line}
    )
    kept = before - ((before - here) | (before - there))
    return kept + added + more - once


@settings(max_examples=200)
@given(FILES, FILES, FILES)
def test_every_line_is_there_as_often_as_it_should_be(base, one, other):
    result = merge_records(base, one, other)

    assert are_records(result)
    assert Counter(result.split()) == expected(base, one, other)


@settings(max_examples=100)
@given(FILES, FILES, FILES)
def test_the_order_of_the_sides_is_nothing_and_merging_again_changes_nothing(
    base, one, other
):
    data = merged(base, one, other).data

    assert merged(one, data, one).data == data
    assert merged(data, data, other).data == other
    assert merged(base, data, data).data == data
    assert merge_records(base, base, one).split() == one.split()
    assert merge_records(base, one, base).split() == one.split()


@settings(max_examples=100)
@given(FILES, FILES, FILES)
def test_each_side_s_own_additions_keep_their_order(base, one, other):
    result = merge_records(base, one, other).split()
    added = [line for line in one.split() if line not in base + other]

    assert [line for line in result if line in added] == added
