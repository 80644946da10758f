"""Compare how long commands take to answer with starting Python at all.

A row is the median over its runs; the runs of a command and of bare Python alternate,
so that both see the same machine.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table import show

COMMANDS = (
    ("path",),
    ("path", "--layer", "project"),
    ("sync", "pull"),
    ("search", "deploy"),
    ("context",),
    ("--help",),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="runs of each command")
    runs = parser.parse_args().runs
    program = Path(sys.executable).with_name("gitmem")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GITMEM_HOME": str(Path(folder, "gitmem"))}
        remote = Path(folder, "remote.git")
        call(["git", "init", "--quiet", "--bare", str(remote)], folder, environment)
        call([str(program), "init", str(remote)], folder, environment)
        table = [
            row(" ".join(command), [str(program), *command], runs, folder, environment)
            for command in COMMANDS
        ]
    show("Commands", ("gitmem …", "ms", "python -c pass, ms", "ratio"), table)


def row(
    name: str, command: list[str], runs: int, cwd: str, environment: dict[str, str]
) -> tuple[str, float, float, float]:
    """Time one command beside bare Python."""
    call(command, cwd, environment)
    ours, bare = [], []
    for _ in range(runs):
        bare.append(call([sys.executable, "-c", "pass"], cwd, environment))
        ours.append(call(command, cwd, environment))
    one, other = statistics.median(ours) * 1e3, statistics.median(bare) * 1e3
    return name, one, other, one / other


def call(command: list[str], cwd: str, environment: dict[str, str]) -> float:
    """Run a command to its end and say how long it took, in seconds."""
    begun = time.perf_counter()
    subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=True)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
