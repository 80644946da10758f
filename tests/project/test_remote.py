from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.project.remote import normalise_claim, normalise_remote, owner_name

TOKEN = "not" + "-a-" + "token"


@pytest.mark.parametrize(
    "url",
    [
        "git@h.example:o/n.git",
        "h.example:o/n",
        "git@h.example:/o/n",
        "[git@h.example]:o/n",
        f"https://user:{TOKEN}@h.example/o/n",
        f"https://user:p@{TOKEN}@h.example/o/n",
        f"https://{TOKEN}@h.example/o/n.git/",
        f"https://h.example/o/n?private_token={TOKEN}#top",
        "https://h.example:443/o/n",
        "http://H.Example:80//o//n/",
        "ssh://git@h.example:22/o/n.git",
        "ssh://git@h.example:0022/o/n.git",
        "git+ssh://git@h.example/o/n",
        "ssh+git://h.example/o/n",
        "git://h.example:9418/o/n.git",
        "https://h.example./o/%6e/.git",
        "  https://h.example/o/n\n",
        "ssh://h.example/~/o/n",
        "HTTPS://h.example/o/n.GIT",
    ],
)
def test_every_spelling_of_one_remote_has_one_name(url):
    assert normalise_remote(url) == "h.example/o/n"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        pytest.param("https://h:8443/o/n", "h:8443/o/n", id="own port"),
        pytest.param("[git@h:2222]:o/n", "h:2222/o/n", id="own port, short form"),
        pytest.param("ssh://[::1]:2222/o/n", "[::1]:2222/o/n", id="IPv6"),
        pytest.param("git@[::1]:o/n", "[::1]/o/n", id="IPv6, short form"),
        pytest.param("git@git.sr.ht:~u/n", "git.sr.ht/~u/n", id="user's home"),
        pytest.param("https://h/a/b/c/n", "h/a/b/c/n", id="groups"),
        pytest.param("git@h:n", "h/n", id="no owner"),
        pytest.param("git@h:O/N", "h/O/N", id="case of an unknown host stays"),
        pytest.param("git@GitHub.com:O/N", "github.com/o/n", id="case of github"),
        pytest.param(
            "ssh://git@ssh.github.com:443/o/n", "github.com/o/n", id="SSH over 443"
        ),
        pytest.param(
            "git@altssh.gitlab.com:o/n", "gitlab.com/o/n", id="gitlab over 443"
        ),
        pytest.param("https://h/a%20b/é", "h/a b/é", id="percent encoding"),
        pytest.param(
            "https://bücher.example/o/n", "bücher.example/o/n", id="any script"
        ),
        pytest.param("work:o/n", "work/o/n", id="an SSH alias"),
    ],
)
def test_a_remote_is_named(url, name):
    assert name == normalise_remote(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "ext::sh -c 'touch /tmp/x'",
        "fd::17/foo",
        "-oProxyCommand=x",
        "--upload-pack=x",
        "ssh://-oProxyCommand=x/y",
        "git@-host:o/n",
        "git@h:-o/n",
        "https://h/o/n\nhttps://other/o/n",
        "https://h/o%0an",
        "https://h/o/\x1b[31m",
        "https://h/../../etc",
        "https://h/o/%2e%2e/n",
        "https://h\\@other/o/n",
        "https://h/o\\n",
        "https://h/",
        "https:///o/n",
        "https://h:999999/o/n",
        "javascript://h/o/n",
        "https://h/" + "x" * 3000,
        "https://h/\u202eo/n",
        "\udcff:o/n",
        "git@h:",
        "../relative",
    ],
)
def test_what_is_no_address_has_no_name(url):
    assert normalise_remote(url) is None


def test_a_local_remote_tells_no_folder_of_this_machine():
    name = normalise_remote("/home/morten/private/plans.git")
    assert name == "local/452cf45a8a9d/plans"


@pytest.mark.parametrize(
    "url",
    [
        "/x/y.git",
        "/x/y",
        "/x/y/.git",
        "/x/./z/../y/",
        "file:///x/y.git",
        "file://localhost/x/y",
        "../y",
    ],
)
def test_every_spelling_of_one_local_remote_has_one_name(url):
    assert normalise_remote("/x/y") == normalise_remote(url, base=Path("/x/w"))


def test_local_remotes_of_one_name_stay_apart():
    names = {normalise_remote(f"{folder}/api.git") for folder in ("/a", "/b", "C:\\a")}
    assert len(names) == 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("github.com/Owner/Name", "github.com/owner/name", id="a name"),
        pytest.param("git@github.com:o/n.git", "github.com/o/n", id="a URL"),
        pytest.param("github.com:o/n", "github.com/o/n", id="a short URL"),
        pytest.param("h:8443/o/n", "h:8443/o/n", id="a name with a port"),
        pytest.param("local/0123456789ab/n", "local/0123456789ab/n", id="a local one"),
        pytest.param("../n", None, id="a path"),
        pytest.param("-x/n", None, id="an option"),
        pytest.param("n", None, id="one word"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_a_claim_written_by_hand_is_read(text, name):
    assert name == normalise_claim(text)


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        ("h/o/n", "o-n"),
        ("h/group/sub/n", "group-sub-n"),
        ("h:22/n", "h-22-n"),
        ("local/0123456789ab/api", "0123456789ab-api"),
        ("h/~u/n", "u-n"),
    ],
)
def test_a_name_with_its_owner(remote, name):
    assert name == owner_name(remote)


PART = st.text(alphabet="abcXY019._~é -", min_size=1, max_size=8)


@given(
    st.sampled_from(
        ["git@h.example:", "https://u:p@H.example/", "ssh://[::1]:22/", "/"]
    ),
    st.lists(PART, min_size=1, max_size=3).map("/".join),
)
@example("git@h.example:", " / ")
def test_a_normalised_remote_is_its_own_claim(start, path):
    name = normalise_remote(start + path)
    assert name is None or name == normalise_claim(name)


@given(st.text(max_size=80))
def test_any_text_is_normalised_without_an_error(text):
    name = normalise_remote(text, base=Path("/x"))
    assert name is None or (name.isprintable() and ".." not in name.split("/"))
