"""A line of a tape says all of a record, in one order."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.tape.record import Draft, made, moment, read, stamp, written

AT = datetime(2026, 4, 4, 12, 0, 0, 5, tzinfo=UTC)
DRAFT = Draft("task/begin", "handoff", {"summary": "go on"}, "s1", "e1")
OLD = (
    b'{"name":"task/begin","kind":"handoff","sessionId":"s1","sessionEntryId":"e1",'
    b'"timestamp":"2026-04-04T12:00:00.000Z"}'
)


def test_the_keys_stand_in_one_order():
    line = written(made(DRAFT, AT, "oak"))

    assert list(json.loads(line)) == [
        *("id", "timestamp", "name", "type", "meta", "sessionId", "sessionEntryId")
    ]
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1


def test_the_id_follows_from_entry_time_and_name():
    first = made(DRAFT, AT, "oak")

    assert first == made(DRAFT, AT, "oak")
    others = [
        made(DRAFT, AT.replace(microsecond=6), "oak"),
        made(Draft("task/end", "handoff", {}, "s1", "e1"), AT, "oak"),
        made(Draft("task/begin", "handoff", {}, "s1", "e2"), AT, "oak"),
        made(DRAFT, AT, "elm"),
    ]
    assert len({each.id for each in (first, *others)}) == 5


@given(
    st.text(min_size=1, max_size=300),
    st.dictionaries(st.text(), st.text()),
    st.datetimes(timezones=st.just(UTC)),
)
def test_what_is_written_is_read_again(name, meta, at):
    record = made(Draft(name, "handoff", meta, "s1", "e1"), at, "oak")

    found = read(written(record))

    assert found is not None
    assert (found.id, found.at) == (record.id, at)
    assert written(found) == written(record)


@given(st.binary())
def test_no_line_is_too_strange_to_be_read(line):
    read(line)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b'{"id": "tor',
        b"[]",
        b'{"name":"x","type":"handoff","timestamp":"yesterday"}',
        b'{"name":"","type":"handoff","timestamp":"2026-04-04"}',
        b'{"name":"x","timestamp":"2026-04-04"}',
        b'{"name":"x","type":"handoff","timestamp":"0001-01-01T00:00:00+14:00"}',
        b"[" * 100_000,
        OLD.replace(b"task/begin", b"x" * 301),
        OLD + b" " * 300_000,
    ],
    ids=[
        *("empty", "torn", "list", "no time", "no name", "no type", "before time"),
        *("deep", "long name", "long line"),
    ],
)
def test_what_is_no_record_is_none(line):
    assert read(line) is None


def test_an_older_line_of_pi_memory_md_is_read():
    found = read(OLD)

    assert found is not None
    assert found.id == "e1:2026-04-04T12:00:00.000Z:task/begin"
    assert (found.type, found.session, found.entry) == ("handoff", "s1", "e1")


def test_moments_are_written_so_that_they_sort():
    earlier, later = AT, AT.replace(microsecond=40)

    assert stamp(earlier) == "2026-04-04T12:00:00.000005Z"
    assert stamp(earlier) < stamp(later)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-04-04T12:00:00.000Z", 12),
        ("2026-04-04T14:00:00+02:00", 12),
        ("2026-04-04", 0),
    ],
)
def test_a_moment_is_one_of_utc(text, hour):
    assert moment(text) == datetime(2026, 4, 4, hour, tzinfo=UTC)


@pytest.mark.parametrize(("depth", "is_read"), [(20, True), (40, False), (900, False)])
def test_a_line_that_is_too_deep_to_be_written_again_is_not_read(depth, is_read):
    deep = "[" * depth + "]" * depth
    said = f'"name":"a","type":"handoff","meta":{{"deep":{deep}}}'
    line = f'{{"timestamp":"2026-04-04T11:00:00Z",{said}}}'

    assert (read(line.encode("ascii")) is not None) == is_read


def test_a_line_whose_id_no_other_line_could_name_is_not_read():
    said = '"name":"a","type":"handoff","timestamp":"2026-04-04T11:00:00Z"'

    assert read(f'{{"id":"{"x" * 1_000}",{said}}}'.encode("ascii")) is not None
    assert read(f'{{"id":"{"x" * 1_001}",{said}}}'.encode("ascii")) is None
