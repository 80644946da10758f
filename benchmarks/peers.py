#!/usr/bin/env python3
"""Run what others wrote beside gitmem, in Node: it is brought once, into a cache.

Versions and the hashes of all parts are pinned in `peers/`. Whatever npm is configured
to ask is asked; where there is no Node, or it cannot ask, a row says so.
"""

import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PARTS = Path(__file__).with_name("peers")
CACHE = Path(os.environ.get("GITMEM_PEERS") or Path.home() / ".cache" / "gitmem-peers")
QUIET = (
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--fetch-retries=1",  # or it would ask for minutes where there is no network
)


class AbsentError(Exception):
    """A peer cannot be run here, for the reason that is said."""


@dataclass(frozen=True)
class Scanned:
    """How long a scan took, and how many memories it read."""

    seconds: float
    read: int


@dataclass(frozen=True)
class Searched:
    """How long an index took to build, and of each query the seconds and the hits."""

    built: float
    seconds: list[float]
    hits: list[int]


def scan(root: Path, open_files: int | None = None) -> Scanned:
    """Read a memory as pi-memory-md does, where so many files may be open."""
    said = _node("scan.mjs", str(root), open_files=open_files)
    return Scanned(said["milliseconds"] / 1000, said["read"])


def orama(root: Path, queries: Sequence[str]) -> Searched:
    """Index a memory with Orama, and ask it."""
    said = _node("orama.mjs", stdin={"root": str(root), "queries": list(queries)})
    answers = said["answers"]
    return Searched(
        said["built"] / 1000,
        [each["milliseconds"] / 1000 for each in answers],
        [each["hits"] for each in answers],
    )


def main() -> int:
    """Bring the parts, and say where they are."""
    try:
        folder = installed()
    except AbsentError as error:
        sys.stderr.write(f"peers: {error}\n")
        return 1
    sys.stdout.write(f"{folder}\n")
    return 0


def _node(
    script: str, *arguments: str, stdin: object = None, open_files: int | None = None
) -> dict[str, Any]:
    def limit() -> None:
        if open_files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))

    done = subprocess.run(
        ["node", str(installed() / script), *arguments],
        check=False,
        capture_output=True,
        input=json.dumps(stdin).encode(),
        preexec_fn=limit,
    )
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise AbsentError(f"node failed: {' '.join(last) or done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def place() -> Path:
    """Name the folder of the parts: another one as soon as one of them changes."""
    parts = sorted(PARTS.iterdir())
    seen = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()
    return CACHE / seen[:12]


def installed() -> Path:
    """Install beside where it belongs, and move it there when it is complete."""
    folder = place()
    if folder.exists():
        return folder
    if not (shutil.which("node") and shutil.which("npm")):
        raise AbsentError("there is no node with npm")
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        made = Path(scratch, "made")
        shutil.copytree(PARTS, made)
        done = subprocess.run(
            ["npm", "ci", *QUIET],
            check=False,
            cwd=made,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        if done.returncode:
            sys.stderr.buffer.write(done.stderr)
            raise AbsentError("npm could not bring its parts")
        made.rename(folder)
    return folder


if __name__ == "__main__":
    sys.exit(main())
