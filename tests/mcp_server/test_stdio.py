"""A server of its own process talks protocol only, and leaves nothing behind."""

import itertools
import json
import signal
import socket
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, JSONRPCError, JSONRPCResponse
from tests.mcp_server.conftest import DEPLOY, Person, eventually

from gitmem.mcp_server import stdio
from gitmem.service.answers import Visit

HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "codex-mcp-client", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number, name, **arguments):
    return request(number, "tools/call", name=name, arguments=arguments)


def send(server, *messages):
    for message in messages:
        server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()


def answer(server, number):
    """Read on to the answer of a request."""
    for line in server.stdout:
        found = json.loads(line)
        if found.get("id") == number:
            return found
    pytest.fail(server.stderr.read().decode())


def write_unasked(server, number, **arguments):
    send(server, call(number, "memory_write", **{**DEPLOY, **arguments}))
    return answer(server, number)["result"]["structuredContent"]


def greet(server, name="codex-mcp-client"):
    who = {**HELLO["params"], "clientInfo": {"name": name, "version": "1"}}
    send(server, {**HELLO, "params": who}, READY)
    return answer(server, 1)["result"]


def log(machine, *what):
    last = machine.service.log(limit=5)
    return [tuple(getattr(each, name) for name in what) for each in last]


@pytest.fixture
def silent_remote():
    """Listen as a Git server that never answers; give its address and who came."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        came = []

        def accept():
            while True:
                try:
                    came.append(listener.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/x.git", came
        for each in came:
            each.close()


def children(pid):
    """List the programs that a process started."""
    return [
        int(stat.parent.name)
        for stat in Path("/proc").glob("[0-9]*/stat")
        if _parent(stat) == pid
    ]


def _parent(stat):
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@pytest.mark.parametrize(
    "answered",
    [
        {"result": {"action": "accept", "content": {"write": "\ud800"}}},
        {"result": "yes"},
        {"error": "no"},
        {},
    ],
    ids=["half a character", "text", "an odd error", "nothing"],
)
def test_a_persons_answer_that_cannot_be_read_ends_the_call(served, machine, answered):
    server = served()
    can_ask = {**HELLO["params"], "capabilities": {"elicitation": {}}}
    send(server, {**HELLO, "params": can_ask}, READY)
    answer(server, 1)
    send(server, call(2, "memory_write", **DEPLOY))
    question = json.loads(server.stdout.readline())
    send(server, {"jsonrpc": "2.0", "id": question["id"], **answered})
    ended = answer(server, 2)
    assert question["method"] == "elicitation/create"
    assert "answer cannot be read" in json.dumps(ended)
    assert machine.texts() == {}


@pytest.mark.anyio
async def test_what_a_client_wrote_is_committed_in_its_name_when_it_leaves(
    started, machine
):
    async with started(Person()) as talk:
        told = await talk.call("memory_write", **DEPLOY)

    assert told.data["status"] == "written"
    eventually(lambda: len(machine.service.log(limit=5)) == 2)
    subject, host, session = log(machine, "subject", "host", "session")[0]
    assert subject == "memory(beacon): add core/deploy.md"
    assert (host, session[:4]) == ("claude-code", "mcp-")
    assert machine.service.session.live() == ()


def test_nothing_but_protocol_comes_out_and_the_end_of_stdin_ends_it(
    served, machine, monkeypatch
):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    server = served()
    hello = greet(server)
    write_unasked(server, 2)
    rest, told = server.communicate(timeout=30)

    assert hello["serverInfo"]["name"] == "gitmem"
    assert len(hello["instructions"]) < 400
    assert (rest, told, server.returncode) == (b"", b"", 0)
    assert log(machine, "host")[0] == ("codex",)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_everything_committed(
    served, machine, monkeypatch, number
):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    server = served()
    greet(server)
    write_unasked(server, 2)
    server.send_signal(number)

    assert server.wait(timeout=30) == 0
    assert log(machine, "host")[0] == ("codex",)


def test_a_quiet_time_after_a_write_is_enough(served, machine, monkeypatch):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    server = served()
    greet(server)
    write_unasked(server, 2)

    eventually(lambda: len(machine.service.log(limit=5)) == 2)
    assert server.poll() is None


def test_what_a_killed_server_wrote_is_committed_in_its_name(
    served, machine, monkeypatch
):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    server = served()
    greet(server)
    write_unasked(server, 2)
    server.kill()
    server.wait(timeout=30)

    ended = machine.service.session.end_orphans()

    assert [each.host for each in ended] == ["codex"]
    assert log(machine, "host", "session")[0] == ("codex", ended[0].id)


@pytest.mark.parametrize(
    ("host", "how", "more"),
    [
        ("codex-mcp-client", ("--session", "s7"), {}),
        ("claude-code", (), {"CLAUDE_CODE_SESSION_ID": "s7"}),
    ],
    ids=["named", "told"],
)
def test_a_session_of_the_hosts_own_is_named_and_not_ended(
    served, machine, monkeypatch, host, how, more
):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    known = host.partition("-mcp")[0]
    machine.service.session.start(Visit(known, "s7"))
    server = served(*how, **more)
    greet(server, host)
    write_unasked(server, 2)
    server.communicate(timeout=30)

    assert log(machine, "host", "session")[0] == (known, "s7")
    assert [each.id for each in machine.service.session.live()] == ["s7"]


@pytest.mark.anyio
async def test_a_session_that_is_told_with_each_call_is_named(started, machine):
    meta = {"x-codex-turn-metadata": {"session_id": "s7"}}
    machine.service.session.start(Visit("claude-code", "s7"))
    async with started(Person()) as talk:
        await talk.call("memory_write", meta, **DEPLOY)

    eventually(lambda: len(machine.service.log(limit=5)) == 2)
    assert log(machine, "host", "session")[0] == ("claude-code", "s7")
    assert [each.id for each in machine.service.session.live()] == ["s7"]


def test_the_session_of_a_host_around_the_host_is_not_named(
    served, machine, monkeypatch
):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    server = served(CLAUDE_CODE_SESSION_ID="s7")
    greet(server)
    write_unasked(server, 2)
    server.communicate(timeout=30)

    host, session = log(machine, "host", "session")[0]
    assert (host, session[:4]) == ("codex", "mcp-")


def test_what_was_written_is_pushed_after_the_client_left(
    served, machine, bare_remote, git, monkeypatch
):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    machine.service.remote(str(bare_remote))
    machine.service.sync()
    server = served()
    greet(server)
    write_unasked(server, 2)
    server.communicate(timeout=30)

    eventually(lambda: "deploy.md" in git("log", "--format=%s", cwd=bare_remote))


def test_several_servers_share_one_memory(served, machine, monkeypatch):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    servers = [served() for _ in range(3)]
    for server in servers:
        send(server, HELLO, READY)
    for number, server in enumerate(servers):
        answer(server, 1)
        send(server, call(2, "memory_write", **{**DEPLOY, "path": f"n/{number}.md"}))
    told = [answer(server, 2)["result"] for server in servers]
    for server in servers:
        server.communicate(timeout=30)

    assert [each["structuredContent"]["status"] for each in told] == ["written"] * 3
    assert sorted(machine.texts()) == [f"beacon/n/{n}.md" for n in range(3)]
    assert machine.service.status().uncommitted == 0


def test_nothing_is_built_before_somebody_searches(served, machine):
    server = served()
    greet(server)
    send(server, request(2, "tools/list"))

    assert len(answer(server, 2)["result"]["tools"]) == 7
    assert list(Path(machine.settings["GITMEM_HOME"]).rglob("*.sqlite")) == []


def test_lines_that_are_no_requests_do_no_harm(served):
    server = served()
    greet(server)
    for line in (b"{", b"\xff\xfe", b"[]", b"null", b'{"jsonrpc":"2.0"}', b"[" * 9999):
        server.stdin.write(line + b"\n")
    send(server, request(3, "tools/list"))

    assert len(answer(server, 3)["result"]["tools"]) == 7


def test_half_a_character_is_refused_and_not_waited_for(served, machine):
    server = served()
    greet(server)
    send(server, call(2, "memory_write", **{**DEPLOY, "body": "half \ud800"}))

    assert "unpaired surrogate" in answer(server, 2)["error"]["message"]
    assert machine.texts() == {}


def test_no_id_ends_the_server(served):
    server = served()
    greet(server)
    ids = [
        *(rb'"\ud800"', rb'"a\udfffb"', b"[1]", b"{}", b"true", b"1.5", b"1e999"),
        *(b"9" * 999, b"9" * 9_999, b"NaN", b"-0", b'"' + b"x" * 99_999 + b'"'),
    ]
    methods = (b'"ping"', rb'"\ud800"', b'"nothing/there"', b'"tools/call"', b"1")
    server.stdin.writelines(
        b'{"jsonrpc":"2.0","id":%b,"method":%b}\n' % pair
        for pair in itertools.product(ids, methods)
    )
    send(server, request("last", "ping"))

    assert answer(server, "last")["result"] is not None


def test_an_id_that_cannot_be_said_back_is_answered_with_none(served):
    server = served()
    greet(server)
    server.stdin.write(rb'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}' + b"\n")
    server.stdin.flush()

    told = json.loads(server.stdout.readline())
    assert (told["id"], "cannot be read" in told["error"]["message"]) == (None, True)


@pytest.mark.anyio
async def test_an_answer_that_cannot_be_written_becomes_one_that_can():
    given, taken = anyio.create_memory_object_stream[SessionMessage](2)
    passed, written = anyio.create_memory_object_stream[SessionMessage](2)
    good = SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": "b"}))
    half = JSONRPCResponse(jsonrpc="2.0", id=2, result={"a": "\ud800"})
    with given, passed, written:
        await given.send(good)
        await given.send(SessionMessage(half))
        given.close()
        await stdio._say(taken, passed)
        first, second = written.receive_nowait(), written.receive_nowait()

    assert first is good
    refused = second.message
    assert isinstance(refused, JSONRPCError)
    assert (refused.id, refused.error.code) == (2, INTERNAL_ERROR)


def test_a_cancelled_call_ends_the_git_that_it_waits_for(
    served, machine, silent_remote
):
    url, came = silent_remote
    machine.service.remote(url)
    server = served(GITMEM_SYNC__TIMEOUT="600")
    greet(server)
    send(server, call(2, "memory_sync", action="pull"))
    eventually(lambda: came and children(server.pid))
    cancelled = {"requestId": 2, "reason": "enough"}
    send(server, {**READY, "method": "notifications/cancelled", "params": cancelled})

    eventually(lambda: not children(server.pid))
    send(server, request(3, "tools/list"))
    assert answer(server, 3)["result"]


def test_a_client_that_dies_leaves_no_program_behind(served, machine, silent_remote):
    url, came = silent_remote
    machine.service.remote(url)
    server = served(GITMEM_SYNC__TIMEOUT="600")
    greet(server)
    send(server, call(2, "memory_sync", action="pull"))
    started = eventually(lambda: came and children(server.pid))
    server.stdin.close()
    server.stdout.close()

    server.wait(timeout=30)
    eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))


def test_it_starts_with_settings_that_cannot_be_read(served, machine):
    config = Path(machine.settings["GITMEM_HOME"]) / "config" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("[[[")
    server = served()
    greet(server)
    send(server, call(2, "memory_check"))

    told = answer(server, 2)["result"]
    assert told["isError"]
    assert "config.toml" in told["content"][0]["text"]


def test_groups_can_be_left_out(served):
    server = served("--groups", "")
    greet(server)
    send(server, request(2, "tools/list"))

    assert answer(server, 2)["result"]["tools"] == []


def test_a_group_that_there_is_not_is_named(served):
    server = served("--groups", "memory,tape2")
    _, told = server.communicate(timeout=30)

    assert server.returncode == 2
    assert "There is no group 'tape2'." in told.decode()


@pytest.mark.anyio
async def test_long_work_tells_how_far_it_is(connected, machine, monkeypatch):
    monkeypatch.setattr("gitmem.mcp_server.progress.EVERY_SECONDS", 0.005)
    for number in range(1_500):
        (machine.root / "beacon").mkdir(exist_ok=True)
        (machine.root / "beacon" / f"{number}.md").write_text(f"# {number}\n")
    heard = []

    async def hear(done, total, words):
        heard.append((done, total, words))
        await anyio.lowlevel.checkpoint()

    async with connected() as talk:
        await talk.client.call_tool(
            "memory_search", {"query": "7"}, progress_callback=hear
        )

    assert {words for _, _, words in heard} == {"indexing memories"}
    assert [done for done, _, _ in heard] == sorted({done for done, _, _ in heard})
