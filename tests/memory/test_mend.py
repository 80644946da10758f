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
        pytest.param(
            "invalid-yaml",
            b'---\r\n# why\ntitle:  Deploy: "two" # 1 \r\nx: @a/b\n\n'
            b"y: 1\n---\nz: a: b",
            b'---\r\n# why\ntitle:  "Deploy: \\"two\\" # 1" \r\nx: "@a/b"\n\n'
            b"y: 1\n---\nz: a: b",
            id="quotes",
        ),
        pytest.param(
            "invalid-yaml",
            b"---\ntitle: Deploy: one\n  two\nnames: [@a, b]\n---\n",
            b"---\ntitle: Deploy: one\n  two\nnames: [@a, b]\n---\n",
            id="by-hand",
        ),
        pytest.param(
            "tags-not-a-list",
            b"---\ntags: a, --, b\n---\n",
            b'---\ntags: [a, "--", b]\n---\n',
            id="no-tag-is-lost",
        ),
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


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HEAD = b"---\ndescription: d\n---\n"
MARKERS = b"<<<<<<< a\n=======\n>>>>>>> b\n"


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        pytest.param("alpha/a.md", b"---\ntags: a\n# T", "no closing", id="unclosed"),
        pytest.param("alpha/a.md", b"caf\xe9", "not UTF-8", id="latin-1"),
        pytest.param("alpha/a.md", HEAD + MARKERS + b"x", "conflict", id="markers"),
        pytest.param(
            "alpha/a.md", b"---\ntags: a, b\nx: [y\n---\n", "bracket", id="bracket"
        ),
        pytest.param("alpha/a.md", b"x\n" * 800_000, "too large", id="large"),
        pytest.param("alpha/a?.md", b"# T", "every machine", id="name"),
        pytest.param("alpha/aux/a.md", b"# T", "every machine", id="folder"),
        pytest.param("alpha/sub/a.md", b"# T", "of its own", id="nested-repository"),
    ],
)
@pytest.mark.parametrize("under", [None, P("alpha")])
def test_fix_never_writes_to_what_is_broken_or_not_ours(
    memory, path, text, reason, under
):
    (memory.root / "alpha/sub/.git").mkdir(parents=True)
    memory.put(path, text)
    found = check(memory.tree, Rules(), shared_name=None, under=under).findings
    (left,) = fix(memory.tree, found)
    assert (P(path), (), text) == (left.path, left.codes, memory.tree.read(P(path)))
    assert reason in left.left_because


@pytest.mark.parametrize(
    "path", [pytest.param("alpha/sub/b/a.md", id="git"), "alpha/aux/b/a.md"]
)
def test_fix_of_one_folder_sees_what_lies_above_it(memory, path):
    (memory.root / "alpha/sub/.git").mkdir(parents=True)
    memory.put(path, b"# T")
    found = check(memory.tree, Rules(), shared_name=None, under=P(path).parent).findings
    (left,) = fix(memory.tree, found)
    assert ((), b"# T") == (left.codes, memory.tree.read(P(path)))
    assert left.left_because


@pytest.mark.parametrize(
    "text", [b"caf\xe9", b"---\n# T", HEAD + MARKERS], ids=["utf-8", "head", "markers"]
)
def test_fix_looks_at_the_bytes_again_before_it_writes(memory, text):
    memory.put("alpha/a.md", text)
    (left,) = fix(memory.tree, [finding(PATH, "no-final-newline")])
    assert ((), text) == (left.codes, memory.tree.read(PATH))


def test_a_file_with_a_credential_is_mended_when_they_are_only_warned_of(memory):
    memory.put("alpha/a.md", HEAD + TOKEN.encode())
    by_mode = {
        mode: check(memory.tree, Rules(secrets=mode), shared_name=None).findings
        for mode in ("block", "warn")
    }
    left = fix(memory.tree, by_mode["block"])
    done = fix(memory.tree, by_mode["warn"])
    assert ((), ("no-final-newline",)) == (left[0].codes, done[0].codes)
