from pathlib import Path

import pytest

from gitmem.errors import BadConfig
from gitmem.repo.address import Address, parse

NETWORK = ("https", "ssh")


@pytest.mark.parametrize(
    ("text", "protocols"),
    [
        ("https://git.example/o/n.git", NETWORK),
        ("https://person@git.example/o/n", NETWORK),
        ("ssh://git@git.example:2222/o/n", NETWORK),
        ("git+ssh://git@git.example/o/n", NETWORK),
        ("git@git.example:o/n.git", NETWORK),
        ("host.example:path/to/repo", NETWORK),
        ("https://git.example/日本語.git", NETWORK),
        ("http://127.0.0.1:8080/n.git", ("http",)),
        ("http://[::1]:8080/n.git", ("http",)),
        ("file:///srv/memory.git", ("file",)),
        ("/srv/memory.git", ("file",)),
    ],
)
def test_address_that_a_person_may_type_is_taken(text, protocols):
    assert parse(text) == Address(text, protocols)


def test_home_and_relative_folder_are_resolved_where_they_were_typed():
    found = [
        parse("~/m.git", home=Path("/home/me"), cwd=Path("/work")).text,
        parse("../m.git", home=Path("/home/me"), cwd=Path("/desk/here")).text,
    ]

    assert found == ["/home/me/m.git", "/desk/here/../m.git"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "-oProxyCommand=x",
        "--upload-pack=x",
        "ext::sh -c touch%20x",
        "ext://sh",
        "fd::17",
        "git://git.example/n",
        "http://git.example/n",
        "ftp://git.example/n",
        "javascript:alert(1)//x://y",
        "ssh://-oProxyCommand=touch x/n",
        "ssh://-user@host/n",
        "https:///no-host",
        "https://git.example:port/n",
        "https://[::1/n",
        "https://git.example/\nn",
        "https://git.example/\x1b[2Jn",
        "transport::https://git.example/n",
    ],
)
def test_address_that_could_run_something_is_refused(text):
    with pytest.raises(BadConfig, match="cannot be the remote"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://person:hunter2@git.example/n",
        "https://:hunter2@git.example/n",
        "ssh://git:hunter2@git.example/n",
        "https://" + "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8" + "@git.example/n",
    ],
)
def test_address_with_a_credential_is_refused_without_repeating_it(text):
    with pytest.raises(BadConfig) as caught:
        parse(text)

    said = f"{caught.value.message} {caught.value.hint}"
    assert "credential" in said
    assert "hunter2" not in said
    assert "a1B2c3D4" not in said
