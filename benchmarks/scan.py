"""Compare building and refreshing the catalog with what it cannot do without.

Every figure of a row is of one run on one machine; the ratios are what counts.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import corpus
from table import median, seconds, show

from gitmem.catalog import entry, rows
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import rebuild, refresh
from gitmem.catalog.text import TextIndex
from gitmem.files.tree import Tree
from gitmem.repo.repository import Repository


def read_all(root: Path) -> list[bytes]:
    """Walk and read: the floor of every scan."""
    return [file.read_bytes() for file in root.rglob("*.md")]


def frontmatter_loop(root: Path) -> None:
    """Read as a plain script would, with python-frontmatter."""
    import frontmatter

    for file in root.rglob("*.md"):
        frontmatter.load(str(file))


def engine_alone(folder: Path, made: list[tuple[str, entry.Entry]]) -> None:
    """Index texts that are in memory already, and do nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    with TextIndex(folder, create=True).writing(is_build=True) as writer:
        for path, each in made:
            writer.add(path, "layer", each.fields)
        writer.commit(1)


def git(root: Path, *arguments: str) -> None:
    """Run git with an identity of its own."""
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    subprocess.run(
        ["git", *who, *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL
    )


def edit(root: Path, count: int, mark: int) -> None:
    """Change a few files."""
    for file in sorted(root.rglob("*.md"))[:count]:
        file.write_text(f"edit {mark}\n", encoding="utf-8")


def measure(count: int, runs: int, folder: Path) -> None:
    """Print one table for one size."""
    root = folder / "memory"
    corpus.write(root, count)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=corpus")
    made = [
        (str(file.relative_to(root)), entry.make("p/a.md", file.read_bytes()))
        for file in sorted(root.rglob("*.md"))
    ]
    found = {
        "walk and read": median(lambda: read_all(root), runs),
        "python-frontmatter's loop": median(lambda: frontmatter_loop(root), runs),
        "full text alone": seconds(lambda: engine_alone(folder / "text", made)),
    }
    made.clear()
    with Catalog(folder / "catalog") as catalog:
        found |= ours(catalog, root, runs)
        lost = count - rows.count(catalog)
    floor = found["walk and read"]
    lines = [(name, 1000 * time, time / floor) for name, time in found.items()]
    show(f"{count} memories, {lost} lost", ("what", "ms", "x floor"), lines)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(f"\npeak memory of the whole run: {peak} MB\n")


def ours(catalog: Catalog, root: Path, runs: int) -> dict[str, float]:
    """Build once, then refresh without changes and with ten."""
    tree, repository = Tree(root), Repository(root)

    def again() -> object:
        return refresh(catalog, tree, repository=repository)

    found = {
        "cold build": seconds(lambda: rebuild(catalog, tree, repository=repository))
    }
    again()
    found["git status"] = median(
        lambda: git(root, "status", "--porcelain=v2", "-uall"), runs
    )
    found["refresh, 0 changes"] = median(again, runs)
    times = []
    for run in range(runs):
        edit(root, 10, run)
        times.append(seconds(again))
    found["refresh, 10 changes"] = sorted(times)[runs // 2]
    return found


def main() -> None:
    """Measure each size asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    for count in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            measure(count, options.runs, Path(folder))


if __name__ == "__main__":
    main()
