"""What a memory's own repository and the environment try, at each door of gitmem."""

import shutil

import pytest

from gitmem.repo.environment import KEPT_VARIABLES

HOOKS = (
    "pre-commit",
    "post-commit",
    "post-checkout",
    "post-merge",
    "post-index-change",
    "pre-push",
    "reference-transaction",
    "fsmonitor-watchman",
)
ATTRIBUTES = "* filter=x diff=x merge=x text eol=crlf working-tree-encoding=UTF-16\n"
RUNNING = (
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_PYTHON_GIT_EXECUTABLE",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "SSH_ASKPASS",
    "EDITOR",
    "VISUAL",
    "PAGER",
)
# A door whose Git follows one of these finds no repository, or another one.
LEADING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_EXEC_PATH",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
    "GIT_TEMPLATE_DIR",
    "GIT_TRACE",
    "GIT_TRACE2_EVENT",
)
KEYS = {
    "core.fsmonitor": "{trap}",
    "core.hooksPath": "{folder}",
    "core.sshCommand": "{trap}",
    "core.pager": "{trap}",
    "core.editor": "{trap}",
    "core.askPass": "{trap}",
    "diff.external": "{trap}",
    "diff.x.textconv": "{trap}",
    "filter.x.clean": "{trap}",
    "filter.x.process": "{trap}",
    "merge.x.driver": "{trap}",
    "credential.helper": "!{trap}",
    "gpg.program": "{trap}",
    "gpg.ssh.program": "{trap}",
    "alias.status": "!{trap}",
    "uploadpack.packObjectsHook": "{trap}",
    "include.path": "{folder}/included",
    "url.ext::{trap} .insteadOf": "/",
    "remote.origin.uploadpack": "{trap}",
    "submodule.x.update": "!{trap}",
}


@pytest.fixture
def ready(person, bare_remote):
    """Give a person with a memory that a remote has too."""
    service = person.service()
    service.init(str(bare_remote))
    service.write("core/deploy.md", b"---\ndescription: how\n---\ntext\n")
    service.sync()
    return person


def test_hooks_and_attributes_of_the_repository_run_nothing(
    ready, trap, marker, door, git, tmp_path
):
    own = ready.home / ".gitconfig"
    own.write_text(
        f'[filter "x"]\n\tclean = {trap}\n\tsmudge = {trap}\n\trequired = true\n'
        f'[diff "x"]\n\ttextconv = {trap}\n[merge "x"]\n\tdriver = {trap}\n'
        f"[core]\n\tfsmonitor = {trap}\n\tpager = {trap}\n[init]\n"
        f"\ttemplateDir = {tmp_path}\n[commit]\n\tgpgSign = true\n"
        f"[gpg]\n\tprogram = {trap}\n",
        "utf-8",
    )
    hooks = ready.memory / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in HOOKS:
        shutil.copy2(trap, hooks / name)
    info = ready.memory / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text(ATTRIBUTES, "utf-8")
    (ready.memory / "beacon/.gitattributes").write_text(ATTRIBUTES, "utf-8")

    said = door(ready)

    assert not marker.exists()
    assert "core/by-" in git("ls-files", cwd=ready.memory), said


def test_no_inherited_variable_runs_or_redirects_anything(
    ready, trap, marker, door, git, tmp_path
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy2(trap, elsewhere / "git-status")
    ready.variables = {
        **dict.fromkeys(RUNNING, str(trap)),
        **{name: str(elsewhere / "x") for name in LEADING},
        "GIT_EXEC_PATH": str(elsewhere),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(trap),
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{trap}'",
        "GIT_ALLOW_PROTOCOL": "ext",
    }

    said = door(ready)

    assert not marker.exists()
    assert ["git-status"] == [each.name for each in elsewhere.iterdir()]
    assert "core/by-" in git("ls-files", cwd=ready.memory), said


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_no_key_of_the_repository_runs_anything(  # noqa: PLR0917
    ready, trap, marker, door, git, tmp_path, key
):
    names = {"trap": trap, "folder": tmp_path}
    (tmp_path / "included").write_text(f"[core]\n\tfsmonitor = {trap}\n", "utf-8")
    shutil.copy2(trap, tmp_path / "pre-commit")
    git("config", key.format(**names), KEYS[key].format(**names), cwd=ready.memory)

    said = door(ready)

    assert not marker.exists()
    assert "Unexpected" not in said


def test_nothing_of_the_environment_is_kept_that_runs_a_program():
    assert not KEPT_VARIABLES & {*RUNNING, *LEADING}
