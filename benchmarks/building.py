"""Build a catalog in a process of its own, and say what that took.

Nothing else is in its memory, and it may open no more files than it is told.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from gitmem.catalog import (
    rows,
    text,  # noqa: F401  its import is not part of a build
)
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import rebuild
from gitmem.files.tree import Tree
from gitmem.repo.repository import Repository


@dataclass(frozen=True)
class Built:
    """What a build took, and how many memories it holds.

    `work` is the time of processors, in which other work on the machine counts less.
    """

    seconds: float
    work: float
    peak_mb: int
    memories: int


def build(root: Path, folder: Path, open_files: int) -> Built:
    """Build the catalog of a memory in a folder, in another process."""
    command = [sys.executable, __file__, str(root), str(folder), str(open_files)]
    said = subprocess.run(command, check=True, capture_output=True).stdout
    return Built(**json.loads(said))


def main() -> None:
    """Build, and print one line of JSON."""
    import tantivy  # noqa: F401  its import is not part of a build

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("open_files", type=int)
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (asked.open_files, asked.open_files))
    with Catalog(asked.folder) as catalog:
        start, work = time.perf_counter(), time.process_time()
        rebuild(catalog, Tree(asked.root), repository=Repository(asked.root))
        seconds, work = time.perf_counter() - start, time.process_time() - work
        memories = rows.count(catalog)
    said = Built(seconds, work, peak_mb(), memories)
    sys.stdout.write(json.dumps(asdict(said)))


def peak_mb() -> int:
    """Say how much memory this program held at most."""
    # What getrusage says begins with the memory of whoever started the program.
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text("ascii"))
        return int(found[1]) // 1024 if found else 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
