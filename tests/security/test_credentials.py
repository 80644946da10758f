"""A credential in an address: refused in every form, and repeated by nobody."""

import json

import pytest

from gitmem.errors import BadConfig
from gitmem.mcp_server import words
from gitmem.repo.address import masked, parse

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PASSWORD = "hunter2"
FORMS = [
    "{token}@127.0.0.1:x.git",
    "me:{token}@h.invalid:x",
    "me:{password}@h.invalid:x",
    "git@h.invalid:{token}/x.git",
    "//me:{password}@h.invalid/x",
    "https:me:{password}@h.invalid/x",
    "https:/me:{token}@h.invalid/x",
    "https:/me:{password}@h.invalid/x",
    "https:///me:{password}@h.invalid/x",
    "https:\\\\me:{password}@h.invalid\\x",
    "HTTPS://me:{password}@h.invalid/x",
    "https://me:in/{password}@h.invalid/x",
    "https://me%3A{password}@h.invalid/x",
    "https://{token}@h.invalid/x",
    "https://h.invalid/{token}/x.git",
    "https://h.invalid/ghp%5F{rest}/x.git",
    "https://h.invalid/x.git#{token}",
    "https://h.invalid/x.git#token={password}",
    "https://h.invalid/x.git?access_token={password}",
    "https://h.invalid/x.git;password={password}",
    "ssh://me:{password}@h.invalid/x",
    "ssh://git@h.invalid/{token}/x",
    "file:///me:{password}@h.invalid/x",
    "/srv/{token}/memory.git",
]


def spelled(form: str) -> str:
    return form.format(token=TOKEN, password=PASSWORD, rest=TOKEN[4:])


def is_clean(text: str) -> bool:
    return not any(each in text for each in (TOKEN, TOKEN[4:], PASSWORD))


@pytest.mark.parametrize("form", FORMS)
def test_an_address_with_a_credential_is_refused_in_every_form(form):
    with pytest.raises(BadConfig) as caught:
        parse(spelled(form))

    assert "credential" in caught.value.message
    assert "ssh address" in caught.value.hint
    assert is_clean(caught.value.message + caught.value.hint)
    assert is_clean(masked(spelled(form)))


@pytest.mark.parametrize(
    "text",
    [
        "https://git.example:8443/me@work/memory.git",
        "https://person@git.example/memory.git",
        "ssh://git@git.example:2222/~me/memory.git",
        "me@git.example:notes/a@b",
        "git.example:memory.git",
        "/srv/a:b@c/memory.git",
        "/srv/memory#2.git",
    ],
)
def test_an_address_that_only_looks_odd_is_taken(text):
    assert text == parse(text).text


@pytest.mark.parametrize("text", ["https:/git.example/x", "ssh:git.example/x"])
def test_an_address_that_lacks_a_slash_names_no_host_of_that_name(text):
    with pytest.raises(BadConfig, match="two slashes"):
        parse(text)


@pytest.mark.parametrize("form", [FORMS[0], FORMS[2], FORMS[6], FORMS[14], FORMS[16]])
def test_no_command_writes_or_prints_it(person, form):
    url = spelled(form)
    before = person("init", url)
    person("init")

    said = [before, person("remote", url), person("remote"), person("sync", "status")]
    said += [person("--json", "remote", url), person("remote", url, "--json")]

    assert before.status == 1
    assert is_clean("".join(each.all for each in said))
    kept = (path for path in person.base.rglob("*") if path.is_file())
    assert [] == [str(p) for p in kept if not is_clean(p.read_text("latin-1"))]


def test_what_git_itself_finds_in_the_repository_is_not_printed_by_any_door(
    person, door, git
):
    person("init")
    git("remote", "add", "origin", spelled(FORMS[6]), cwd=person.memory)

    said = door(person)

    assert is_clean(said)
    logs = person.base.rglob("*.log")
    assert is_clean("".join(path.read_text("utf-8") for path in logs))


def test_a_hint_is_masked_as_the_message_is():
    error = BadConfig(f"No {TOKEN}.", f"Not https://me:{PASSWORD}@h.invalid/x either.")

    assert is_clean(words.of_error(error))
    assert is_clean(json.dumps(words.of_error(error)))
