"""Over HTTP the memory is there for whoever has the token, on this machine only."""

import signal
import socket
import stat
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from tests.mcp_server.conftest import CLAUDE, DEPLOY, Person, Talk

from gitmem.errors import UsageError
from gitmem.mcp_server import web

INIT = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}
ACCEPT = "application/json, text/event-stream"


@pytest.fixture
def site(served, machine):
    """Start a server; give its address and its token."""
    server = served("--http", "0")
    said = [server.stderr.readline().decode().strip() for _ in range(2)]
    url, path = said[0], Path(said[1].removeprefix("The token is in "))
    return server, url, path


def ask(url, path, **headers):
    shown = {"authorization": f"Bearer {path.read_text().strip()}", "accept": ACCEPT}
    return httpx2.post(url, json=INIT, headers={**shown, **headers}, timeout=30)


@pytest.mark.anyio
async def test_a_client_with_the_token_works_as_over_stdio(site, machine, mode):
    server, url, path = site
    headers = {"authorization": f"Bearer {path.read_text().strip()}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(
            streamable_http_client(url, http_client=http),
            mode=mode,
            client_info=CLAUDE,
            elicitation_callback=Person(),
        ) as client,
    ):
        told = await Talk(client).call("memory_write", **DEPLOY)
        found = await Talk(client).call("memory_search", query="ship")
        read = await client.read_resource("memory://beacon/core/deploy.md")
    server.send_signal(signal.SIGTERM)

    assert told.data["status"] == "written"
    assert len(found.data["hits"]) == 1
    assert "make ship" in str(read.contents)
    assert server.wait(timeout=30) == 0
    assert machine.service.log(limit=1)[0].host == "claude-code"


def test_whoever_is_not_meant_is_refused(site, machine):
    _, url, path = site
    port = urlsplit(url).port

    statuses = {
        "right": ask(url, path),
        "wrong": ask(url, path, authorization="Bearer wrong"),
        "bare": ask(url, path, authorization=path.read_text().strip()),
        "missing": httpx2.post(url, json=INIT, headers={"accept": ACCEPT}),
        "rebound": ask(url, path, host=f"evil.example:{port}"),
        "other port": ask(url, path, host="127.0.0.1:1"),
        "page": ask(url, path, origin="http://evil.example"),
        "own page": ask(url, path, origin=f"http://127.0.0.1:{port}"),
        "elsewhere": httpx2.get(url.replace("/mcp", "/")),
    }

    assert {name: each.status_code for name, each in statuses.items()} == {
        "right": 200,
        "wrong": 401,
        "bare": 401,
        "missing": 401,
        "rebound": 421,
        "other port": 421,
        "page": 403,
        "own page": 200,
        "elsewhere": 401,
    }


def test_a_request_that_is_too_large_is_refused(site):
    _, url, path = site
    token = f"Bearer {path.read_text().strip()}"
    shown = {
        "authorization": token,
        "accept": ACCEPT,
        "content-type": "application/json",
    }

    told = httpx2.post(url, content=b" " * 10_000_000, headers=shown, timeout=30)

    assert told.status_code == 413


def test_it_listens_on_the_loopback_interface_only(site):
    _, url, path = site

    assert url.startswith("http://127.0.0.1:")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_token_is_shown_to_nobody_but_a_terminal(site):
    server, _, path = site
    server.send_signal(signal.SIGTERM)
    server.wait(timeout=30)

    told = server.stderr.read().decode() + server.stdout.read().decode()
    assert path.read_text().strip() not in told


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        ("x" * 43, 0o622, "by others"),
        ("x" * 43, 0o640, "by others"),
        ("x" * 42, 0o600, "a short one"),
        ("", 0o600, "holds no token"),
        ("x" * 42 + "é", 0o600, "holds no token"),
    ],
    ids=["written", "read", "short", "empty", "letters"],
)
def test_a_token_that_others_may_know_is_refused(tmp_path, text, mode, why):
    path = tmp_path / web.TOKEN_FILE
    path.write_text(text, "utf-8")
    path.chmod(mode)

    with pytest.raises(UsageError, match=why):
        web.token(tmp_path)
    assert path.read_text("utf-8") == text


def test_a_token_behind_a_link_is_refused(tmp_path):
    (tmp_path / "other").write_text("x" * 43)
    (tmp_path / web.TOKEN_FILE).symlink_to("other")

    with pytest.raises(UsageError, match="cannot be read"):
        web.token(tmp_path)


def test_the_token_stays_until_its_file_is_deleted(tmp_path):
    first, again = web.token(tmp_path), web.token(tmp_path)
    first.path.unlink()
    other = web.token(tmp_path)

    assert (first.text, first.is_new, again.is_new) == (again.text, True, False)
    assert other.text != first.text
    assert len(first.text) > 40


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("0.0.0.0:8765", "0.0.0.0 is not the loopback interface"),
        ("example.org:80", "not the loopback interface"),
        ("[::]:80", "not the loopback interface"),
        ("eighty", "'eighty' is no port"),
        ("99999", "'99999' is no port"),
        ("-1", "'-1' is no port"),
    ],
)
def test_another_address_is_refused(machine, capsys, address, said):
    from gitmem.cli.main import run

    assert run(["mcp", f"--http={address}"]) == 2
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"Port {port} cannot be used"):
            web.listen(port)
