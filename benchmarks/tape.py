"""Measure how long transcripts take: all of them once, and what is new later.

The transcripts are made up in pi's and Claude Code's own form; each scan is done by a
process of its own, which says how much memory it took.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from table import show

MEGABYTE = 1_000_000
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HEAD = ("scan", "ms", "ms of processor", "MB read", "peak MB of memory", "accesses")
PROJECT = "/home/sam/code/beacon"


def main() -> None:
    """Print the table, or do one scan for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5, help="of later scans")
    parser.add_argument("--scan", type=Path, help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.scan:
        scan(wish.scan)
        return
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with made as folder:
        home = Path(folder)
        write(home, wish.megabytes * MEGABYTE, wish.sessions)
        rows = [row("the first", home, size(home))]
        later = [row("a later one, nothing new", home, 0) for _ in range(wish.runs)]
        rows.append(sorted(later, key=lambda each: each[1])[len(later) // 2])
        before = size(home)
        grow(home)
        rows.append(row("a later one, one session grew", home, size(home) - before))
    title = f"{wish.megabytes} MB in {wish.sessions} sessions"
    show(f"{title}, load {os.getloadavg()[0]:.1f}", HEAD, rows)


def row(name: str, home: Path, read: int) -> tuple[str, *tuple[float, ...]]:
    """Scan once, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--scan", home],
        stdout=subprocess.PIPE,
        check=True,
    )
    seconds, worked, memory, found = json.loads(done.stdout)
    return name, seconds * 1e3, worked * 1e3, read / MEGABYTE, memory, found


def scan(home: Path) -> None:
    """Read what is new, keep it, and print what that took."""
    from gitmem.hosts import workfile
    from gitmem.hosts.place import Where
    from gitmem.hosts.transcripts import Transcripts
    from gitmem.hosts.work import Scan, accesses
    from gitmem.hosts.work import scan as read

    start, began = time.perf_counter(), time.process_time()
    project = Path(PROJECT)
    transcripts = Transcripts(Where(home), (project,), lambda cwd: cwd == PROJECT)
    kept = home / "cache" / "work.json"
    known = workfile.load(kept)
    found = read(transcripts, known, Scan(START - timedelta(days=1), progress=told))
    if found != known:
        workfile.save(kept, found)
    several = accesses(found)
    seconds, worked = time.perf_counter() - start, time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(json.dumps([seconds, worked, memory, len(several)]))


def told(done: int, total: int) -> None:
    """Show a person how far it is, where one watches."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done / MEGABYTE:.0f} of {total / MEGABYTE:.0f} MB ")


def size(home: Path) -> int:
    """Count the bytes of all transcripts."""
    return sum(path.stat().st_size for path in home.rglob("*.jsonl"))


def write(home: Path, total: int, sessions: int) -> None:
    """Lay transcripts: half of them pi's, half Claude Code's."""
    pi = home / ".pi/agent/sessions/--home-sam-code-beacon--"
    claude = home / ".claude/projects/-home-sam-code-beacon"
    pi.mkdir(parents=True)
    claude.mkdir(parents=True)
    each = total // sessions
    for number in range(sessions):
        if number % 2:
            lay(claude / f"session-{number}.jsonl", of_claude(number), each)
        else:
            lay(pi / f"t_session-{number}.jsonl", of_pi(number), each)


def lay(path: Path, entries: Iterator[object], least: int) -> None:
    """Write entries until there is so much."""
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < least:
            file.write(json.dumps(next(entries), separators=(",", ":")) + "\n")


def grow(home: Path) -> None:
    """Let one session go on for a turn."""
    path = min(home.rglob("t_session-*.jsonl"))
    with path.open("a", encoding="utf-8") as file:
        entries = of_pi(10_000)
        next(entries)
        for _ in range(10):
            file.write(json.dumps(next(entries), separators=(",", ":")) + "\n")


def of_pi(session: int) -> Iterator[object]:
    """Make up a session: a prompt, three files read or changed, an answer."""
    yield {"type": "session", "id": f"session-{session}", "cwd": PROJECT}
    for number in range(10**9):
        at = moment(session, number)
        call = {"type": "toolCall", "id": f"c{number}", "name": tool(number).lower()}
        path = {"path": f"src/module_{number % 97}.py", "offset": 10, "limit": 40}
        said = {"type": "text", "text": "Now the next file. " * 20}
        parts = [said, {**call, "arguments": path}]
        yield message(number, "assistant", parts, at)
        text = [{"type": "text", "text": "def something(): ...\n" * 150}]
        yield message(number + 10**9, "toolResult", text, at)


def of_claude(session: int) -> Iterator[object]:
    """Make up a session as Claude Code keeps it, requests among the messages."""
    for number in range(10**9):
        at = moment(session, number)
        path = {"file_path": f"{PROJECT}/src/module_{number % 97}.py", "offset": 5}
        use = {"type": "tool_use", "id": f"c{number}", "name": tool(number)}
        result = {"type": "tool_result", "tool_use_id": f"c{number}"}
        common = {"timestamp": at, "cwd": PROJECT, "sessionId": f"session-{session}"}
        for role, part, found in (
            ("assistant", {**use, "input": path}, f"a{number}"),
            (
                "user",
                {**result, "content": "def something(): ...\n" * 100},
                f"b{number}",
            ),
        ):
            said = {"role": role, "content": [part]}
            yield {"type": role, "message": said, "uuid": found, **common}
        yield {"type": "api-request-blob", "message": "x" * 2_000}


def moment(session: int, number: int) -> str:
    """Give every entry of every session a time of its own."""
    return (START + timedelta(seconds=number, milliseconds=session)).isoformat()


def tool(number: int) -> str:
    """Read mostly, and change now and then."""
    return ("Read", "Read", "Edit", "Read", "Write")[number % 5]


def message(number: int, role: str, content: object, at: str) -> object:
    """Make an entry of pi's."""
    said = {"role": role, "content": content}
    return {"type": "message", "id": f"{number:x}", "timestamp": at, "message": said}


if __name__ == "__main__":
    sys.exit(main())
