import time

import pytest

from gitmem.errors import DeadlineExceeded, DiskFull, Offline, ToolMissing
from gitmem.repo import command
from gitmem.repo.command import Command, git_version, require_git
from gitmem.repo.environment import variables


def test_installed_git_is_new_enough():
    require_git()

    assert git_version() >= (2, 38)


def test_local_command_that_hangs_is_stopped(root):
    begun = time.monotonic()

    with pytest.raises(DeadlineExceeded):
        Command(root).run(
            "-c",
            "alias.hang=!sleep 60",
            "hang",
            variables=variables(root),
            timeout_seconds=0.5,
        )

    assert time.monotonic() - begun < 10


def test_remote_that_does_not_answer_is_offline(root):
    with pytest.raises(Offline, match=r"within 0\.3 s"):
        Command(root).run(
            "-c",
            "alias.hang=!sleep 60",
            "hang",
            variables=variables(root, protocols=("ssh",)),
            timeout_seconds=0.3,
        )


def test_machine_without_git_is_told_so(root, monkeypatch, tmp_path):
    git_version()
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(ToolMissing, match="not installed"):
        Command(root).run("status", variables=variables(root))


def test_a_git_that_cannot_tell_its_version_is_no_surprise(monkeypatch, tmp_path):
    git_version()
    program = tmp_path / "git"
    program.write_text(
        "#!/bin/sh\necho 'fatal: No space left on device' >&2\nexit 128\n"
    )
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    with pytest.raises(DiskFull):
        git_version()


def test_a_git_without_a_version_is_too_old(monkeypatch, tmp_path):
    git_version()
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho 'no numbers'\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    with pytest.raises(ToolMissing, match="too old"):
        require_git()


def test_a_failure_without_a_reason_on_a_full_disk_is_told_of_as_that(
    root, monkeypatch
):
    monkeypatch.setattr(command, "FULL_BYTES", 10**18)

    with pytest.raises(DiskFull, match="bytes are free"):
        Command(root).check("cat-file", "-p", "0" * 40, variables=variables(root))
