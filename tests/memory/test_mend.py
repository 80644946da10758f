from pathlib import PurePosixPath as P

import pytest

from gitmem.memory.check import check
from gitmem.memory.findings import codes, finding
from gitmem.memory.mend import MENDS, Mended, fix, mended
from gitmem.memory.rules import Rules

PATH = P("alpha/a.md")


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        pytest.param(
            "byte-order-mark",
            b"\xef\xbb\xbf---\ndescription: d\n---\nx\n",
            b"---\ndescription: d\n---\nx\n",
            id="bom",
        ),
        pytest.param(
            "carriage-return",
            b"---\r\ndescription: d\r\n---\r\nx\ry\r\n",
            b"---\ndescription: d\n---\nx\ry\n",
            id="returns",
        ),
        pytest.param(
            "late-frontmatter",
            b"\n\n---\ndescription: d\n---\n\nx\n",
            b"---\ndescription: d\n---\n\nx\n",
            id="blank-lines",
        ),
        pytest.param("no-final-newline", b"a\r\nb", b"a\r\nb\r\n", id="newline"),
        pytest.param("no-final-newline", b"", b"", id="empty"),
        pytest.param(
            "tags-not-a-list",
            b"---\n# c\ntags: a, b # why\nx: y\n---\n",
            b"---\n# c\ntags: [a, b] # why\nx: y\n---\n",
            id="tags",
        ),
        pytest.param(
            "duplicate-tag",
            b"---\ntags: [a-b, c, aB]\n---\n",
            b"---\ntags: [a-b, c]\n---\n",
            id="duplicate",
        ),
        pytest.param(
            "no-description",
            b"---\ntags: [a]\n---\n# A title\n",
            b"---\ntags: [a]\ndescription: A title\n---\n# A title\n",
            id="description",
        ),
        pytest.param("no-description", b"", b"", id="nothing-to-say"),
    ],
)
def test_a_mend_changes_only_what_it_says(code, before, after):
    assert after == mended(PATH, before, [code])[0]


def test_every_mend_is_for_a_code_that_exists():
    assert set() == set(MENDS) - set(codes())


def test_what_was_mended_is_not_found_again(memory):
    memory.put(
        "alpha/a.md",
        b"\xef\xbb\xbf\r\n---\r\ntags: a, A, b\r\n---\r\n# Title\r\n\r\nlast",
    )
    first = check(memory.tree, Rules(), shared_name=None).findings
    done = fix(memory.tree, first)
    again = check(memory.tree, Rules(), shared_name=None).findings
    assert ("", [], ()) == (
        done[0].left_because,
        [f.code for f in again if f.code in MENDS],
        fix(memory.tree, again),
    )
    assert b"---\ntags: [a, b]\ndescription: Title\n---\n# Title\n\nlast\n" == (
        memory.tree.read(PATH)
    )


def test_only_what_was_asked_for_is_mended(memory):
    memory.put("alpha/a.md", b"\xef\xbb\xbf---\ndescription: d\n---\nx")
    done = fix(memory.tree, [finding(PATH, "no-final-newline")])
    assert (Mended(PATH, ("no-final-newline",)),) == done
    assert memory.tree.read(PATH).startswith(b"\xef\xbb\xbf")


def test_what_cannot_be_mended_is_left_and_said(memory, tmp_path):
    memory.put("alpha/b.md")
    (memory.root / "alpha/a.md").symlink_to(tmp_path)
    wanted = [finding(PATH, "no-final-newline"), finding(P("alpha/b.md"), "secret")]
    (left,) = fix(memory.tree, wanted)
    assert (PATH, ()) == (left.path, left.codes)
    assert "link" in left.left_because
