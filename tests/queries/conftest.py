"""A memory with a bit of everything, and every door that takes a query.

`pytest tests/queries --queries-full` asks all 10,000; without it, a sample is asked.
"""

import contextlib
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest
from tests.queries.texts import SAMPLE, WHOLE, texts

from gitmem.app import connect
from gitmem.catalog.ripgrep import DEADLINE_SECONDS, Kind
from gitmem.catalog.search import SearchRequest, search
from gitmem.cli.main import run
from gitmem.daemon.moments import read_hook, reply
from gitmem.errors import GitmemError
from gitmem.service.service import Service

# A busy machine may take a while; what hangs takes for ever.
TOO_LONG_SECONDS = 2 * DEADLINE_SECONDS
PART = 500
TODAY = date(2026, 3, 2)
MEMORIES = {
    "beacon/core/deploy.md": "how to deploy\ntags: [deploy, C++, 部署]",
    "beacon/notes/names.md": "see getUserName at 5 GB/s, don't pre-edit",
    "beacon/notes/cjk.md": "设备索引 しりとり 백업 서버",
    "beacon/records/book.md": "booking\ntriggers: [book it, AND, '*']",
    "global/USER.md": "prefers rsync\nsubjects: ['person:sam']",
    "lantern/notes/a.md": "another project's a AND b",
}
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
Ask = Callable[[str], None]
Asked = Callable[[Ask, Sequence[str]], dict[str, str]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--queries-full", action="store_true", help="ask every query")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give what is asked, in parts that are short enough to be watched."""
    if "queries" in metafunc.fixturenames:
        is_full = metafunc.config.getoption("--queries-full", default=False)
        asked = texts(WHOLE if is_full else SAMPLE)
        parts = [asked[at : at + PART] for at in range(0, len(asked), PART)]
        metafunc.parametrize("queries", parts, ids=range(len(parts)))


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    """Make the memory, indexed, and stand in its project."""
    project = tmp_path / "beacon"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("GITMEM_HOME", str(tmp_path / "gitmem"))
    monkeypatch.setenv("GITMEM_SYNC__MACHINE_ID", "oak")
    monkeypatch.setenv("GITMEM_DAEMON__AUTOSTART", "false")
    monkeypatch.setenv("GITMEM_MEMORY_DIR__GLOBAL_MEMORY", "global")
    made = connect(project)
    made.init()
    for path, text in MEMORIES.items():
        file = made.rooms.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        body = text.partition("\n")[0]
        file.write_text(f"---\ndescription: {text}\n---\n{body}\n", "utf-8")
    (made.rooms.root / "activation.yaml").write_text(
        "'*': deploy\nid: deploy\n", "utf-8"
    )
    made.index()
    return made


@pytest.fixture
def asked() -> Asked:
    """Ask everything, and give what failed or took too long, by what was asked."""

    def ask_all(ask: Ask, queries: Sequence[str]) -> dict[str, str]:
        failed = {}
        for query in queries:
            begun = time.monotonic()
            try:
                ask(query)
            except GitmemError as error:
                if not error.message:
                    failed[query] = "nothing is said"
            except Exception as error:  # noqa: BLE001  that is what is looked for
                failed[query] = repr(error)
            if time.monotonic() - begun > TOO_LONG_SECONDS:
                failed[query] = "it took too long"
        return failed

    return ask_all


@pytest.fixture
def by_catalog(service: Service) -> Iterator[Ask]:
    """Search the catalog by words, while typing, by tag, and beside other layers."""
    tree = service.rooms.tree()
    with service.rooms.catalog() as catalog:

        def ask(query: str) -> None:
            for request in _requests(query):
                search(catalog, request, tree)
                # A question must not make it give its build up.
                assert catalog.is_built()

        yield ask


def _requests(query: str) -> Iterator[SearchRequest]:
    yield SearchRequest(
        query, layers=("beacon",), other_layers=("global", "lantern"), today=TODAY
    )
    yield SearchRequest(query, is_prefix=True, today=TODAY)
    yield SearchRequest(tags=(query,), other_layers=("global",), today=TODAY)
    yield SearchRequest(
        "deploy", tags=("deploy", query), layers=("beacon",), today=TODAY
    )


@pytest.fixture
def by_pattern(service: Service) -> Ask:
    """Search the files with a regular expression, in both ways."""

    def ask(query: str) -> None:
        kind = Kind.RG if len(query) % 2 else Kind.GREP
        service.grep(query, kind, limit=50)

    return ask


@pytest.fixture
def by_turn(service: Service) -> Ask:
    """Say it at a turn of a session, as a host's hook does."""

    def ask(query: str) -> None:
        payload = {"session_id": f"s{len(query)}", "cwd": ".", "prompt": query}
        hook = read_hook(
            {
                "host": "claude-code",
                "event": "UserPromptSubmit",
                "payload": json.dumps(payload),
                "cwd": str(service.rooms.cwd),
            }
        )
        reply(service, hook)

    return ask


@pytest.fixture
def by_command(service: Service) -> Ask:
    """Search with it as words, tag, pattern or layer, or give it as a prompt."""
    del service
    ways: list[Callable[[str], list[str]]] = [
        lambda query: ["search", "--json", "--", query],
        lambda query: ["search", f"--tag={query}"],
        lambda query: ["search", f"--rg={query}"],
        lambda query: ["search", f"--grep={query}", "--layer=all"],
        lambda query: ["search", "--layer", query, "deploy"],
        lambda query: ["search", query],
        lambda query: ["context", "--why", f"--prompt={query}"],
    ]
    number = 0

    def ask(query: str) -> None:
        nonlocal number
        number += 1
        _run(ways[number % len(ways)](_typed(query)))

    return ask


@pytest.fixture
def by_server(service: Service) -> Iterator[Ask]:
    """Call `memory_search` of an MCP server with it in each place in turn."""
    del service
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "gitmem", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    calls = _Calls(server)
    calls.call("initialize", HELLO)
    calls.send({"method": "notifications/initialized"})

    def ask(query: str) -> None:
        place = ("query", "tag", "grep", "rg")[calls.number % 4]
        said = {"name": "memory_search", "arguments": {place: query}}
        answer = calls.call("tools/call", said)
        assert "failed by itself" not in json.dumps(answer), answer

    yield ask
    server.communicate(timeout=60)
    assert server.returncode == 0


class _Calls:
    """Speaks to a server line by line: JSON carries what a client would refuse."""

    def __init__(self, server: "subprocess.Popen[bytes]") -> None:
        self.number = 0
        assert server.stdin
        assert server.stdout
        self._requests, self._answers = server.stdin, server.stdout

    def call(self, method: str, params: object) -> dict[str, object]:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        answer: dict[str, object] = json.loads(self._answers.readline())
        assert answer["id"] == self.number, answer
        return answer

    def send(self, message: dict[str, object]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message})
        self._requests.write(line.encode() + b"\n")
        self._requests.flush()


def _typed(query: str) -> str:
    """Give what a program is given: no NUL, and only what bytes can stand for."""
    text = query.replace("\0", "")
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def _run(arguments: list[str]) -> None:
    """Run gitmem in this process; what it did not foresee is an error here."""
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape")
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = run(arguments)
    said.seek(0)
    told = said.read()
    assert status in {0, 1, 2}, told
    assert "the whole story is in" not in told, told
    assert "could not be logged" not in told, told
    assert sys.stdout is not said
