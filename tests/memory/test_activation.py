"""`activation.yaml` is read whole, or not at all and the line is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.activation import (
    LIMIT_BYTES,
    RULES_AT_MOST,
    Activation,
    Rule,
    parse,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# nothing yet\n", []),
        ("invoice: finance\n", [Rule("invoice", "finance")]),
        ("---\ninvoice: finance\n", [Rule("invoice", "finance")]),
        ("invoice: [a, b]\n", [Rule("invoice", "a"), Rule("invoice", "b")]),
        ("invoice:\n  - a\n", [Rule("invoice", "a")]),
        ("book  it: travel\n", [Rule("book it", "travel")]),
        ("no: 1.10\n", [Rule("no", "1.10")]),
        ("请求: 网络\n", [Rule("请求", "网络")]),
    ],
    ids=[
        "empty",
        "comment",
        "one",
        "document start",
        "list",
        "block list",
        "phrase",
        "words stay words",
        "unspaced",
    ],
)
def test_a_line_maps_what_is_said_to_domains(text, expected):
    assert parse(text.encode()) == Activation(tuple(expected))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: b\nfoo\nc: d\n", 2),
        ("- a\n- b\n", 1),
        ("a: b\nc: [d\n", 2),
        ("---\na: b\nc: [d\n", 3),
        ("a: b\na: c\n", 2),
        ("a: !!python/object:os.system b\n", 1),
        ("a: &x b\nc: *x\n", 2),
        ("a: b\n---\nc: d\n", 2),
        ("a:\n", 1),
        ("a: {b: c}\n", 1),
        ("a: b\n# why\nc: [d, {e: f}]\n", 3),
        ("---\na: b\nc:\n", 3),
        ("?: finance\n", 1),
        (f"a: {'x' * 101}\n", 1),
        ("a: " + "[" * 100 + "]" * 100 + "\n", 1),
        (f"a: {'b' * LIMIT_BYTES}\n", 1),
        ("\n".join(f"w{n}: d" for n in range(RULES_AT_MOST + 1)), 1),
    ],
    ids=[
        "no mapping",
        "a list",
        "never closed",
        "below a document start",
        "twice",
        "a tag",
        "an alias",
        "two documents",
        "no domain",
        "a mapping",
        "a mapping among domains",
        "no domain in a later line",
        "nothing said",
        "too long",
        "too deep",
        "too large",
        "too many",
    ],
)
def test_what_spoils_the_file_is_named_and_no_rule_is_used(text, line):
    read = parse(text.encode())

    assert read.rules == ()
    assert read.problem
    assert read.line == line


def test_a_long_word_is_named_by_its_beginning():
    read = parse(f"{'x' * 60_000}: finance\n".encode())

    assert len(read.problem) < 100


@given(st.binary(max_size=300))
def test_whatever_it_holds_it_is_read_or_named(data):
    read = parse(data)

    assert not (read.rules and read.problem)
