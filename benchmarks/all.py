"""Print the tables of docs/benchmarks.md: each command that stands there, in order.

The largest take hours on a busy machine; `--only` takes some of them.
"""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
# Stands on the page for the folder with the data sets, which are not part of gitmem.
DATA = "DIR"


def commands(page: str) -> list[list[str]]:
    """List the benchmarks of a page, each with its arguments."""
    found = re.findall(r"^\./dev bench (?!all\b)(.+)$", page, re.MULTILINE)
    return [shlex.split(line) for line in found]


def main() -> int:
    """Run them; fail where one of them did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="the folder with the data sets of `retrieval`")
    parser.add_argument("--only", action="append", metavar="NAME", default=[])
    options = parser.parse_args()
    known = commands(PAGE.read_text(encoding="utf-8"))
    unknown = sorted(set(options.only) - {name for name, *_ in known})
    if unknown:
        parser.error(f"{PAGE.name} has no benchmark {unknown[0]!r}")
    wanted = [each for each in known if not options.only or each[0] in options.only]
    return max(run(command, options.data) for command in wanted)


def run(command: Sequence[str], data: str | None) -> int:
    """Run one benchmark under its command."""
    name, *arguments = command
    if DATA in arguments and data is None:
        say(f"{name} is left out: it needs --data, see its --help")
        return 0
    given = [data if each == DATA and data else each for each in arguments]
    say(f"./dev bench {shlex.join([name, *given])}")
    script = HERE / f"{name}.py"
    return subprocess.call([sys.executable, str(script), *given])


def say(text: str) -> None:
    """Print a line apart from the tables, at once."""
    sys.stdout.write(f"\n## {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
