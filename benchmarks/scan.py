"""Compare building and refreshing the catalog with what it cannot do without.

Every figure of a row is of one run on one machine; the ratios are what counts.
"""

import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import corpus
import peers
from table import median, seconds, show

from gitmem.catalog import entry, rows
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import rebuild, refresh
from gitmem.catalog.text import TextIndex
from gitmem.files.tree import Tree
from gitmem.repo.repository import Repository

FEW = 256
IN_NODE = "pi-memory-md's loop in Node"


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


def measure(count: int, runs: int, root: Path, folder: Path) -> None:
    """Print one table for one size."""
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
        lost = {"cold build": count - rows.count(catalog)}
    floor = found["walk and read"]
    lines = [
        (name, 1000 * time, time / floor, lost.get(name, ""))
        for name, time in found.items()
    ]
    lines += in_node(root, count, floor)
    show(f"{count} memories", ("what", "ms", "x floor", "lost"), lines)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(f"\npeak memory of the whole run: {peak} MB\n")


def in_node(root: Path, count: int, floor: float) -> Iterator[tuple[object, ...]]:
    """Read as pi-memory-md does, with as many open files as here, and with few."""
    for name, open_files in ((IN_NODE, None), (f"{IN_NODE}, {FEW} open files", FEW)):
        try:
            found = peers.scan(root, open_files)
        except peers.AbsentError as error:
            yield name, str(error), "", ""
            continue
        time = found.seconds
        yield name, 1000 * time, time / floor, count - found.read


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
    parser = corpus.options(__doc__)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    for count in options.sizes:
        with corpus.at(options.corpora, count) as (root, folder):
            # It is made a repository, and edited.
            own = shutil.copytree(root, folder / "memory")
            measure(count, options.runs, own, folder)


if __name__ == "__main__":
    main()
