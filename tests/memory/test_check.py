import os
import shutil
from pathlib import PurePosixPath as P

import pytest

from gitmem.errors import NotFound
from gitmem.memory.check import check
from gitmem.memory.claims import with_claim
from gitmem.memory.findings import codes
from gitmem.memory.memory import Severity
from gitmem.memory.rules import Rules

HEAD = "---\ndescription: d\n---\n"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def found(memory, *, shared="global", under=None, **rules):
    checked = check(memory.tree, Rules(**rules), shared_name=shared, under=under)
    return [(str(f.path), f.line, f.code) for f in checked.findings]


def test_a_clean_repository_has_no_findings(memory):
    memory.put("README.md", "hello\n")
    memory.put("alpha/PROJECT.md", with_claim(None, "alpha", "h/o/alpha", "2026-11-30"))
    memory.put("alpha/core/a.md", f"{HEAD}see [b](../notes/b.md) and [[b]]\n")
    memory.put("alpha/notes/b.md", f"{HEAD}\n# B\n")
    memory.put("global/USER.md", HEAD)
    checked = check(memory.tree, Rules(), shared_name="global")
    assert ([], 4, ["global", "alpha"]) == (
        list(checked.findings),
        checked.memories,
        [layer.name for layer in checked.layers],
    )


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        pytest.param(
            "a.md",
            "x: y\n",
            [(1, "no-description"), (1, "no-frontmatter")],
            id="reader",
        ),
        pytest.param("a.md", f"{HEAD}text", [(4, "no-final-newline")], id="newline"),
        pytest.param(
            "a.md",
            f"{HEAD}a\n<<<<<<< x\n=======\n>>>>>>> y\n",
            [(5, "conflict-marker")],
            id="markers",
        ),
        pytest.param(
            "a.conflict-0a1b2c3d.md", HEAD, [(0, "conflict-copy")], id="conflict-copy"
        ),
        pytest.param("a.md", f"{HEAD}\n{TOKEN}\n", [(5, "secret")], id="secret"),
        pytest.param(f"{TOKEN}.md", HEAD, [(0, "secret-name")], id="secret-name"),
        pytest.param(
            "a.md",
            "---\ndescription: d\n# x\ntags: [some-tag, other, someTag]\n---\n",
            [(4, "duplicate-tag")],
            id="duplicate-tag",
        ),
        pytest.param(
            "a.md",
            '---\ndescription: d\ntags: ["--"]\n---\n',
            [(3, "bad-tags")],
            id="no-tag",
        ),
        pytest.param(
            "PROJECT.md",
            "---\ndescription: d\nremotes: ['ext::sh -c x']\n---\n",
            [(3, "bad-claim")],
            id="bad-claim",
        ),
        pytest.param("USER.md", HEAD + "x\n" * 5000, [(0, "too-long")], id="profile"),
        pytest.param("a.md", HEAD + "x\n" * 600_000, [(0, "too-large")], id="large"),
        pytest.param(
            "a.md",
            f"{HEAD}\n[x](gone.md)\n[[gone]]\n",
            [(5, "dead-link"), (6, "dead-link")],
            id="links",
        ),
        pytest.param(
            "a.md",
            f"{HEAD}[x](../../../etc/passwd)\n",
            [(4, "dead-link")],
            id="outside",
        ),
    ],
)
def test_what_is_odd_is_found_with_its_line(memory, path, text, expected):
    memory.put(f"alpha/{path}", text)
    assert [(f"alpha/{path}", *each) for each in expected] == found(memory)


@pytest.mark.parametrize(
    "link",
    [
        "[x](b.md)",
        "[x](../notes/b.md)",
        "[x](notes/b.md)",
        "[x](alpha/notes/b.md)",
        "[x](../notes)",
        "[x](../notes/pic.png)",
        "[[b]]",
        "[[B]]",
        "[[notes/b]]",
        "[[b.md]]",
        "[[A title]]",
        "[[person:b]]",
        "[[a-name]]",
    ],
)
def test_a_link_may_be_written_from_the_file_the_layer_or_the_root(memory, link):
    memory.put(
        "alpha/notes/b.md",
        "---\ndescription: d\nkey: person:b\nname: a-name\n---\n# A title\n",
    )
    memory.put("alpha/notes/pic.png")
    memory.put("alpha/notes/a.md", f"{HEAD}{link}\n")
    assert [] == found(memory)


def test_the_strict_contract_is_checked_when_it_is_set(memory):
    memory.put("alpha/a.md", HEAD)
    memory.put("beta/a.md", "---\ndescription: d\ntags: [a, b, c, d]\n---\n")
    assert [("alpha/a.md", 1, "bad-tags"), ("beta/a.md", 3, "bad-tags")] == found(
        memory, tag_contract="strict"
    )


def test_a_layer_with_too_many_tags_is_named(memory):
    texts = [f"---\ndescription: d\ntags: [a{n}, b{n}, c{n}]\n---\n" for n in range(67)]
    paths = [memory.put(f"alpha/{n}.md", text) for n, text in enumerate(texts)]
    assert [("alpha", 0, "bad-tags")] == found(memory, tag_contract="strict")
    assert 67 == len(paths)


def test_a_large_file_is_not_said_to_lack_its_last_newline(memory):
    text = f"{HEAD}{'x' * 999_950}\u00fc\u00fc\n".encode()
    memory.put("alpha/a.md", text)
    limits = range(len(text) - 5, len(text))
    says = {code for n in limits for *_, code in found(memory, max_file_bytes=n)}
    assert {"too-large"} == says


@pytest.mark.parametrize(
    ("mode", "weight"), [("block", Severity.ERROR), ("warn", Severity.WARNING)]
)
def test_a_credential_weighs_what_the_settings_say(memory, mode, weight):
    memory.put("alpha/a.md", f"{HEAD}\n{TOKEN}\n")
    checked = check(memory.tree, Rules(secrets=mode), shared_name=None)
    assert [weight] == [each.severity for each in checked.findings]


def test_twins_are_a_warning_as_both_are_committed(memory):
    memory.put("alpha/a.md", HEAD)
    memory.put("alpha/A.md", HEAD)
    (twin,) = check(memory.tree, Rules(), shared_name=None).findings
    assert ("twin", Severity.WARNING) == (twin.code, twin.severity)


def test_credentials_are_not_looked_for_when_that_is_off(memory):
    memory.put("alpha/a.md", f"{HEAD}\n{TOKEN}\n")
    assert [] == found(memory, secrets="off")


def test_a_credential_is_never_repeated(memory):
    memory.put("alpha/a.md", f"{HEAD}\n{TOKEN}\n")
    assert TOKEN not in str(check(memory.tree, Rules(), shared_name=None))


def test_layers_that_claim_one_remote_are_both_named(memory):
    memory.put("alpha/PROJECT.md", with_claim(None, "alpha", "h/o/x", "2026-11-30"))
    memory.put("beta/PROJECT.md", "---\ndescription: d\nremotes: h/o/x\n---\n")
    assert [
        ("alpha/PROJECT.md", 6, "claimed-twice"),
        ("beta/PROJECT.md", 3, "claimed-twice"),
    ] == found(memory)


def test_what_lies_in_no_layer_is_named(memory):
    memory.put("loose.md", HEAD)
    memory.put("readme.md", "x\n")
    assert [("loose.md", 0, "no-layer")] == found(memory)


def test_a_shared_layer_that_is_not_set_is_named(memory):
    memory.put("global/USER.md", HEAD)
    assert [("global", 0, "shared-layer-off")] == found(memory, shared=None)


def test_only_what_lies_below_a_folder_is_told(memory):
    memory.put("alpha/core/a.md", "x")
    memory.put("alpha/notes/b.md", f"{HEAD}x")
    memory.put("beta/c.md", "x")
    assert [("alpha/notes/b.md", 4, "no-final-newline")] == found(
        memory, under=P("alpha/notes")
    )


def test_a_folder_that_is_not_there_cannot_be_checked(memory):
    with pytest.raises(NotFound):
        found(memory, under=P("gone"))


def test_no_file_stops_the_others_from_being_checked(memory, repository_root, tmp_path):
    horrors = repository_root / "fixtures/frontmatter"
    shutil.copytree(horrors, memory.root / "alpha", dirs_exist_ok=True)
    memory.put("alpha/noise.md", bytes(range(256)) * 8)
    memory.put("beta/a.md", "x")
    os.mkfifo(memory.root / "alpha/pipe.md")
    (memory.root / "alpha/link.md").symlink_to(tmp_path)
    before = memory.files()
    seen = found(memory)
    assert ("beta/a.md", 1, "no-description") in seen
    assert set() == {code for _, _, code in seen} - set(codes())
    assert before == memory.files()


def test_a_repository_of_pi_memory_md_has_nothing_to_mend(memory, repository_root):
    source = repository_root / "fixtures/layouts/pi-memory-md"
    shutil.copytree(source, memory.root, dirs_exist_ok=True)
    assert [] == found(memory)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read_is_named(memory):
    memory.put("alpha/a.md").chmod(0)
    assert [("alpha/a.md", 0, "unreadable")] == found(memory)
