"""Whatever Git, a helper or a server says of a credential: the daemon keeps none."""

import json

import pytest
from tests.daemon.conftest import eventually
from tests.servers.test_http import traces_of

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
WORDS = f"fatal: {TOKEN} is no good; see https://sam:{TOKEN}@127.0.0.1:1/x"


def configure(machine, planted, text):
    """Set something for Git, in a file that is not searched for the token."""
    (planted / "gitconfig").write_text(text, "utf-8")
    include = f"[include]\n\tpath = {planted / 'gitconfig'}\n"
    (machine.folder.parent / ".gitconfig").write_text(include, "utf-8")


def script(planted, *lines):
    path = planted / "script"
    path.write_text("\n".join(("#!/bin/sh", *lines, "")), "utf-8")
    path.chmod(0o700)
    return path


def by_a_hook(machine, planted, bare_remote, moody):
    hook = bare_remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\necho "GH006: {WORDS}" >&2\nexit 1\n', "utf-8")
    hook.chmod(0o755)
    return str(bare_remote)


def by_a_server(status):
    def arrange(machine, planted, bare_remote, moody):
        moody.status, moody.said = status, f"{WORDS}\n".encode()
        return moody.url

    return arrange


def by_a_helper(machine, planted, bare_remote, moody):
    helper = script(planted, f'echo "{WORDS}" >&2', f"echo password={TOKEN}")
    configure(machine, planted, f'[credential]\n\thelper = "{helper}"\n')
    moody.password = "another"
    return moody.url


def by_ssh(machine, planted, bare_remote, moody):
    ssh = script(
        planted,
        f'echo "{WORDS}" >&2',
        f'echo "sam@host: Permission denied (publickey) {TOKEN}" >&2',
        "exit 255",
    )
    configure(machine, planted, f'[core]\n\tsshCommand = "{ssh}"\n')
    return "ssh://sam@127.0.0.1/remote.git"


def by_ssh_that_is_away(machine, planted, bare_remote, moody):
    ssh = script(planted, f'echo "Connection timed out {WORDS}" >&2', "exit 255")
    configure(machine, planted, f'[core]\n\tsshCommand = "{ssh}"\n')
    return "ssh://sam@127.0.0.1/remote.git"


ARRANGED = {
    "hook": (by_a_hook, "protected"),
    "401": (by_a_server(401), "auth"),
    "403": (by_a_server(403), "auth"),
    "413": (by_a_server(413), "too-large"),
    "503": (by_a_server(503), "offline"),
    "helper": (by_a_helper, "auth"),
    "ssh": (by_ssh, "auth"),
    "ssh-away": (by_ssh_that_is_away, "offline"),
}


@pytest.mark.parametrize(("arrange", "kind"), ARRANGED.values(), ids=ARRANGED)
def test_a_credential_that_is_said_aloud_is_kept_nowhere(
    arrange, kind, make_machine, tmp_path, bare_remote, moody
):
    (tmp_path / "planted").mkdir()
    machine = make_machine(remote=None)
    url = arrange(machine, tmp_path / "planted", bare_remote, moody)
    machine.gitmem("remote", url)
    machine.start()
    machine.write("note.md")
    eventually(lambda: machine.job("push").outcome == "failed")
    found = eventually(lambda: classed(machine, kind))
    shown = machine.gitmem("daemon", "status")
    told = machine.gitmem("sync", "status")
    begun = machine.gitmem("session", "start", "--host", "pi", "--id", "s1")

    said = "".join([json.dumps(found), *shown[1:], *told[1:], *begun[1:]])
    assert TOKEN not in said
    assert traces_of(TOKEN, tmp_path / "oak") == []


def classed(machine, kind):
    found = json.loads(machine.gitmem("daemon", "status", "--json").out)
    return found if found["error_class"] == kind else None
