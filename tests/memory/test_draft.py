import pytest

from gitmem.errors import InvalidMemory
from gitmem.memory.draft import Draft, created, created_from, of_document, updated

DAY = "2026-11-30"
OLD = (
    b"---\n# keep me\ndescription: old   # why\nx-own: {a: 1}\n"
    b'tags: ["a", "b"]\ncreated: "2020-01-01"\nupdated: "2020-01-02"\n---\n\nbody\n'
)


def test_a_new_memory_has_its_fields_in_order_and_both_dates():
    draft = Draft({"tags": ("a", "b"), "description": "what", "x": "z1"}, "text")
    assert (
        b"---\ndescription: what\ntags: [a, b]\n"
        b'created: "2026-11-30"\nupdated: "2026-11-30"\nx: z1\n---\n\ntext\n'
    ) == created(draft, DAY)


def test_a_new_document_keeps_its_bytes_and_gets_the_dates_it_lacks():
    document = b"---\r\n# mine\r\ndescription: d\r\ncreated: 2020-01-01\r\n---\r\ntext"
    assert (
        b"---\r\n# mine\r\ndescription: d\r\ncreated: 2020-01-01\r\n"
        b'updated: "2026-11-30"\r\n---\r\ntext\r\n'
    ) == created_from(document, of_document(document), DAY)


def test_a_new_document_that_yaml_would_reject_is_quoted():
    document = b"---\ndescription: Deploy: two\n# c\nx: @a\n---\nz: a: b\n"
    assert (
        b'---\ndescription: "Deploy: two"\n# c\nx: "@a"\n'
        b'created: "2026-11-30"\nupdated: "2026-11-30"\n---\nz: a: b\n'
    ) == created_from(document, of_document(document), DAY)


def test_fields_given_beside_a_new_document_are_laid_over_its_own():
    document = b"---\ndescription: old # why\nx: z1\n---\ntext\n"
    draft = Draft({"description": "new", "tags": ("a",)}, "text\n")
    assert (
        b"---\ndescription: new # why\nx: z1\n"
        b'created: "2026-11-30"\nupdated: "2026-11-30"\ntags: [a]\n---\ntext\n'
    ) == created_from(document, draft, DAY)


def test_a_document_that_is_not_utf8_is_no_draft():
    with pytest.raises(InvalidMemory) as refused:
        of_document(b"a\nb\xff\n")
    assert "Line 2" in refused.value.message


@pytest.mark.parametrize(
    ("document", "line"),
    [
        pytest.param(b"---\ndescription: d\n\n# T\n", 1, id="unclosed"),
        pytest.param(b"---\nx: y\ntags: [a, b\n---\n", 3, id="bracket"),
    ],
)
def test_a_document_with_a_broken_head_is_not_taken_for_text(document, line):
    with pytest.raises(InvalidMemory) as refused:
        of_document(document)
    assert f"Line {line}" in refused.value.message


def test_a_change_of_one_field_leaves_every_other_byte():
    assert OLD.replace(b"old ", b"new ").replace(b"2020-01-02", DAY.encode()) == (
        updated(OLD, Draft({"description": "new"}), DAY)
    )


def test_a_new_text_leaves_the_frontmatter():
    assert OLD.replace(b"body", b"text").replace(b"2020-01-02", DAY.encode()) == (
        updated(OLD, Draft(body="text"), DAY)
    )


@pytest.mark.parametrize(
    "draft",
    [
        pytest.param(Draft(), id="nothing"),
        pytest.param(Draft({"description": "old", "tags": ("a", "b")}), id="same"),
        pytest.param(Draft(body="body\n"), id="same-text"),
        pytest.param(of_document(OLD), id="same-document"),
    ],
)
def test_a_draft_that_changes_nothing_changes_no_byte(draft):
    assert OLD == updated(OLD, draft, DAY)


def test_a_document_without_a_field_does_not_remove_it():
    document = of_document(b"---\ndescription: new\n---\n\ntext\n")
    after = updated(OLD, document, DAY)
    assert b"x-own: {a: 1}\n" in after
    assert b"\n---\n\ntext\n" in after


def test_lines_end_as_they_do_in_the_file():
    before = OLD.replace(b"\n", b"\r\n")
    after = updated(before, Draft(body="one\ntwo\r\nthree"), DAY)
    assert after.endswith(b"---\r\n\r\none\r\ntwo\r\nthree\r\n")
    assert b"\n" not in after.replace(b"\r\n", b"")


def test_a_text_may_be_emptied():
    assert updated(OLD, Draft(body=""), DAY).endswith(b"\n---\n")


def test_a_file_without_frontmatter_gets_one():
    assert b'---\nupdated: "2026-11-30"\n---\nnew\n' == (
        updated(b"old\n", Draft(body="new"), DAY)
    )


@pytest.mark.parametrize(
    "draft",
    [
        pytest.param(Draft({"description": "a\ud800"}), id="field"),
        pytest.param(Draft({"tags": ["a\udce4"]}), id="tag"),
        pytest.param(Draft(body="a\udce4"), id="text"),
    ],
)
@pytest.mark.parametrize("write", [created, lambda *args: updated(OLD, *args)])
def test_half_a_character_is_refused_and_not_replaced(write, draft):
    with pytest.raises(UnicodeError):
        write(draft, DAY)


def test_of_two_spellings_of_a_tag_the_first_is_written():
    draft = Draft({"description": "d", "tags": ["someTag", "some-tag", "other"]})
    assert b"tags: [someTag, other]\n" in created(draft, DAY)
