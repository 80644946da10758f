"""Sessions of hosts, with a daemon and without one."""

import json
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.daemon.conftest import eventually

from gitmem.daemon.door import session_end, session_start
from gitmem.service.answers import Visit

MEMORY = "---\ndescription: how to {0}\n---\n# {0}\n"


@pytest.fixture
def black_hole():
    """Listen, and never answer."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/x"


def visited(machine, session_id, host="pi"):
    return machine.connected(host, session_id), Visit(host, session_id)


def lay_out(machine):
    folder = machine.root / "beacon" / "core"
    folder.mkdir(parents=True)
    (folder / "deploy.md").write_text(MEMORY.format("deploy"))


@pytest.mark.parametrize("has_daemon", [True, False], ids=["daemon", "alone"])
def test_a_black_holed_remote_is_not_waited_for_at_a_sessions_start(
    has_daemon, make_machine, black_hole, monkeypatch
):
    machine = make_machine(remote=None, GITMEM_SYNC__TIMEOUT="600")
    lay_out(machine)
    machine.settings["GITMEM_MEMORY_DIR__REPO_URL"] = black_hole
    machine.enter(monkeypatch)
    {True: machine.start, False: lambda: None}[has_daemon]()

    told = session_start(*visited(machine, "s1"))

    assert "path: core/deploy.md" in told.text
    assert told.is_late
    # The one who asks the remote has not even been told yet that it is away.
    assert machine.service.rooms.engine().record().fetch.failed_at is None


def test_a_late_pull_lands_and_is_told_once(make_machine, moody, monkeypatch):
    other = make_machine("elm", remote=moody.url)
    machine = make_machine(
        remote=moody.url, GITMEM_SYNC__FETCH_TTL="0", GITMEM_SYNC__INTERVAL="600"
    )
    machine.enter(monkeypatch)
    machine.start()
    eventually(lambda: machine.job("pull").at)
    other.write("news.md")
    other.service.sync()
    moody.gate.clear()
    told = session_start(*visited(machine, "s1"))
    moody.gate.set()

    eventually((machine.root / "news.md").exists)
    service = machine.connected("pi", "s1")
    said = eventually(lambda: service.session.turn(Visit("pi", "s1"), "").text)

    assert told.is_late
    assert "Came in after this session began:\n- news.md\n" in said
    assert service.session.turn(Visit("pi", "s1"), "").text == ""


@pytest.mark.parametrize("has_daemon", [True, False], ids=["daemon", "alone"])
def test_two_sessions_of_two_hosts_at_once_share_one_repository(
    has_daemon, machine, remote_log, git
):
    {True: machine.start, False: lambda: None}[has_daemon]()
    with ThreadPoolExecutor(4) as pool:
        pairs = [(host, str(n)) for host in ("pi", "claude-code") for n in range(2)]
        list(pool.map(lambda p: session_start(*visited(machine, p[1], p[0])), pairs))
        assert len(machine.service.session.live()) == 4
        machine.write("a.md")
        ended = list(
            pool.map(lambda p: session_end(*visited(machine, p[1], p[0])), pairs)
        )

    assert [each.was_known for each in ended] == [True] * 4
    assert machine.service.session.live() == ()
    eventually(lambda: remote_log().count("memory(.): add a.md") == 1, 20)
    assert git("status", "--porcelain", cwd=machine.root) == ""


def test_an_end_commits_under_the_sessions_name_before_it_returns(machine, git):
    session_start(*visited(machine, "s1"))
    machine.write("a.md")

    ended = session_end(*visited(machine, "s1"))

    message = git("log", "-1", "--format=%B", cwd=machine.root)
    assert ended.report.committed
    assert "Gitmem-Host: pi\nGitmem-Session: s1" in message
    assert not session_end(*visited(machine, "s1")).report.committed


def test_an_end_during_a_hung_pull_does_not_wait_for_it(make_machine, moody, git):
    machine = make_machine(remote=moody.url, GITMEM_SYNC__TIMEOUT="600")
    machine.start(has_watch=False)
    eventually(lambda: machine.job("pull").at)
    moody.gate.clear()
    asked = moody.asked
    machine.ask("pull")
    eventually(lambda: moody.asked > asked)
    machine.write("a.md")
    own = {k: v for k, v in machine.settings.items() if k.startswith("GITMEM_")}

    machine.ask(
        "session_end", host="pi", id="s1", cwd=str(machine.folder), variables=own
    )

    assert not moody.gate.is_set()
    assert git("status", "--porcelain", cwd=machine.root) == ""
    moody.gate.set()


def test_a_daemon_that_hangs_is_done_without(machine, git):
    daemon = machine.start()
    daemon.send_signal(19)
    machine.write("a.md")

    told = session_start(*visited(machine, "s1"))
    ended = session_end(*visited(machine, "s1"))

    daemon.send_signal(18)
    assert (told.is_new, bool(ended.report.committed)) == (True, True)


def test_nothing_is_done_by_itself_where_gitmem_is_switched_off(machine, monkeypatch):
    monkeypatch.setenv("GITMEM_ENABLED", "false")
    machine.settings["GITMEM_ENABLED"] = "false"
    machine.write("a.md")

    told = session_start(*visited(machine, "s1"))
    ended = session_end(*visited(machine, "s1"))

    assert (told.text, ended.report.committed) == ("", None)
    assert machine.service.session.live() == ()


def test_the_first_session_starts_a_daemon_where_that_is_allowed(machine, monkeypatch):
    monkeypatch.setenv("GITMEM_DAEMON__AUTOSTART", "true")
    monkeypatch.setenv("GITMEM_SYNC__FETCH_TTL", "0")
    machine.settings["GITMEM_DAEMON__AUTOSTART"] = "true"
    machine.settings["GITMEM_SYNC__FETCH_TTL"] = "0"

    session_start(*visited(machine, "s1"))

    eventually(machine.answers)
    assert machine.gitmem("daemon", "stop").status == 0


def test_a_session_with_no_pull_due_starts_a_daemon_whose_news_it_is_told(
    make_machine,
):
    other = make_machine("elm")
    machine = make_machine(GITMEM_DAEMON__AUTOSTART="true")
    machine.service.pull(force=True)
    other.write("news.md")
    other.service.sync()

    machine.gitmem("session", "start", "--host", "pi", "--id", "s1")

    eventually(machine.answers)
    eventually((machine.root / "news.md").exists)
    service = machine.connected("pi", "s1")
    said = eventually(lambda: service.session.turn(Visit("pi", "s1"), "").text)
    assert "Came in after this session began:\n- news.md\n" in said
    assert machine.gitmem("daemon", "stop").status == 0


def test_a_session_that_nobody_knows_is_not_paused_in_silence(machine):
    said = machine.gitmem("session", "pause", "--host", "pi", "--id", "s1")

    assert said.out == "One that starts so is told nothing until it is resumed.\n"
    assert "no session of pi that is at work is called s1" in said.err


def test_the_list_says_who_is_paused_and_shows_one_host_if_asked(machine):
    machine.gitmem("session", "start", "--host", "pi", "--id", "s1")
    machine.gitmem("session", "start", "--host", "codex", "--id", "s2")
    machine.gitmem("session", "pause", "--host", "codex", "--id", "s2")

    (listed,) = machine.gitmem("session", "list", "--host", "codex").out.splitlines()

    assert listed.startswith("codex  s2  ")
    assert ", paused  in " in listed
    assert ", paused" not in machine.gitmem("session", "list", "--host", "pi").out


def test_the_command_line_says_what_it_did(machine):
    started = machine.gitmem("session", "start", "--host", "pi", "--id", "s1")
    listed = machine.gitmem("session", "list")
    machine.write("a.md")
    ended = machine.gitmem("session", "end", "--host", "pi", "--id", "s1")
    wrong = machine.gitmem("session", "start", "--host", "pi")

    assert started.status == 0
    assert listed.out.startswith("pi  s1  for less than a minute, quiet for less than")
    assert ended.out.startswith("Committed ")
    assert machine.gitmem("session", "list").out == "No session is at work.\n"
    assert (wrong.status, "needs --host and --id" in wrong.err) == (2, True)


def turned(machine, prompt):
    """Say what a turn of a host's session is told by the daemon."""
    said = machine.ask(
        "hook",
        host="claude-code",
        event="UserPromptSubmit",
        payload=json.dumps({"session_id": "s9", "prompt": prompt}),
        cwd=str(machine.folder),
        variables={k: v for k, v in machine.settings.items() if k.startswith("GITMEM")},
    )
    return said["stdout"]


def damage(catalog):
    (rows,) = catalog.glob("build-*/catalog.sqlite")
    rows.write_bytes(b"no database at all" * 400)


@pytest.mark.parametrize("harm", [shutil.rmtree, damage], ids=["deleted", "damaged"])
def test_a_catalog_that_goes_while_a_session_lives_is_made_anew(harm, make_machine):
    machine = make_machine(remote=None, GITMEM_DELIVERY__START="[]")
    machine.start(has_watch=False)
    turned(machine, "hello")
    notes = machine.root / "beacon" / "notes"
    notes.mkdir(parents=True)
    (notes / "deploy.md").write_text(MEMORY.format("deploy"))
    machine.service.index()
    harm(machine.service.rooms.cache / "catalog")

    lost = turned(machine, "how do we deploy?")

    assert "deploy.md" not in lost
    eventually(lambda: "deploy.md" in turned(machine, "how do we deploy?"))
