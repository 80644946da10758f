"""A model that says what a test tells it to, and remembers all that it was asked.

It listens on the loopback, and is the proxy for everything else: what a host wants from
outside is refused and written down in `strayed`.
"""

import fnmatch
import itertools
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.hosts.dialects import DIALECTS, Call, Dialect, Message, Tool

ASIDE = "Said aside."
# In a text, or in what is structured.
_TOKEN = re.compile(r'`confirm`: (\S+)|"confirm": ?"([^"]+)"')


@dataclass(frozen=True)
class Answer:
    """What the model answers to one request; a tool's name may have wildcards."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    status: int = 200


def say(text: str) -> Answer:
    """Answer with a text, which ends the turn."""
    return Answer(text)


def use(tool: str, **arguments: Any) -> Answer:
    """Answer with the wish to use a tool."""
    return Answer(calls=(Call(tool, arguments),))


def confirm(answer: Answer) -> "Chosen":
    """Answer with the same wish again, and the token that a tool has given."""

    def chosen(asked: "Asked") -> Answer:
        [call] = answer.calls
        found = _TOKEN.findall(asked.said("tool"))
        token = "".join(found[-1]) if found else "none"
        return use(call.name, **call.arguments, confirm=token)

    return chosen


@dataclass(frozen=True)
class Asked:
    """One request of a host."""

    dialect: Dialect
    body: dict[str, Any]

    @property
    def messages(self) -> list[Message]:
        return self.dialect.messages(self.body)

    @property
    def tools(self) -> dict[str, Tool]:
        return {each.name: each for each in self.dialect.tools(self.body)}

    @property
    def system(self) -> str:
        """All that the host itself said, wherever it put that."""
        return self.said("system", "developer")

    def said(self, *roles: str) -> str:
        """Join what these roles said; what all said, without any."""
        found = [each for each in self.messages if not roles or each.role in roles]
        return "\n".join(each.text for each in found)


Chosen = Callable[[Asked], Answer]


@dataclass
class Model:
    """A scripted model; `script` is used up by the requests that offer tools.

    Summaries, titles and the like come without tools. They are kept in `aside`, and
    answered with a fixed text.
    """

    script: "list[Answer | Chosen]" = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    aside: list[Asked] = field(default_factory=list)
    strayed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listen; threads serve until `close`."""
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._server = _Server(("127.0.0.1", 0), _Listener)
        self._server.model = self
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def will(self, *answers: "Answer | Chosen") -> None:
        """Say these next, in place of what was left."""
        self.script[:] = answers

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, asked: Asked) -> Answer:
        """Remember a request, and choose what to say."""
        with self._lock:
            if not asked.tools:
                self.aside.append(asked)
                return Answer(ASIDE)
            self.asked.append(asked)
            chosen = self.script.pop(0) if self.script else Answer("Nothing to say.")
        answer = chosen if isinstance(chosen, Answer) else chosen(asked)
        return self._resolved(asked, answer)

    def _resolved(self, asked: Asked, answer: Answer) -> Answer:
        """Find the tools that an answer names among those that were offered."""
        calls: list[Call] = []
        for each in answer.calls:
            found = fnmatch.filter(asked.tools, each.name)
            if not found:
                return Answer(f"There is no tool {each.name} in {sorted(asked.tools)}")
            tool, number = asked.tools[found[0]], next(self._ids)
            name = tool.wire_name
            calls.append(Call(name, each.arguments, tool.namespace, f"call_{number}"))
        return Answer(answer.text, tuple(calls), answer.status)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: Model

    def handle_error(self, *_: Any) -> None:
        """Say nothing of hosts that went away."""


class _Listener(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Keep the test's output clean."""

    def do_GET(self) -> None:
        if not self._stray():
            self._json({"data": [], "models": []})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_CONNECT(self) -> None:
        self.server.model.strayed.append(self.path)
        self.send_error(403)

    def do_POST(self) -> None:
        body = json.loads(self._read() or b"{}")
        path = urlsplit(self.path).path.rstrip("/")
        spoken = [each for each in DIALECTS if path.endswith(each.ending)]
        if self._stray():
            return
        if not spoken:
            self._json({"input_tokens": 9})
            return
        answer = self.server.model.answer(Asked(spoken[0], body))
        if answer.status != 200:
            self._json({"error": {"message": answer.text}}, answer.status)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        model = str(body.get("model", ""))
        for name, data in spoken[0].stream(model, answer.text, list(answer.calls)):
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
        if path.endswith("/completions"):
            self.wfile.write(b"data: [DONE]\n\n")

    def _stray(self) -> bool:
        """Refuse what was meant for somebody else, as a proxy is asked."""
        is_stray = "://" in self.path
        if is_stray:
            self.server.model.strayed.append(self.path)
            self.send_error(403)
        return is_stray

    def _read(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _json(self, value: object, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
