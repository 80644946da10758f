from pathlib import PurePosixPath as P

import pytest

from gitmem.errors import InvalidMemory, SecretRefused
from gitmem.memory.rules import Rules, accept

PATH = P("alpha/core/a.md")
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def page(head="description: d\n", body="text\n"):
    return f"---\n{head}---\n{body}".encode()


def refusal(data, *, path=PATH, is_new=True, layer_tags=(), **rules):
    with pytest.raises(InvalidMemory) as refused:
        accept(path, data, Rules(**rules), is_new=is_new, layer_tags=layer_tags)
    return refused.value.message


def test_a_plain_memory_is_accepted_without_a_word():
    assert () == accept(PATH, page("description: d\ntags: [a]\n"), Rules(), is_new=True)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"text\n", id="no-frontmatter"),
        pytest.param(page("tags: [a]\n"), id="none"),
        pytest.param(page('description: " "\n'), id="blank"),
    ],
)
def test_a_new_memory_needs_a_description(data):
    assert "no description" in refusal(data)


def test_an_old_memory_may_lack_a_description():
    assert () == accept(PATH, b"text\n", Rules(), is_new=False)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param('description: "a\\nb"\n', id="two-lines"),
        pytest.param("description: [a]\n", id="list"),
        pytest.param(f"description: {'a' * 501}\n", id="too-long"),
    ],
)
def test_a_description_is_one_short_line(head):
    assert "description" in refusal(page(head), is_new=False)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(page(body="a\nb\0\n"), 5, id="nul"),
        pytest.param(page() + b"a\xff", 5, id="not-utf8"),
        pytest.param(
            page(body="<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n"), 4, id="markers"
        ),
        pytest.param(b"---\ndescription: d\n", 1, id="unclosed"),
    ],
)
def test_what_is_wrong_with_a_text_is_told_with_its_line(data, line):
    assert f"alpha/core/a.md:{line} " in refusal(data)


@pytest.mark.parametrize(
    ("path", "size", "limit"),
    [
        pytest.param("alpha/core/a.md", 1_000_001, "1,000,000", id="any"),
        pytest.param("global/USER.md", 8193, "8,192", id="profile"),
        pytest.param("global/daily/2026-11-30.md", 8193, "8,192", id="daily"),
    ],
)
def test_a_text_that_is_too_large_is_told_the_limit(path, size, limit):
    data = page().ljust(size - 1, b"x") + b"\n"
    assert limit in refusal(data, path=P(path))


def test_the_largest_text_is_accepted():
    data = page().ljust(8191, b"x") + b"\n"
    assert () == accept(P("global/USER.md"), data, Rules(), is_new=True)


@pytest.mark.parametrize(
    ("tags", "others"),
    [
        pytest.param("", (), id="none"),
        pytest.param("tags: [a, b, c, d]\n", (), id="four"),
        pytest.param(f"tags: [{' '.join('abcdefghi')}]\n", (), id="nine-words"),
        pytest.param("tags: [new]\n", [f"t{n}" for n in range(200)], id="full-layer"),
    ],
)
def test_the_strict_contract_is_kept(tags, others):
    data = page(f"description: d\n{tags}")
    assert "tags" in refusal(data, tag_contract="strict", layer_tags=others)


@pytest.mark.parametrize("tags", ["", "tags: [a, b, c, d]\n", "tags: [a-b, aB]\n"])
def test_the_free_contract_asks_for_little(tags):
    data = page(f"description: d\n{tags}")
    assert () == accept(PATH, data, Rules(), is_new=True)


def test_a_claim_needs_no_tags():
    rules = Rules(tag_contract="strict")
    assert () == accept(P("alpha/PROJECT.md"), page(), rules, is_new=True)


def test_a_credential_is_refused_with_line_and_kind_but_never_told():
    with pytest.raises(SecretRefused) as refused:
        accept(PATH, page(body=f"a\n{TOKEN}\n"), Rules(), is_new=True)
    assert "alpha/core/a.md:5" in refused.value.message
    assert "GitHub token" in refused.value.message
    assert TOKEN not in f"{refused.value.message}{refused.value.hint}"


def test_a_credential_in_a_name_is_refused_and_never_told():
    path = PATH.with_name(f"{TOKEN}.md")
    with pytest.raises(SecretRefused) as refused:
        accept(path, page(body="text"), Rules(), is_new=False)
    assert "The name alpha/core/ghp_*** seems to hold" in refused.value.message
    assert TOKEN not in f"{refused.value.message}{refused.value.hint}"


def test_a_credential_is_only_warned_of_when_the_person_wants_that():
    warnings = accept(PATH, page(body=TOKEN), Rules(secrets="warn"), is_new=True)
    assert 1 == len(warnings)
    assert TOKEN not in warnings[0]


def test_a_credential_is_not_looked_for_when_that_is_off():
    assert () == accept(PATH, page(body=TOKEN), Rules(secrets="off"), is_new=True)


def test_a_packet_keeps_its_many_tags_under_the_strict_contract():
    many = ", ".join(f"t{number}" for number in range(24))
    data = page(f"description: d\ntags: [{many}]\n")
    path = P("alpha/packets/2026/03/a.md")
    assert () == accept(path, data, Rules(tag_contract="strict"), is_new=True)
