import pytest

from gitmem.errors import BadConfig
from gitmem.repo import config


@pytest.mark.parametrize(
    "key",
    [
        "core.repositoryformatversion",
        "core.bare",
        "remote.origin.url",
        "remote.origin.fetch",
        "branch.main.remote",
        "branch.feature/x.y.merge",
        "user.email",
        "pull.rebase",
        "commit.gpgsign",
        "gui.wmstate",
        "color.branch.current",
    ],
)
def test_key_that_only_tunes_git_is_harmless(key):
    config.refuse_harmful([(key, "x")])


@pytest.mark.parametrize(
    "key",
    [
        "core.fsmonitor",
        "core.sshCommand",
        "core.hooksPath",
        "core.gitProxy",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.worktree",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "merge.x.driver",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "alias.status",
        "include.path",
        "includeIf.gitdir:/.path",
        "url.https://evil.example/.insteadOf",
        "url.https://evil.example/.pushInsteadOf",
        "remote.origin.pushurl",
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
        "remote.origin.vcs",
        "remote.origin.proxy",
        "remote.origin.mirror",
        "credential.helper",
        "credential.https://x.helper",
        "http.proxy",
        "http.sslVerify",
        "http.https://x.extraHeader",
        "gpg.program",
        "gpg.ssh.defaultKeyCommand",
        "uploadpack.packObjectsHook",
        "protocol.ext.allow",
        "submodule.x.update",
        "trailer.x.command",
        "sendemail.smtpserver",
        "safe.directory",
        "browser.x.cmd",
        "init.templateDir",
        "tar.x.command",
        "man.x.cmd",
        "guitool.x.cmd",
        "core.unheardOf",
        "nonsense",
    ],
)
def test_key_that_could_run_or_redirect_something_is_named(key):
    with pytest.raises(BadConfig) as caught:
        config.refuse_harmful([("user.name", "x"), (key, "/tmp/x")])

    assert key in caught.value.message
    assert f"--unset-all {key}" in caught.value.hint


def test_value_of_a_key_is_the_last_one_and_sections_ignore_case():
    items = config.parse(
        b"core.Bare\nfalse\0Remote.Origin.URL\na\0remote.Origin.url\nb\0"
    )

    assert config.value(items, "core.bare") == "false"
    assert config.value(items, "remote.Origin.url") == "b"
    assert config.value(items, "remote.origin.url") is None


def test_value_with_line_breaks_and_a_key_without_value_are_read():
    items = config.parse(b"alias.x\none\ntwo\0core.bare\0")

    assert items == (("alias.x", "one\ntwo"), ("core.bare", ""))


def test_where_items_come_from_is_told_apart_from_the_items():
    file = b"file:/etc/gitconfig\0"
    said = file + b"a.b\n1\0" + b"command line:\0c.d\0" + file + b"e.f\nx\ny\0"

    assert config.parse_origins(said) == (
        ("/etc/gitconfig",),
        (("a.b", "1"), ("c.d", ""), ("e.f", "x\ny")),
    )
