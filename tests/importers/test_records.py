"""A record's fields get gitmem's names, and every other byte stays."""

import pytest

from gitmem.importers.records import record


def head(*lines):
    return "\n".join(["---", *lines, "---", "", "text", ""]).encode()


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("recordedAt: 2026-08-16", "recorded: 2026-08-16"),
        ("reviewAfter: 2026-08-16 # soon", "review_after: 2026-08-16 # soon"),
        ("confirmedAt:   '2026-08-16'", "confirmed:   '2026-08-16'"),
        ('"endedAt": 2026-08-16', '"ended": 2026-08-16'),
        (
            "# recordedAt here\nrecordedAt: 2026-08-16",
            "# recordedAt here\nrecorded: 2026-08-16",
        ),
    ],
)
def test_a_name_in_camel_case_becomes_gitmems(theirs, ours):
    assert record(head("id: a", theirs, "x: y")).data == head("id: a", ours, "x: y")


@pytest.mark.parametrize("line", ["myOwnField: 1", "recorded: 2026-01-01", "title: T"])
def test_any_other_field_stays(line):
    assert record(head(line)).data == head(line)
    assert record(head(line)).mapped == ()


def test_a_name_that_is_taken_is_given_to_nobody_else():
    both = head("recorded: 2026-01-01", "recordedAt: 2026-02-02")
    assert record(both).data == both
    two = record(head("endedAt: 2026-01-01", "validUntil: 2026-02-02"))
    assert two.mapped == ("endedAt -> ended",)
    assert b"validUntil: 2026-02-02" in two.data


def test_of_a_broken_head_what_can_be_read_is_given_again():
    data = head("key: person:x", "recordedAt: 2026/06/09", "tags: [a")
    found = record(data)
    assert found.data == data
    assert found.changed["key"] == "person:x"
    assert found.changed["recorded"] == "2026/06/09"
    assert "tags" not in found.changed


def test_a_text_without_a_head_is_left_alone():
    assert record(b"only text\r\n").data == b"only text\r\n"
