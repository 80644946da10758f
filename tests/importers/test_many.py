"""Thousands of entries: one commit, bounded memory; and a kill in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.importers.conftest import memories
from tests.service.conftest import Connect

from gitmem.service.service import Service

RUN = """\
import json, resource, sys
from pathlib import Path
from gitmem.app import connect
service = connect(Path(sys.argv[1]), environment=json.loads(sys.argv[2]))
done = service.imports.carry_out(Path(sys.argv[3]))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps({"counts": dict(done.counts), "peak": peak}))
"""
PATIENCE_SECONDS = 120.0


def written(folder: Path, count: int) -> Path:
    """Write a store of many notes."""
    for number in range(count):
        path = folder / f"area-{number % 40}" / f"note-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"---\ndescription: note {number}\ntags: [area-{number % 40}]\n---\n\n"
            + f"It says that {number} is a number, and more about it.\n" * 20,
            "utf-8",
        )
    return folder


def started(service: Service, store: Path) -> "subprocess.Popen[str]":
    """Import in a process of its own."""
    own = service.rooms.loaded.folders.state.parent
    environment = {
        "HOME": str(own.parent),
        "GITMEM_HOME": str(own),
        "GITMEM_SYNC__MACHINE_ID": "oak",
        "GITMEM_MEMORY_DIR__GLOBAL_MEMORY": "global",
    }
    command = [sys.executable, "-c", RUN, str(service.rooms.cwd)]
    return subprocess.Popen(
        [*command, json.dumps(environment), str(store)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def wait_for_files(folder: Path, count: int) -> None:
    """Wait until so many memories are there."""
    end = time.monotonic() + PATIENCE_SECONDS
    while len(list(folder.rglob("*.md"))) < count and time.monotonic() < end:
        time.sleep(0.01)


@pytest.mark.slow
def test_five_thousand_become_one_commit_in_bounded_memory(
    connected: Connect, tmp_path: Path
) -> None:
    few, many = connected("elm"), connected("oak")
    few.init()
    many.init()
    less = started(few, written(tmp_path / "few", 50)).communicate()[0]
    more = started(many, written(tmp_path / "many", 5_000)).communicate()[0]

    assert json.loads(more)["counts"] == {"created": 5_000}
    assert json.loads(more)["peak"] - json.loads(less)["peak"] < 80
    assert [each.subject for each in many.log(limit=10)][:-1] == [
        "memory(*): import from folder: many"
    ]
    assert many.status().uncommitted == 0
    assert len(many.newest(limit=10_000)) == 5_000


def notes_of(service: Service) -> dict[str, str]:
    """Say what the memories of the project hold."""
    texts = memories(service)
    return {path: texts[path] for path in texts if path.startswith("beacon/")}


@pytest.mark.parametrize("count", [1, 60, 140], ids=["first", "some", "most"])
def test_a_kill_leaves_nothing_or_all_and_the_next_run_does_it_without_a_double(
    service: Service, tmp_path: Path, count: int
) -> None:
    store = written(tmp_path / "store", 150)
    process = started(service, store)
    wait_for_files(service.rooms.root / "beacon", count)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    service.commit()

    assert len(notes_of(service)) in {0, 150}
    assert service.status().uncommitted == 0

    done = service.imports.carry_out(store)
    notes = notes_of(service)

    assert sum(done.counts.values()) == len(notes) == 150
    assert all("imported_digest: " in text for text in notes.values())
    assert not service.imports.plan(store).has_work

    service.undo()

    assert notes_of(service) == {}
