"""Measure an import: how long many notes take, and in how much memory.

The notes are made up; each import is done by a process of its own, into a memory
repository of its own.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table import show

HEAD = ("notes", "seconds", "seconds of processor", "peak MB of memory")
LINES = 40


def main() -> None:
    """Print the table, or do one import for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, nargs="*", default=[50, 5_000])
    parser.add_argument("--import", dest="store", type=Path, help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.store:
        do(wish.store)
        return
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with made as folder:
        rows = [row(Path(folder, str(count)), count) for count in wish.notes]
    show(f"one import, load {os.getloadavg()[0]:.1f}", HEAD, rows)


def row(home: Path, count: int) -> tuple[int, ...]:
    """Write notes, and import them in a process of its own."""
    write(home / "notes", count)
    (home / "beacon").mkdir()
    done = subprocess.run(
        [sys.executable, __file__, "--import", home / "notes"],
        stdout=subprocess.PIPE,
        check=True,
    )
    return count, *json.loads(done.stdout)


def write(folder: Path, count: int) -> None:
    """Write notes in forty folders."""
    for number in range(count):
        path = folder / f"area-{number % 40}" / f"note-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = f"---\ndescription: note {number}\ntags: [area-{number % 40}]\n---\n\n"
        text = f"It says that {number} is a number, and more about it.\n" * LINES
        path.write_text(head + text, "utf-8")


def do(store: Path) -> None:
    """Import, and say what it took."""
    from gitmem.app import connect  # measured: only this process needs it

    home = store.parent
    environment = {"HOME": str(home), "GITMEM_HOME": str(home / "gitmem")}
    service = connect(home / "beacon", environment=environment)
    service.init()
    began, worked = time.perf_counter(), time.process_time()
    done = service.imports.carry_out(store)
    seconds, processor = time.perf_counter() - began, time.process_time() - worked
    if done.report is None or not done.report.committed:
        raise SystemExit("Nothing was committed.")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([seconds, processor, memory]))


if __name__ == "__main__":
    main()
