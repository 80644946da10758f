"""Compare how long an MCP client waits for the tools with importing the SDK at all.

A row is the median over its runs; the runs of all rows alternate, so that they see the
same machine. The first call searches a memory whose catalog has yet to be built.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from table import show

MEMORIES = 1_000
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
SEARCH = {
    "jsonrpc": "2.0",
    "id": 3,
    "method": "tools/call",
    "params": {"name": "memory_search", "arguments": {"query": "deploy"}},
}
ROWS = {
    "python -c pass": "pass",
    "import mcp": "import mcp",
    "import mcp.server.mcpserver": "import mcp.server.mcpserver",
}
SERVER = ("spawn to initialize", "spawn to tools/list", "first search, cold", "second")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each row")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GITMEM_HOME": str(Path(folder, "gitmem"))}
        prepare(folder, environment)
        times: dict[str, list[float]] = {name: [] for name in (*ROWS, *SERVER)}
        for _ in range(runs):
            for name, code in ROWS.items():
                times[name].append(imported(code))
            for name, seconds in zip(SERVER, served(folder, environment), strict=True):
                times[name].append(seconds)
    floor = statistics.median(times["import mcp"])
    table = [
        (name, statistics.median(found) * 1e3, statistics.median(found) / floor)
        for name, found in times.items()
    ]
    show(f"MCP, {MEMORIES} memories", ("what", "ms", "x import mcp"), table)


def prepare(folder: str, environment: dict[str, str]) -> None:
    """Make a memory repository with some memories."""
    program = [sys.executable, "-m", "gitmem"]
    done = subprocess.run(
        [*program, "path"],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
    )
    subprocess.run(
        [*program, "init"],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
    )
    layer = Path(done.stdout.decode().strip(), Path(folder).name)
    layer.mkdir()
    for number in range(MEMORIES):
        text = f"---\ndescription: deploy {number}\ntags: [a]\n---\n\nText {number}.\n"
        (layer / f"{number}.md").write_text(text, "utf-8")


def imported(code: str) -> float:
    """Time a Python that runs one line."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begun


def served(folder: str, environment: dict[str, str]) -> Iterator[float]:
    """Time what a client waits for, from the start of the server on."""
    subprocess.run(["rm", "-rf", str(Path(folder, "gitmem", "cache"))], check=True)
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "gitmem", "mcp"],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as server:
        ask(server, HELLO)
        yield time.perf_counter() - begun
        ask(server, READY, LIST)
        yield time.perf_counter() - begun
        for _ in range(2):
            asked = time.perf_counter()
            ask(server, SEARCH)
            yield time.perf_counter() - asked


def ask(server: "subprocess.Popen[bytes]", *messages: dict[str, object]) -> None:
    """Send messages, and wait for the answer to the last."""
    assert server.stdin  # noqa: S101  a pipe, as asked for
    assert server.stdout  # noqa: S101  as stdin
    for message in messages:
        server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    if answer.get("id") != messages[-1]["id"] or "result" not in answer:
        sys.exit(f"{messages[-1]['method']}: {answer}")


if __name__ == "__main__":
    main()
