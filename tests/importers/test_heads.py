"""Of a head that is broken, whole fields are told from pieces."""

import pytest

from gitmem.importers.heads import head


def read(*lines: str):
    return head("\n".join(["---", *lines, "---", "", "text", ""]).encode())


@pytest.mark.parametrize(
    "lines",
    [
        ['tags: ["[a"'],
        ["tags: [a"],
        ["tags: [a, b]]"],
        ["tags:", '  - "a', "  - b"],
        ['description: "unterminated'],
        ["description: 'unterminated"],
        ["description: {oops"],
        ['title: "a'],
    ],
)
def test_a_piece_of_a_field_is_no_field(lines):
    found = read(*lines, "key: deploy")

    assert found.document.fields == {"key": "deploy"}
    assert found.trouble


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("description: Deploy: how", {"description": "Deploy: how"}),
        ("description: see [1", {"description": "see [1"}),
        ("description: it's: so", {"description": "it's: so"}),
        ("tags: [@home, b]", {"tags": ["@home", "b"]}),
        ("tags: [a, !!]", {"tags": ["a", "!!"]}),
        ("tags:\n\t- a", {"tags": ["a"]}),
    ],
)
def test_plain_words_that_yaml_rejects_are_read(line, fields):
    found = read(line)

    assert found.document.fields == fields
    assert not found.trouble


def test_a_piece_of_a_field_that_nothing_is_listed_under_is_no_trouble():
    assert not read('color: "red').trouble


def test_the_trouble_names_the_line_and_the_field():
    found = read("key: a", 'description: "never')

    assert found.trouble == "line 3: A quote or bracket of description does not match."


def test_below_a_head_without_an_end_the_text_begins_at_the_first_blank_line():
    found = head(b"---\r\ntitle: x\r\n\r\nSome words.\r\n")

    assert found.document.body_text == "Some words.\n"
    assert found.trouble == "line 1: The frontmatter has no closing --- line."


def test_a_head_without_an_end_and_without_a_text_says_nothing():
    assert head(b"---\ntitle: x\n").document.body_text == ""
