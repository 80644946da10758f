"""A remote behind sshd, reached as the person's own Git configuration says."""

import time

import pytest
from tests.servers.ssh import MISSING, Sshd

from gitmem.errors import AuthRefused, ErrorClass, Offline

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture
def sshd(tmp_path):
    server = Sshd(tmp_path / "ssh")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def use(git, empty_home):
    """Let the person's own Git configuration name an ssh."""

    def set_(command: str) -> None:
        git("config", "--global", "core.sshCommand", command, cwd=empty_home)

    return set_


@pytest.fixture
def ann(machine, sshd, bare_remote, use):
    """Give a machine that has pushed once over ssh."""
    use(sshd.command())
    made = machine("ann", url=sshd.url(bare_remote), timeout_seconds=10)
    made.cycle()
    return made


def test_two_machines_share_a_memory_over_ssh(ann, machine, sshd, bare_remote):
    bob = machine("bob", url=sshd.url(bare_remote), timeout_seconds=10)
    ann.write("a.md", "alpha\n")
    bob.write("b.md", "omega\n")

    for each in (ann, bob, ann):
        each.cycle()

    assert ann.tree() == bob.tree()
    assert {"a.md", "b.md"} <= set(ann.disk())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"known": "nobody"}, "Host key verification failed"),
        ({"key": "stranger"}, "Permission denied"),
    ],
    ids=["unknown host", "wrong key"],
)
def test_a_door_that_stays_shut_is_told_at_once_and_opens_later(
    ann, sshd, use, wrong, words
):
    use(sshd.command(**wrong))
    ann.write("a.md", "alpha\n")
    started = time.monotonic()

    with pytest.raises(AuthRefused, match=words) as raised:
        ann.cycle()

    assert time.monotonic() - started < 20
    assert "ls-remote" in raised.value.hint
    assert ann.engine.record().fetch.error_class is ErrorClass.AUTH
    assert ann.engine.status().unpushed == 1
    use(sshd.command())
    assert ann.cycle().pushed


def test_a_host_that_was_never_seen_is_not_believed(ann, sshd, use):
    use(sshd.command(known="new"))

    with pytest.raises(AuthRefused):
        ann.cycle()

    assert not (sshd.folder / "new").exists()


def test_a_server_that_is_stopped_is_offline_until_it_is_back(ann, sshd):
    sshd.stop()
    ann.write("a.md", "alpha\n")

    with pytest.raises(Offline, match="refused") as raised:
        ann.cycle()

    assert raised.value.hint
    assert ann.engine.record().fetch.error_class is ErrorClass.OFFLINE
    assert ann.engine.status().unpushed == 1
    sshd.start()
    assert ann.cycle().pushed
