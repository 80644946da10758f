"""Several processes use one catalog, and some of them are killed."""

import os
import subprocess
import sys
import time

import pytest

from gitmem.catalog import rows
from gitmem.catalog.refresh import Outcome

WORKER = """
import sys, itertools
from pathlib import Path
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import rebuild, refresh
from gitmem.files.tree import Tree
root, folder, kind = sys.argv[1:]
print("ready", flush=True)
with Catalog(Path(folder)) as catalog:
    for number in itertools.count():
        Path(root, "p/moving.md").write_text(f"moving words {number}")
        (rebuild if kind == "rebuild" else refresh)(catalog, Tree(Path(root)))
"""
STABLE = ["p/stable.md"]


def worker(house, kind) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WORKER, house.root, house.catalog.folder, kind]
    path = os.pathsep.join(sys.path)
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    )
    assert started.stdout is not None
    assert b"ready\n" == started.stdout.readline()
    return started


@pytest.fixture
def stable(house):
    house.put("p/stable.md", "a stable memory\n")
    house.refresh()
    return house


@pytest.mark.parametrize("kind", ["rebuild", "refresh"])
def test_reader_always_finds_what_does_not_change(stable, kind):
    other = worker(stable, kind)
    ends = time.monotonic() + 0.7
    found = []
    while time.monotonic() < ends:
        found.append(stable.found("stable"))
        found.append([str(row.path) for row in rows.entries(stable.catalog)][-1:])
    other.kill()
    with other:
        other.wait()
    assert [] == [each for each in found if each != STABLE]


@pytest.mark.parametrize(
    ("kind", "delay"),
    [("rebuild", 0.1), ("refresh", 0.06), ("refresh", 0.1), ("refresh", 0.14)],
)
def test_killed_process_leaves_a_catalog_that_can_be_brought_up_to_date(
    stable, kind, delay
):
    other = worker(stable, kind)
    time.sleep(delay)
    other.kill()
    with other:
        other.wait()
    stable.put("p/moving.md", "settled words")
    assert Outcome.LEFT_TO_ANOTHER != stable.refresh().outcome
    assert ["p/moving.md"] == stable.found("settled")
    assert STABLE == stable.found("stable")


def test_few_open_files_are_enough(stable):
    for number in range(400):
        stable.put(f"p/folder-{number}/memory.md", f"memory {number}")
    code = WORKER.split("print(", maxsplit=1)[0] + (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "with Catalog(Path(folder)) as catalog:\n"
        "    print(refresh(catalog, Tree(Path(root))).indexed)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, stable.root, stable.catalog.folder, "once"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert (b"400\n", b"") == (done.stdout, done.stderr)


def test_full_disk_is_said_and_leaves_the_old_catalog(stable):
    words = " ".join(f"{number * 7_919:x}" for number in range(60_000))
    stable.put("p/large.md", words)
    code = WORKER.split("print(", maxsplit=1)[0] + (
        "import resource\n"
        "from gitmem.errors import DiskFull\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "with Catalog(Path(folder)) as catalog:\n"
        "    try:\n"
        "        refresh(catalog, Tree(Path(root)))\n"
        "    except DiskFull as full:\n"
        "        print(full.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, stable.root, stable.catalog.folder, "once"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert (b"Free some space; no memory is lost.\n", b"") == (done.stdout, done.stderr)
    assert STABLE == stable.found("stable")
