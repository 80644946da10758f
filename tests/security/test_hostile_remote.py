"""A memory repository that somebody else filled, and servers that are up to something.

The trees are written byte by byte into a bare repository, so that no Git has refused
them on the way.
"""

import functools
import os
import stat
import time
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from gitmem.errors import BadConfig, Corrupt, Offline, SyncError
from gitmem.sync.plan import Decision

FILE, SCRIPT, LINK, GITLINK = b"100644", b"100755", b"120000", b"160000"
GOOD = (
    b"---\ndescription: how to deploy\ntags: [deploy]\n---\n\n# Deploy\n\nwith care\n"
)
START = {b"beacon/core/deploy.md": (FILE, GOOD)}

# What Git lets through, and gitmem keeps out of the folder.
KEPT_OUT = {
    b"beacon/leak.md": (LINK, b"/etc/passwd"),
    b"beacon/core/up.md": (LINK, b"../../../../../.gitconfig"),
    b"aside": (LINK, b"/etc"),
    b"global/USER.md": (LINK, b"/etc/passwd"),
    b"global/.gitattributes": (LINK, b"/etc/passwd"),
    b"beacon/sub": (GITLINK, b"\1" * 20),
    b"beacon/CON.md": (FILE, GOOD),
    b"beacon/aux/x.md": (FILE, GOOD),
    b"beacon/name\nwith newline.md": (FILE, GOOD),
    b"beacon/x.md\nNothing to mend in the files.": (FILE, GOOD),
    b"beacon/\x1b]0;pwned\x07\x1b[31mred.md": (FILE, GOOD),
    "beacon/\u202egnp.md".encode(): (FILE, GOOD),
    b"beacon/caf\xe9.md": (FILE, GOOD),
    b"beacon/..\\..\\up.md": (FILE, GOOD),
    b"beacon/stream.md:hidden": (FILE, GOOD),
    b"beacon/dot. ": (FILE, GOOD),
    b"beacon/" + b"n" * 600 + b".md": (FILE, GOOD),
    b"beacon/huge.md": (FILE, b"x" * 20_000_000),
    b"/".join([b"beacon", *[b"deeper-and-deeper"] * 300, b"x.md"]): (FILE, GOOD),
}
ATTRIBUTES = b"""* filter=x diff=x merge=x textconv=x working-tree-encoding=UTF-16
* ident export-subst
[attr]binary filter=x
"""
MODULES = b"""[submodule "sub"]
\tpath = beacon/sub
\turl = https://h.invalid/x
\tupdate = checkout
"""
# What is laid out, and must not do anything.
LAID_OUT = {
    b".gitattributes": (FILE, ATTRIBUTES),
    b".gitmodules": (FILE, MODULES),
    b"beacon/id.md": (FILE, b"$Id$ $Format:%H$\n"),
    b"hooks/post-checkout": (SCRIPT, b"#!/bin/sh\nexit 1\n"),
    b"hooks/reference-transaction": (SCRIPT, b"#!/bin/sh\nexit 1\n"),
    b"git": (SCRIPT, b"#!/bin/sh\nexit 1\n"),
    b"config": (FILE, b"[core]\n\tfsmonitor = exit 1\n"),
    b"beacon/Note.md": (FILE, GOOD),
    b"beacon/note.md": (FILE, GOOD),
    "beacon/caf\u00e9.md".encode(): (FILE, GOOD),
    "beacon/cafe\u0301.md".encode(): (FILE, GOOD),
}
# What Git's own check of incoming objects refuses, with the word that it says.
IMPOSSIBLE = {
    "git folder": (b".git/config", "hasDotgit"),
    "git folder in capitals": (b".GIT/config", "hasDotgit"),
    "git folder with a dot": (b".git ./x", "hasDotgit"),
    "short name": (b"git~1/config", "hasDotgit"),
    "invisible character": (".g\u200cit/config".encode(), "hasDotgit"),
    "in a layer": (b"beacon/.git/config", "hasDotgit"),
    "upwards": (b"a/../../b.md", "hasDotdot"),
    "in place": (b"beacon/./core/deploy.md", "hasDot"),
}


def tree(forge, git) -> dict[bytes, bytes]:
    """List what the remote holds now: mode and object of each path."""
    listed = git("ls-tree", "-r", "main", cwd=forge.path).splitlines()
    return {line.split("\t")[1].encode(): line[:6].encode() for line in listed}


def outside(person) -> set[str]:
    """Name every file of the person's that is not gitmem's own."""
    return {
        str(path.relative_to(person.home))
        for path in person.home.rglob("*")
        if not path.is_relative_to(person.base)
    }


@pytest.fixture
def tempted(person, trap):
    """Give a person whose own Git knows the drivers that the remote names."""
    (person.home / ".gitconfig").write_text(
        f'[filter "x"]\n\tclean = {trap}\n\tsmudge = {trap}\n\trequired = true\n'
        f'[diff "x"]\n\ttextconv = {trap}\n\tcommand = {trap}\n'
        f'[merge "x"]\n\tdriver = {trap}\n'
    )
    person.variables = {"GIT_CONFIG_GLOBAL": str(person.home / ".gitconfig")}
    return person


def test_a_remote_full_of_traps_is_read_without_harm(tempted, forge, marker):
    forge.commit({**START, **KEPT_OUT, **LAID_OUT}, message=b"\x01pwned\x1b[31m\x9b\n")
    before = outside(tempted)

    said = {
        "init": tempted("init", str(forge.path), "--adopt"),
        "check": tempted("check"),
        "json": tempted("check", "--json"),
        "search": tempted("search", "deploy"),
        "grep": tempted("search", "--rg", "root:|care"),
        "context": tempted("context"),
        "log": tempted("log"),
    }

    findings = said["json"].json["checked"]["findings"]
    kept_out = {each["path"] for each in findings if each["code"] == "not-laid-out"}
    assert {os.fsdecode(path) for path in KEPT_OUT} == kept_out
    assert "twin" in {each["code"] for each in findings}
    everything = "".join(each.all for each in said.values())
    assert not {"\x1b", "\x9b", "\x07", "\u202e"} & set(everything)
    assert "root:" not in everything
    assert "\nNothing to mend" not in said["check"].out
    assert "beacon/core/deploy.md" in said["search"].out
    assert "how to deploy" in said["context"].out
    assert before == outside(tempted)
    assert not marker.exists()
    laid_out = [path.lstat().st_mode for path in tempted.memory.rglob("[!.]*")]
    assert not any(stat.S_ISLNK(mode) for mode in laid_out)
    assert not any(stat.S_ISREG(mode) and mode & 0o111 for mode in laid_out)


def test_nothing_of_others_is_deleted_even_when_the_index_is_lost(
    tempted, forge, git, marker
):
    forge.commit({**START, **KEPT_OUT, **LAID_OUT})
    held = tree(forge, git)
    service = tempted.service()
    service.init(str(forge.path), adopt=True)

    for name in ("core/mine.md", "core/more.md"):
        service.write(name, GOOD)
        service.sync()
        (tempted.memory / ".git/index").unlink()
    service.sync()

    pushed = tree(forge, git)
    assert held == {path: mode for path, mode in pushed.items() if path in held}
    assert {b"beacon/core/mine.md", b"beacon/core/more.md"} <= set(pushed)
    assert not marker.exists()


def test_a_remote_that_ignores_every_file_cannot_hide_that(person, forge):
    forge.commit({**START, b".gitignore": (FILE, b"*\n")})
    service = person.service()
    service.init(str(forge.path))
    service.write("core/mine.md", GOOD)

    findings = service.check().checked.findings

    assert ["beacon/core/mine.md"] == [
        str(each.path) for each in findings if each.code == "ignored"
    ]


@pytest.mark.parametrize(("path", "word"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_tree_that_git_refuses_leaves_nothing_behind(person, forge, path, word):
    forge.commit({**START, path: (FILE, b"[core]\n\tfsmonitor = touch pwned\n")})

    with pytest.raises(Corrupt, match=word) as caught:
        person.service().init(str(forge.path))

    assert "on a machine that you trust" in caught.value.hint
    assert not person.memory.exists()
    assert [] == list((person.base / "data").iterdir())


@pytest.mark.parametrize(("path", "word"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_plain_web_server_gets_no_such_tree_past_either(
    person, forge, git, serve, path, word
):
    forge.commit({**START, path: (FILE, b"[core]\n\tfsmonitor = touch pwned\n")})
    git("update-server-info", cwd=forge.path)

    with pytest.raises(Corrupt, match=r"the remote holds|hasDot|bad tree"):
        person.service().init(serve(folder(forge.path)))

    assert not person.memory.exists()


def test_memory_goes_on_while_the_remote_holds_what_git_refuses(person, forge):
    good = forge.commit(START)
    person.service().init(str(forge.path))
    forge.commit({**START, b".git/config": (FILE, b"x")})

    said = person("sync")
    found = person("search", "deploy")
    forge.commit({**START, b"beacon/core/new.md": (FILE, GOOD)}, parents=[good])
    mended = person("sync")

    assert said.status == 1
    assert "hasDotgit" in said.err
    assert len(said.err.strip().splitlines()) == 2
    assert "beacon/core/deploy.md" in found.out
    assert mended.status == 0, mended.all
    assert (person.memory / "beacon/core/new.md").read_bytes() == GOOD


@pytest.mark.slow
def test_many_files_at_once_are_taken_in(person, forge):
    many = {b"beacon/n%d/%d.md" % (i % 100, i): (FILE, GOOD) for i in range(20_000)}
    forge.commit({**START, **many})
    service = person.service()

    service.init(str(forge.path))
    report = service.sync()

    assert report.pushed
    assert (
        sum(len(files) for _, _, files in os.walk(person.memory / "beacon")) == 20_001
    )


@pytest.mark.parametrize(
    ("message", "who", "seconds"),
    [
        pytest.param(b"a\x01b\n", b"E <e@h>", 1_700_000_000, id="control in subject"),
        pytest.param(b"a\n", b"E\x01\x1b[1m <e@h>", 1_700_000_000, id="in the author"),
        pytest.param(
            b"a\n\nGitmem-Machine: \x01\x1b[1m\n", b"E <e@h>", 1, id="trailer"
        ),
        pytest.param(b"a\n", b"E <e@h>", 999_999_999_999, id="year 33658"),
        pytest.param(b"", b" <e@h>", 0, id="nothing"),
        pytest.param(b"\xff\xfe\n", b"\xff <e@h>", 1, id="not UTF-8"),
    ],
)
def test_a_commit_may_say_anything(person, forge, message, who, seconds):
    forge.commit(START, message=message, who=who, seconds=seconds)
    service = person.service()
    service.init(str(forge.path))

    (hit,) = service.search("deploy", limit=5).hits
    versions = service.history("core/deploy.md", limit=5)

    assert str(hit.path) == "beacon/core/deploy.md"
    assert len(versions) == 1
    assert "how to deploy" in service.context().text


def test_a_link_gives_way_to_the_layer_of_its_name_and_stays_in_the_history(
    person, forge, git
):
    theirs = forge.commit({b"beacon": (LINK, b"/etc"), b"other/x.md": (FILE, GOOD)})
    service = person.service()
    service.init(str(forge.path))

    service.write("core/mine.md", GOOD)
    service.sync()

    assert {b"beacon/core/mine.md", b"other/x.md"} <= set(tree(forge, git))
    assert "120000" in git("ls-tree", theirs, cwd=forge.path)


@pytest.mark.parametrize("branch", ["-x", "--upload-pack=x", "a\u202eb", "x;y", "$(x)"])
def test_a_branch_may_have_any_name(person, forge, branch):
    forge.commit(START, branch=branch)
    head = f"ref: refs/heads/{branch}\n"
    (forge.path / "HEAD").write_text(head, encoding="utf-8")

    begun = person.service().init(str(forge.path))
    said = person("sync")

    assert begun.branch in {"main", branch}
    assert "Unexpected" not in said.all
    assert "\u202e" not in said.all
    assert said.status == 0 or "`gitmem " in said.err or "hint: " in said.err


@pytest.mark.parametrize(
    "head", ["ref: refs/heads/../../x", "ref: /etc/passwd", "ref: refs/heads/none"]
)
def test_a_head_that_names_no_branch_is_no_trouble(person, forge, head):
    forge.commit(START)
    (forge.path / "HEAD").write_text(f"{head}\n", encoding="utf-8")

    said = person("init", str(forge.path))

    assert "Unexpected" not in said.all
    assert said.status == 0 or "hint: " in said.err


REFUSED_ADDRESSES = [
    "ext::sh -c 'touch {marker}'",
    " ext::sh -c 'touch {marker}'",
    "EXT::sh -c 'touch {marker}'",
    "fd::17/x",
    "a::b",
    "--upload-pack=touch {marker}",
    "-oProxyCommand=touch {marker}",
    "ssh://-oProxyCommand=touch%20{marker}/x",
    "ssh://-l@h.invalid/x",
    "file://-x/y",
    "https://h.invalid/x\n--upload-pack=touch {marker}",
    "https://h.invalid/\u202ex",
    "git://127.0.0.1/x",
    "http://h.invalid/x",
    "http://127.0.0.1@h.invalid/x",
    "http://localhost.h.invalid/x",
    "ftp://h.invalid/x",
    "rsync://h.invalid/x",
    "svn+ssh://h.invalid/x",
    "https://me:hunter2hunter2@h.invalid/x",
    "https://0123456789abcdef0123456789abcdef01234567@h.invalid/x",
    "https://h.invalid/x?private_token=hunter2hunter2",
    "https://[::1/x",
    "",
]


@pytest.mark.parametrize("form", REFUSED_ADDRESSES)
def test_an_address_that_could_do_more_than_name_a_remote_is_refused(
    person, marker, form
):
    url = form.format(marker=marker)

    with pytest.raises(BadConfig) as caught:
        person.service().init(url)

    assert "hunter2" not in caught.value.message
    assert "0123456789abcdef" not in caught.value.message
    assert caught.value.hint
    assert not marker.exists()
    assert not person.memory.exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("remote.origin.url", "ext::{trap}"),
        ("remote.origin.url", "--upload-pack={trap}"),
        ("remote.origin.pushurl", "{home}/elsewhere.git"),
        ("remote.origin.uploadpack", "{trap}"),
        ("remote.origin.receivepack", "{trap}"),
        ("remote.origin.vcs", "{trap}"),
        ("remote.origin.proxy", "http://h.invalid"),
        ("url.ext::{trap} .insteadOf", "/"),
        ("url.{home}/elsewhere.pushInsteadOf", "/"),
        ("core.fsmonitor", "{trap}"),
        ("core.sshCommand", "{trap}"),
        ("core.hooksPath", "{home}"),
        ("core.worktree", "{home}"),
        ("core.gitProxy", "{trap}"),
        ("core.alternateRefsCommand", "{trap}"),
        ("filter.x.clean", "{trap}"),
        ("diff.external", "{trap}"),
        ("merge.x.driver", "{trap}"),
        ("gpg.program", "{trap}"),
        ("credential.helper", "!{trap}"),
        ("include.path", "{home}/more"),
        ("includeIf.gitdir:/.path", "{home}/more"),
        ("protocol.ext.allow", "always"),
        ("extensions.partialClone", "origin"),
        ("http.proxy", "http://h.invalid"),
    ],
)
def test_a_repository_whose_own_config_runs_or_redirects_something_is_refused(  # noqa: PLR0917
    person, forge, git, trap, marker, key, value
):
    forge.commit(START)
    service = person.service()
    service.init(str(forge.path))
    names = {"trap": trap, "home": person.home}
    git("config", key.format(**names), value.format(**names), cwd=person.memory)
    (person.memory / "beacon/core/new.md").write_bytes(GOOD)

    with pytest.raises(SyncError) as caught:
        service.sync()

    assert isinstance(caught.value, BadConfig | Corrupt)
    assert not marker.exists()


def folder(path: Path):
    """Hand out a folder as it is, as any web server would."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_) -> None:
            """Say nothing."""

    return functools.partial(Quiet, directory=str(path))


def answering(status: int, headers: dict[str, str], body: bytes, asked: list[str]):
    """Answer every question the same way."""

    class Same(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_) -> None:
            """Say nothing."""

    return Same


def test_a_redirect_to_another_host_is_not_followed(person, forge, git, serve):
    forge.commit(START)
    git("update-server-info", cwd=forge.path)
    asked: list[str] = []
    other = serve(answering(404, {}, b"", asked))
    url = serve(answering(302, {"Location": f"{other}/info/refs"}, b"", []))

    with pytest.raises(BadConfig, match="302") as caught:
        person.service().init(url)

    assert "gitmem remote URL" in caught.value.hint
    assert [] == asked
    assert not person.memory.exists()


SMART = {"Content-Type": "application/x-git-upload-pack-advertisement"}


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        pytest.param(SMART, b"zzzz", id="no length"),
        pytest.param(SMART, b"fff0" + b"x" * 65_516, id="one long line"),
        pytest.param(
            SMART,
            b"001e# service=git-upload-pack\n0000"
            b"0046" + b"1" * 40 + b" refs/heads/\x1b[31mx\0symref=HEAD:-x\n0000",
            id="a ref that acts",
        ),
        pytest.param(
            SMART,
            b"001e# service=git-upload-pack\n0000"
            b"004e" + b"1" * 40 + b" refs/heads/../../../etc/x\0side-band\n0000",
            id="a ref that leads out",
        ),
        pytest.param({}, b"1" * 40 + b"\trefs/heads/main\n", id="a tip that is not"),
    ],
)
def test_junk_from_a_server_is_told_in_one_line(person, serve, headers, body):
    url = serve(answering(200, headers, body, []))

    with pytest.raises(SyncError) as caught:
        person.service().init(url)

    assert caught.value.message.isprintable()
    assert caught.value.hint
    assert not person.memory.exists()


@pytest.mark.parametrize(
    "page", [b"<html>hello</html>", b"\0" * 100_000], ids=["a page", "zeros"]
)
def test_a_page_in_place_of_a_repository_passes_for_an_empty_one_at_most(
    person, serve, page
):
    service = person.service()
    service.init(serve(answering(200, {}, page, [])))
    service.write("core/mine.md", GOOD)

    with pytest.raises(SyncError):
        service.sync()

    assert b"with care" in service.read("core/mine.md").data


def test_a_server_that_never_ends_is_left_after_the_deadline(person, serve):
    class Endless(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 100)
                time.sleep(0.05)

        def log_message(self, *_) -> None:
            """Say nothing."""

    person.settings("[sync]\ntimeout = 1\n")

    with pytest.raises(Offline):
        person.service().init(serve(Endless))


def test_a_rewritten_history_is_held_and_nothing_here_is_lost(person, forge):
    forge.commit(START)
    service = person.service()
    service.init(str(forge.path))
    service.sync()
    forge.commit({b"beacon/core/deploy.md": (FILE, b"pwned\n")}, parents=[])

    with pytest.raises(SyncError, match="rewritten"):
        service.sync()

    assert service.read("core/deploy.md").data == GOOD


def test_links_that_arrive_later_replace_no_file(person, forge, git):
    good = forge.commit(START)
    service = person.service()
    service.init(str(forge.path))
    service.write("core/mine.md", GOOD)
    service.sync()
    linked = {b"beacon": (LINK, b"/etc"), b"other/x.md": (FILE, GOOD)}
    forge.commit(linked, parents=[good, git("rev-parse", "main", cwd=forge.path)[:40]])

    service.sync(decision=Decision.ACCEPT)

    assert not (person.memory / "beacon").is_symlink()
    assert not (person.memory / "beacon/core/passwd").exists()
    assert (person.memory / "other/x.md").read_bytes() == GOOD
