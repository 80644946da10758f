# ruff: noqa: E501  the words of other programs, one line each
import pytest

from gitmem.errors import (
    AuthRefused,
    BadConfig,
    BranchProtected,
    Busy,
    Corrupt,
    DiskFull,
    Offline,
    PushRejected,
    TooLarge,
)
from gitmem.repo.failure import LONGEST_MESSAGE, explain, words

# What real Gits, hosts and helpers wrote, word for word but for the host names.
SAID = {
    "no-host": (
        Offline,
        "fatal: unable to access 'https://h/o/n/': Could not resolve host: h",
    ),
    "refused": (
        Offline,
        "fatal: unable to access 'http://127.0.0.1:1/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server",
    ),
    "503": (
        Offline,
        "fatal: unable to access 'https://h/': The requested URL returned error: 503",
    ),
    "slow": (
        Offline,
        "fatal: unable to access 'https://h/': Operation too slow. Less than 100 bytes/sec transferred the last 10 seconds",
    ),
    "cut": (
        Offline,
        "error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF",
    ),
    "ssh-down": (
        Offline,
        "ssh: connect to host h port 22: Connection refused\r\nfatal: Could not read from remote repository.",
    ),
    "no-folder": (
        Offline,
        "fatal: '/nonexistent' does not appear to be a git repository\nfatal: Could not read from remote repository.",
    ),
    "moved": (
        Offline,
        "fatal: unable to update url base from redirection:\n  asked for: https://h/o/n/info/refs\n   redirect: https://other/",
    ),
    "401": (AuthRefused, "fatal: Authentication failed for 'https://h/o/n/'"),
    "403": (
        AuthRefused,
        "fatal: unable to access 'https://h/o/n/': The requested URL returned error: 403",
    ),
    "prompt": (
        AuthRefused,
        "fatal: could not read Username for 'https://h': terminal prompts disabled",
    ),
    "key": (
        AuthRefused,
        "git@h: Permission denied (publickey).\r\nfatal: Could not read from remote repository.",
    ),
    "host-key": (
        AuthRefused,
        "Host key verification failed.\r\nfatal: Could not read from remote repository.",
    ),
    "hidden": (
        AuthRefused,
        "remote: Repository not found.\nfatal: repository 'https://h/o/n/' not found",
    ),
    "disk": (
        DiskFull,
        "error: file write error: No space left on device\nfatal: unable to write loose object file",
    ),
    "disk of an index": (
        DiskFull,
        "fatal: sha1 file '/m/.git/index.lock' write error. Out of diskspace",
    ),
    "lock": (
        Busy,
        "fatal: Unable to create '/m/.git/index.lock': File exists.\n\nAnother git process seems to be running",
    ),
    "owner": (BadConfig, "fatal: detected dubious ownership in repository at '/m'"),
    "ext": (BadConfig, "fatal: transport 'ext' not allowed"),
    "hook": (
        BranchProtected,
        "!\tabc:refs/heads/main\t[remote rejected] (pre-receive hook declined)",
    ),
    "gh006": (
        BranchProtected,
        "remote: error: GH006: Protected branch update failed for refs/heads/main.",
    ),
    "gh013": (
        BranchProtected,
        "remote: error: GH013: Repository rule violations found for refs/heads/main.",
    ),
    "gh001": (TooLarge, "remote: error: GH001: Large files detected."),
    "unpack": (
        TooLarge,
        "error: remote unpack failed: unpack-objects abnormal exit\n! [remote rejected] main -> main (unpacker error)",
    ),
    "413": (
        TooLarge,
        "error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413",
    ),
    "aborted by a hook": (
        BranchProtected,
        "fatal: ref updates aborted by hook\nfatal: the remote end hung up unexpectedly",
    ),
    "race": (PushRejected, "! [rejected] main -> main (fetch first)"),
    "empty": (
        Corrupt,
        "error: object file .git/objects/5d/ab is empty\nfatal: loose object 5dab is corrupt",
    ),
    "fsck": (
        Corrupt,
        "error: object 5dab: hasDotgit: contains '.git'\nfatal: fsck error in packed object",
    ),
    "unknown": (Corrupt, "fatal: something that nobody has seen"),
    "silent": (Corrupt, ""),
}


@pytest.mark.parametrize(("kind", "text"), SAID.values(), ids=SAID)
def test_failure_is_told_by_what_git_said(kind, text):
    found = explain("push", text.encode())

    assert type(found) is kind
    assert found.message.startswith("git push: ")
    assert "\n" not in found.message
    assert found.hint


def test_credential_in_gits_words_is_masked():
    said = words("fatal: unable to access 'https://me:hunter2@h/o/n/': refused")

    assert "hunter2" not in said
    assert "unable to access" in said


def test_terminal_escape_and_length_in_gits_words_are_tamed():
    said = words("remote: \x1b[2J" + "x" * 5000)

    assert "\x1b" not in said
    assert len(said) <= LONGEST_MESSAGE


def test_progress_does_not_hide_what_went_wrong():
    said = words(
        "remote: Counting objects: 50% (1/2)  \rremote: Counting objects: 100% (2/2)\n"
        "remote: Total 2 (delta 0)\n"
        "Receiving objects:  14% (1/7)\rfatal: fsck error in packed object\n"
    )

    assert said == "fsck error in packed object"


@pytest.mark.parametrize(
    "said",
    ["ann@h: Permission denied (publickey).", "Host key verification failed."],
)
def test_what_ssh_said_is_told_and_not_what_git_made_of_it(said):
    git = "fatal: Could not read from remote repository.\n\nPlease make sure you have"

    assert words(f"{said}\n{git}\n") == said


def test_git_lock_advice_to_delete_a_file_is_not_passed_on():
    said = words(
        "fatal: Unable to create '/m/.git/index.lock': File exists.\n\n"
        "Another git process seems to be running in this repository, or the lock\n"
        "file may be stale. Please remove the file manually to continue."
    )

    assert "remove" not in said
