"""The person's own ssh is used, and asks nobody."""

import pytest

from gitmem.repo.command import Command
from gitmem.repo.environment import SSH_COMMAND, SSH_OPTIONS
from gitmem.repo.ssh import patient, ssh_command


def test_without_a_wish_ssh_is_plain(root):
    assert ssh_command(Command(root)) == SSH_COMMAND


def test_the_person_s_ssh_is_used(root, git):
    git("config", "--global", "core.sshCommand", "ssh -F ~/work.conf", cwd=root)

    assert ssh_command(Command(root)) == f"ssh -F ~/work.conf {SSH_OPTIONS}"


def test_a_repository_does_not_say_what_is_run(root, git):
    git("config", "--global", "core.sshCommand", "ssh -4", cwd=root)
    git("config", "--local", "core.sshCommand", "touch marker", cwd=root)

    assert ssh_command(Command(root)) == f"ssh -4 {SSH_OPTIONS}"


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "options": ("ssh -i ~/.ssh/k", f"ssh -i ~/.ssh/k {SSH_OPTIONS}"),
        "path": ("/usr/bin/ssh", f"/usr/bin/ssh {SSH_OPTIONS}"),
        "quoted": ('"/opt/ssh" -4', f'"/opt/ssh" -4 {SSH_OPTIONS}'),
        "another program": ("plink -batch", "plink -batch"),
        "a script": ("ssh-add -q; ssh", "ssh-add -q; ssh"),
    }.values(),
    ids=str,
)
def test_only_a_plain_ssh_gets_options(text, expected):
    assert patient(text) == expected
