"""Three versions of a file become one, and nothing that was written is lost."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.repo.repository import Repository, initialise
from gitmem.sync import merge as merging
from gitmem.sync.merge import Merged
from gitmem.sync.overlaps import LineMerge

NOTE = PurePosixPath("core/note.md")
MARKER = re.compile(rb"^(?:<{7,}|={7,}|>{7,}|\|{7,})(?: |\r?$)", re.MULTILINE)

Merge = Callable[..., Merged]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> LineMerge:
    root = tmp_path_factory.mktemp("lines")
    initialise(root, "main")
    return Repository(root).merge_lines


@pytest.fixture(scope="module")
def merge(lines: LineMerge) -> Merge:
    """Merge, and check what has to hold for every merge."""

    def run(
        base: bytes | None, one: bytes, other: bytes, path: PurePosixPath = NOTE
    ) -> Merged:
        merged = merging.merge(path, base, one, other, lines)
        assert merging.merge(path, base, other, one, lines) == merged
        assert merging.merge(path, base, merged.data, one, lines).data is not None
        assert not MARKER.search(merged.data)
        return merged

    return run


def note(body: str = "", **fields: str) -> bytes:
    head = "".join(f"{name}: {text}\n" for name, text in fields.items())
    return f"---\n{head}---\n{body}".encode()


BASE = note("one\n\ntwo\n\nthree\n", description="d", updated="2026-01-01")


@pytest.mark.parametrize(
    ("base", "one", "other", "expected"),
    [
        (b"b", b"x", b"x", b"x"),
        (b"b", b"b", b"x", b"x"),
        (b"b", b"b", b"b", b"b"),
        (None, b"x", b"x", b"x"),
        (b"b", b"", b"b", b""),
        (b"\0b", b"\0x", b"\0b", b"\0x"),
    ],
    ids=["same edit", "one side", "no edit", "same file", "emptied", "binary"],
)
def test_a_side_that_did_nothing_yields(merge, base, one, other, expected):
    assert merge(base, one, other) == Merged(expected)


def test_edits_of_different_paragraphs_both_stay(merge):
    one = BASE.replace(b"one", b"ONE")
    other = BASE.replace(b"three", b"THREE")

    assert merge(BASE, one, other) == Merged(
        note("ONE\n\ntwo\n\nTHREE\n", description="d", updated="2026-01-01")
    )


def test_of_one_line_edited_twice_the_later_update_stays_and_the_other_is_kept(merge):
    early = note("alpha\n", description="d", updated="2026-01-02")
    late = note("omega\n", description="d", updated="2026-01-03")
    base = note("start\n", description="d", updated="2026-01-01")

    assert merge(base, early, late) == Merged(late, copy=early)


def test_paragraphs_added_at_the_same_place_both_stay(merge):
    merged = merge(BASE, BASE + b"\nalpha\n", BASE + b"\nomega\n")

    assert merged.copy is None
    assert sorted(merged.data.removeprefix(BASE).split()) == [b"alpha", b"omega"]


def test_what_both_sides_added_alike_is_there_once(merge):
    merged = merge(BASE, BASE + b"\nsame\n", BASE + b"\nsame\nalpha\n")

    assert merged == Merged(BASE + b"\nsame\nalpha\n")


def test_a_description_and_a_body_edited_apart_both_stay(merge):
    one = BASE.replace(b"description: d", b"description: better")
    other = BASE.replace(b"two", b"TWO")

    assert merge(BASE, one, other) == Merged(
        note("one\n\nTWO\n\nthree\n", description="better", updated="2026-01-01")
    )


def test_two_files_of_one_name_and_description_are_joined(merge):
    one = note("# Monday\n\nalpha\n", description="today")
    other = note("# Monday\n\nomega\n", description="today")

    merged = merge(None, one, other)

    assert merged.copy is None
    assert merged.data.count(b"# Monday") == 1
    assert b"alpha\n" in merged.data
    assert b"omega\n" in merged.data


def test_two_files_of_one_name_and_different_descriptions_stay_apart(merge):
    one = note("alpha\n", description="a port")
    other = note("omega\n", description="a wine")

    merged = merge(None, one, other)

    assert {merged.data, merged.copy} == {one, other}


def test_a_file_without_frontmatter_joins_its_namesake(merge):
    merged = merge(None, b"alpha\n", b"omega\n")

    assert sorted(merged.data.split()) == [b"alpha", b"omega"]
    assert merged.copy is None


@pytest.mark.parametrize("name", ["n.md", "n.txt", "n.jsonl", "n"])
def test_binary_files_are_never_mixed(merge, name):
    merged = merge(b"\0base", b"\0one", b"\0two", PurePosixPath(name))

    assert {merged.data, merged.copy} == {b"\0one", b"\0two"}


def test_text_that_replaced_a_binary_file_on_both_sides_is_kept(merge):
    merged = merge(b"\0base", b"one\n", b"two\n")

    assert {merged.data, merged.copy} == {b"one\n", b"two\n"}


def test_bytes_that_are_no_utf8_survive(merge):
    base = b"caf\xe9\n\nbar\n\nend\n"

    merged = merge(base, base.replace(b"caf", b"CAF"), base.replace(b"end", b"\xff"))

    assert merged == Merged(b"CAF\xe9\n\nbar\n\n\xff\n")


def test_windows_line_ends_stay_and_hide_no_overlap(merge):
    base = note("start\n\nmore\n", updated="2026-01-01").replace(b"\n", b"\r\n")
    one = base.replace(b"start", b"alpha")
    other = base.replace(b"start", b"omega")

    merged = merge(base, one, other)

    assert {merged.data, merged.copy} == {one, other}


FENCED = b"start\n\n```sh\n%b\n\nend\n```\n"


@pytest.mark.parametrize("base", [b"start\n", None], ids=["both added", "both new"])
def test_two_additions_of_code_are_not_mixed_into_one(merge, base):
    one, other = FENCED % b"alpha", FENCED % b"omega"

    merged = merge(base, one, other)

    assert merged.copy is None
    assert one.removeprefix(b"start\n") in merged.data
    assert other.removeprefix(b"start\n") in merged.data
    assert merged.data.count(b"start") == 1


def test_a_line_that_begins_like_another_is_no_part_of_it(merge):
    merged = merge(b"start\n", b"start\nalpha", b"start\nalphabet\n")

    assert sorted(merged.data.split()) == [b"alpha", b"alphabet", b"start"]


@pytest.mark.parametrize("name", ["n.json", "n.jsonl"])
@pytest.mark.parametrize("base", [b'{\n  "a": 1\n}\n', None], ids=["edited", "new"])
def test_json_over_several_lines_is_not_put_together(merge, name, base):
    one = (base or b"") + b'{\n  "b": 2\n}\n'
    other = (base or b"") + b'{\n  "c": 3\n}\n'

    merged = merge(base, one, other, PurePosixPath(name))

    assert {merged.data, merged.copy} == {one, other}


def test_a_byte_order_mark_that_one_side_set_stays(merge):
    bom = b"\xef\xbb\xbf"

    assert merge(BASE, bom + BASE, BASE.replace(b"two", b"TWO")).data.startswith(bom)
    assert not merge(bom + BASE, BASE, bom + BASE + b"end\n").data.startswith(bom)


def test_windows_additions_at_one_place_both_stay(merge):
    base = b"# Title\r\n"

    merged = merge(base, base + b"alpha\r\n", base + b"omega\r\n")

    assert merged.copy is None
    assert sorted(merged.data.split(b"\r\n")) == [b"", b"# Title", b"alpha", b"omega"]


def test_a_byte_order_mark_is_no_reason_for_a_copy(merge):
    bom = b"\xef\xbb\xbf"

    merged = merge(BASE, bom + BASE, BASE.replace(b"two", b"TWO"))

    assert merged.copy is None
    assert merged.data.removeprefix(bom) == BASE.replace(b"two", b"TWO")


def test_last_lines_without_an_end_are_not_glued_together(merge):
    merged = merge(b"start\n", b"start\nalpha", b"start\nomega")

    assert sorted(merged.data.split()) == [b"alpha", b"omega", b"start"]
    assert merged.copy is None


@pytest.mark.parametrize("value", [b"2", b"3", b"4", b"5", b"6"])
def test_a_body_is_not_glued_to_a_closing_line_without_an_end(merge, value):
    base = b"---\na: 1\nb: 1\n---"

    merged = merge(base, base.replace(b"a: 1", b"a: " + value), base + b"\nbody\n")

    assert merged == Merged(b"---\na: " + value + b"\nb: 1\n---\nbody\n")


def test_frontmatter_that_one_side_took_away_beside_an_edit_is_kept(merge):
    base = note("text\n", description="d", kind="x")

    merged = merge(base, b"text\n", base.replace(b"kind: x", b"kind: better"))

    assert merged == Merged(note("text\n", kind="better"))


def test_a_megabyte_is_merged(merge):
    base = b"".join(b"line %d\n\n" % number for number in range(90_000))

    merged = merge(base, b"alpha\n" + base, base + b"omega\n")

    assert merged == Merged(b"alpha\n" + base + b"omega\n")


def test_an_emptied_file_yields_to_an_edit_and_is_no_loss(merge):
    merged = merge(b"start\n", b"", b"omega\n")

    assert b"omega\n" in {merged.data, merged.copy}


@pytest.mark.parametrize(
    "fake",
    [
        b"<" * 61 + b" ours\nmine\n" + b"=" * 61 + b"\nyours\n" + b">" * 61 + b" x\n",
        b"=" * 61 + b"\n",
    ],
    ids=["whole", "line"],
)
def test_text_that_looks_like_our_own_markers_is_kept(lines, fake):
    base = b"start\n\nmiddle\n"
    one, other = base + fake, base.replace(b"start", b"alpha") + b"\nomega\n"

    merged = merging.merge(NOTE, base, one, other, lines)

    assert merged == merging.merge(NOTE, base, other, one, lines)
    assert all(
        part in merged.data + (merged.copy or b"")
        for part in (fake, b"alpha", b"omega")
    )


WORDS = st.integers(0, 9999).map(lambda n: f"w{n:04}")
LINES = st.lists(st.one_of(WORDS, st.just("")), max_size=6)
NEWLINES = st.sampled_from(["\n", "\n", "\n", "\r\n"])


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes | None, bytes, bytes]:
    """Draw a base and two edits of it."""
    newline = draw(NEWLINES)
    start = draw(LINES)
    return (
        draw(st.sampled_from([None, _file(draw, start, newline)])),
        _file(draw, _edited(draw, start), newline),
        _file(draw, _edited(draw, start), newline),
    )


def _file(draw: st.DrawFn, lines: list[str], newline: str) -> bytes:
    tags = draw(st.lists(st.sampled_from(["t0001", "t0002", "t0003"]), max_size=2))
    day = draw(st.integers(1, 3))
    head = ["---", f"tags: [{', '.join(tags)}]", f"updated: 2026-01-0{day}", "---"]
    whole = [*(head if draw(st.booleans()) else []), *lines]
    return (newline.join(whole) + draw(st.sampled_from(["", newline]))).encode()


def _edited(draw: st.DrawFn, lines: list[str]) -> list[str]:
    kept = [line for line in lines if draw(st.integers(0, 4))]
    at = draw(st.integers(0, len(kept)))
    return [*kept[:at], *draw(LINES), *kept[at:]]


def _tokens(data: bytes | None) -> set[bytes]:
    return set(re.findall(rb"w\d{4}", data or b""))


@settings(max_examples=40)
@given(versions())
def test_no_word_is_lost_and_the_order_of_the_sides_is_nothing(lines, drawn):
    base, one, other = drawn

    merged = merging.merge(NOTE, base, one, other, lines)

    assert merging.merge(NOTE, base, other, one, lines) == merged
    kept = _tokens(merged.data) | _tokens(merged.copy)
    removed = (_tokens(base) - _tokens(one)) | (_tokens(base) - _tokens(other))
    assert (_tokens(one) | _tokens(other)) - removed <= kept
    assert not MARKER.search(merged.data)


@settings(max_examples=15)
@given(versions())
def test_merging_again_changes_nothing(lines, drawn):
    base, one, other = drawn

    merged = merging.merge(NOTE, base, one, other, lines).data

    assert merging.merge(NOTE, merged, merged, merged, lines) == Merged(merged)
    assert merging.merge(NOTE, one, merged, one, lines) == Merged(merged)
