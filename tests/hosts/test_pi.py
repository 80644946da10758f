"""pi, as people have it, begins with the memory and adds to it."""

import contextlib
import json
import os
import signal
import socketserver
import threading
from typing import TYPE_CHECKING

import pytest
from tests.hosts.machine import eventually
from tests.hosts.model import confirm, say, use

from gitmem.daemon import guard
from gitmem.daemon.protocol import socket_path

if TYPE_CHECKING:
    from tests.hosts.agents import Done

START = "<memory_context mode="
TOOLS = {
    "memory_sync",
    "memory_search",
    "memory_check",
    "memory_read",
    "memory_write",
    "memory_recall",
    "packet_archive",
}
COMMANDS = {
    *("memory", "memory-check", "memory-refresh", "memory-review", "pause-memory"),
    *("archive-session", "recall"),
}
TRAILERS = "%(trailers:key=Gitmem-Machine,key=Gitmem-Host,key=Gitmem-Session)"


def starts(asked):
    """Find the start texts in what the model was shown."""
    return [each.text for each in asked.messages if START in each.text]


def turn(talk, message):
    """Have one turn with a pi that is driven, to its end."""
    talk.tell(id=message, type="prompt", message=message)
    talk.until(type="agent_end")


def arrived(machine, remote):
    """Read who the remote says to have written the memory of the region."""
    shown = ["log", f"--format={TRAILERS}", "main", "--", "beacon/core/region.md"]
    return machine.git(*shown, cwd=remote)


def told_at_last(pi, model):
    """Go on with a session until the start text came: late is fine, twice is not."""
    model.will(*[say("Done.")] * 9)
    dones: list[Done] = []

    def is_told():
        goes_on = ["-c"] if dones else []
        dones.append(pi.ask(*goes_on, "-p", "Go on."))
        return starts(model.asked[-1])

    assert len(eventually(is_told, 120)) == 1
    assert {each.stdout.strip() for each in dones} == {"Done."}


def session_ids(pi):
    return [
        json.loads(path.read_text("utf-8").splitlines()[0])["id"]
        for path in pi.sessions()
    ]


@contextlib.contextmanager
def answering(place, said):
    """Stand in for a daemon that lives, and answers nothing but this."""

    class Odd(socketserver.StreamRequestHandler):
        def handle(self):
            asked = self.rfile.readline()
            self.wfile.write(b'{"ok": {}}\n' if b'"ping"' in asked else said)

    with socketserver.ThreadingUnixStreamServer(str(place), Odd) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.fixture
def installed(with_memory, pi):
    """Give a pi that has the memory, where a daemon is at work."""
    with_memory.gitmem("host", "install", "pi")
    with_memory.await_daemon("pi")
    return pi


@pytest.fixture
def talk(installed):
    """Give a pi that runs on, and is driven by the test."""
    talking = installed.talk()
    yield talking
    talking.close()


def test_the_start_text_reaches_the_model_once_and_stays_as_it_was(talk, model):
    turn(talk, "The first.")
    turn(talk, "The second.")

    first, second = model.asked
    assert len(starts(first)) == 1
    assert "core/deploy.md" in starts(first)[0]
    assert starts(second) == starts(first)


def test_a_session_that_goes_on_is_not_told_again(installed, model):
    installed.ask("-p", "The first.")
    installed.ask("-c", "-p", "The second.")

    first, second = model.asked
    assert "The first." in second.said("user")
    assert starts(second) == starts(first)
    assert len(starts(first)) == 1


def test_a_fork_is_not_told_again(installed, model):
    installed.ask("-p", "The first.")
    [parent] = session_ids(installed)
    installed.ask("--fork", parent, "-p", "The second.")

    first, second = model.asked
    assert len(installed.sessions()) == 2
    assert starts(second) == starts(first)
    assert len(starts(first)) == 1


def test_a_session_is_told_again_after_a_compaction(talk, model):
    turn(talk, "The first.")
    turn(talk, "The second.")
    talk.tell(id="compact", type="compact")
    talk.until(id="compact", success=True)
    turn(talk, "The third.")

    _, _, third = model.asked
    assert "The first." not in third.said("user")
    [told] = starts(third)
    assert "core/deploy.md" in told


def test_a_new_session_is_told_though_pi_begins_it_twice(talk, model):
    turn(talk, "The first.")
    talk.tell(id="new", type="new_session")
    talk.until(id="new", success=True)
    turn(talk, "The second.")

    _, second = model.asked
    [told] = starts(second)
    assert "The first." not in second.said("user")
    assert "core/deploy.md" in told


def test_the_start_text_stands_in_the_system_prompt_if_the_person_likes(
    make_machine, make_pi, model
):
    machine = make_machine(GITMEM_DELIVERY__MODE="system-prompt")
    machine.remember("core/deploy.md", "Run make ship.\n", "how to deploy")
    pi = make_pi(machine)
    machine.gitmem("host", "install", "pi")
    machine.await_daemon("pi")
    pi.ask("-p", "The first.")
    pi.ask("-c", "-p", "The second.")

    first, second = model.asked
    assert [first.system.count(START), second.system.count(START)] == [1, 1]
    assert first.system == second.system
    assert START not in second.said("user")


def test_what_the_agent_writes_is_committed_in_its_name_and_pushed(
    installed, with_memory, model, remote
):
    path = with_memory.memory / "beacon" / "core" / "region.md"
    text = "---\ndescription: the region\n---\n\nEurope.\n"
    model.will(use("write", path=str(path), content=text), say("Kept."))
    installed.ask("-p", "Remember the region.")

    shown = eventually(lambda: arrived(with_memory, remote))
    [session] = session_ids(installed)
    assert shown.split() == [
        *("Gitmem-Machine:", "oak"),
        *("Gitmem-Host:", "pi"),
        *("Gitmem-Session:", session),
    ]


def test_the_agent_hears_what_to_mend_in_what_it_wrote(installed, with_memory, model):
    path = with_memory.memory / "beacon" / "core" / "region.md"
    model.will(use("write", path=str(path), content="Europe.\n"), say("Kept."))
    installed.ask("-p", "Remember the region.")

    assert "Mend what you wrote" in model.asked[1].said("tool")


def test_the_person_hears_what_came_in_late(talk, with_memory, make_machine):
    turn(talk, "The first.")
    make_machine("elm").remember("core/region.md", "Europe.\n", "the region")
    with_memory.service.pull(force=True)
    turn(talk, "The second.")

    [notice] = [each for each in talk.seen if each.get("method") == "notify"]
    assert "core/region.md" in notice["message"]


def test_a_second_machine_is_given_what_the_first_one_wrote(
    installed, with_memory, make_machine, make_pi, model, remote
):
    path = with_memory.memory / "beacon" / "core" / "region.md"
    text = "---\ndescription: the region\n---\n\nEurope.\n"
    model.will(use("write", path=str(path), content=text), say("Kept."))
    installed.ask("-p", "Remember the region.")
    eventually(lambda: arrived(with_memory, remote))
    other = make_machine("elm")
    pi_there = make_pi(other)
    other.gitmem("host", "install", "pi")
    other.await_daemon("pi")
    pi_there.ask("-p", "Where do we deploy?")

    [told] = starts(model.asked[-1])
    assert "core/region.md" in told
    assert "the region" in told


def test_what_a_killed_pi_wrote_is_committed_and_pushed(
    talk, with_memory, model, remote
):
    path = with_memory.memory / "beacon" / "core" / "region.md"
    model.will(use("write", path=str(path), content="Europe.\n"), say("Kept."))
    turn(talk, "Remember the region.")
    talk.process.send_signal(signal.SIGKILL)

    shown = eventually(lambda: arrived(with_memory, remote))
    assert "Gitmem-Host: pi" in shown


def test_the_tools_and_skills_are_offered(installed, model):
    installed.ask("-p", "The first.")

    [asked] = model.asked
    assert TOOLS <= asked.tools.keys()
    assert "memory-search" in asked.system
    assert "memory-write" in asked.system


def test_a_tool_finds_a_memory_and_another_reads_it(installed, model):
    model.will(
        use("memory_search", query="deploy"),
        use("memory_read", path="core/deploy.md"),
        say("Run make ship."),
    )
    installed.ask("-p", "How do we deploy?")

    _, found, read = model.asked
    assert "core/deploy.md" in found.said("tool")
    assert "Run make ship." in read.said("tool")


def test_the_shell_of_the_agent_knows_the_command(installed, with_memory, model):
    model.will(use("bash", command="gitmem path"), say("There."))
    installed.ask("-p", "Where is it?")

    assert str(with_memory.memory) in model.asked[1].said("tool")


def test_a_tool_that_fails_says_what_to_do(installed, model):
    model.will(use("memory_read", path="core/nothing.md"), say("I see."))
    installed.ask("-p", "Read it.")

    assert "nothing.md" in model.asked[1].said("tool")


@pytest.mark.parametrize("is_allowed", [True, False], ids=["allowed", "refused"])
def test_the_person_decides_about_a_write(talk, with_memory, model, is_allowed):
    written = use(
        "memory_write",
        path="core/region.md",
        description="the region",
        tags=["deploy"],
        body="Europe.",
    )
    model.will(written, say("I see."))
    talk.tell(id="ask", type="prompt", message="Remember the region.")
    asked = talk.until(type="extension_ui_request", method="confirm")
    talk.tell(type="extension_ui_response", id=asked["id"], confirmed=is_allowed)
    talk.until(type="agent_end")

    assert "Europe." in asked["message"]
    place = with_memory.memory / "beacon" / "core" / "region.md"
    assert place.exists() == is_allowed


def test_a_write_takes_two_steps_where_nobody_can_be_asked(
    installed, with_memory, model
):
    written = use("memory_write", path="core/region.md", description="it", body="x")
    place = with_memory.memory / "beacon" / "core" / "region.md"
    model.will(written, say("I see."))
    installed.ask("-p", "Remember the region.")
    was_written = place.exists()
    model.will(written, confirm(written), say("I see."))
    installed.ask("-p", "Remember the region.")

    assert "NOT written yet" in model.asked[1].said("tool")
    assert [was_written, place.exists()] == [False, True]


def test_what_a_tool_writes_is_committed_in_the_name_of_the_session(
    make_machine, make_pi, model, remote
):
    machine = make_machine(GITMEM_MCP__CONFIRM="never")
    machine.remember("core/deploy.md", "Run make ship.\n", "how to deploy")
    pi = make_pi(machine)
    machine.gitmem("host", "install", "pi")
    written = use(
        "memory_write", path="core/region.md", description="the region", body="Europe."
    )
    model.will(written, say("Kept."))
    pi.ask("-p", "Remember the region.")

    shown = eventually(lambda: arrived(machine, remote))
    [session] = session_ids(pi)
    assert f"Gitmem-Session: {session}" in shown


def test_the_commands_are_offered_and_search(talk, installed):
    talk.tell(id="list", type="get_commands")
    listed = talk.until(id="list")["data"]["commands"]
    talk.tell(id="search", type="prompt", message="/memory deploy")
    told = talk.until(type="extension_ui_request", method="notify")

    assert COMMANDS <= {each["name"] for each in listed}
    assert "core/deploy.md" in told["message"]


def test_a_refresh_gives_the_model_the_memory_as_it_is(talk, with_memory, model):
    turn(talk, "The first.")
    with_memory.remember("core/region.md", "Europe.\n", "the region", "deploy")
    talk.tell(id="refresh", type="prompt", message="/memory-refresh")
    talk.until(id="refresh")
    turn(talk, "The second.")

    before, after = starts(model.asked[1])
    assert "core/region.md" not in before
    assert "core/region.md" in after


def test_a_paused_session_is_told_nothing(talk, model):
    talk.tell(id="pause", type="prompt", message="/pause-memory")
    talk.until(id="pause")
    turn(talk, "The first.")

    assert starts(model.asked[0]) == []


def test_the_memory_is_there_without_a_daemon(make_machine, make_pi, model):
    machine = make_machine(GITMEM_DAEMON__AUTOSTART="false")
    machine.remember("core/deploy.md", "Run make ship.\n", "how to deploy")
    pi = make_pi(machine)
    machine.gitmem("host", "install", "pi")

    told_at_last(pi, model)


def test_the_memory_is_there_after_the_daemon_has_left(installed, with_memory, model):
    with_memory.gitmem("daemon", "stop")
    told_at_last(installed, model)

    assert guard.holder(with_memory.state) is not None


def test_a_turn_starts_no_python_where_a_daemon_runs(installed, with_memory, model):
    installed.ask("-p", "The first.")
    [place] = with_memory.home.rglob("installation.json")
    gone = {
        "version": "0",
        "hook": ["/dev/null/python"],
        "command": ["/dev/null/gitmem"],
    }
    place.write_text(json.dumps(gone), "utf-8")
    installed.ask("-p", "The second.")

    [told] = starts(model.asked[1])
    assert "The first." not in model.asked[1].said("user")
    assert "core/deploy.md" in told


def test_a_turn_goes_on_while_the_daemon_hangs(installed, with_memory, model):
    pid = guard.holder(with_memory.state) or 0
    os.kill(pid, signal.SIGSTOP)
    try:
        told_at_last(installed, model)
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("said", [b"no words\n", b"5\n", b"null\n", b'{"ok": 7}\n'])
def test_a_turn_goes_on_where_something_else_answers(
    installed, with_memory, model, said
):
    place = socket_path(with_memory.state)
    with_memory.gitmem("daemon", "stop")
    place.unlink(missing_ok=True)
    model.will(say("Done."))
    with answering(place, said):
        done = installed.ask("-p", "Go on.")

    assert done.stdout.strip() == "Done."


def test_a_turn_goes_on_with_a_corrupt_catalog(installed, with_memory, model):
    cache = with_memory.home / ".cache" / "gitmem"
    found = [path for path in cache.rglob("*") if path.is_file()]
    [path.write_bytes(b"\0not a catalog") for path in found]

    assert found
    told_at_last(installed, model)


def test_a_turn_goes_on_without_gitmem(installed, with_memory, model):
    [place] = with_memory.home.rglob("installation.json")
    gone = {
        "version": "0",
        "hook": ["/dev/null/python"],
        "command": ["/dev/null/gitmem"],
    }
    place.write_text(json.dumps(gone), "utf-8")
    model.will(use("memory_search", query="deploy"), say("Done."))
    done = installed.ask("-p", "The first.")

    assert done.stdout.strip() == "Done."
    assert "gitmem doctor" in model.asked[1].said("tool")


def test_it_leaves_the_settings_as_they_were(pi, machine):
    settings = pi.folder / "settings.json"
    before = settings.read_bytes()
    machine.gitmem("host", "install", "pi")
    machine.gitmem("host", "install", "pi")
    installed = json.loads(settings.read_bytes())["packages"]
    machine.gitmem("host", "uninstall", "pi")

    assert len(installed) == 1
    assert settings.read_bytes() == before
