"""Compare building and refreshing the catalog with what it cannot do without.

Every figure of a row is of one run on one machine; the ratios are what counts.
"""

import gc
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from statistics import median as median_of

import corpus
import peers
from building import Built, build
from table import median, seconds, show

from gitmem.catalog import entry
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import refresh
from gitmem.catalog.search import SearchRequest, search
from gitmem.catalog.text import TextIndex
from gitmem.files.tree import Tree
from gitmem.repo.repository import Repository

TODAY = date(2026, 3, 2)
FEW = 256
SHARE = 0.35
READ = "walk and read"
LOOP = "python-frontmatter's loop"
TEXT = "full text alone"
BUILD = "cold build"
STATUS = "git status"
SAME = "refresh, 0 changes"
TEN = "refresh, 10 changes"
FINDABLE = "an edit that was seen is found"
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
    """Index texts that are in memory already, as a build does, and do nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    with TextIndex(folder, create=True).writing(is_build=True) as writer:
        for path, each in made:
            writer.add(path, "layer", each.fields)
        writer.commit(1)


def git(root: Path, *arguments: str) -> None:
    """Run git with an identity of its own."""
    # What tidies up behind a commit would work beside what is measured.
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    who += ["-c", "gc.auto=0", "-c", "maintenance.auto=false"]
    subprocess.run(
        ["git", *who, *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL
    )


def edit(root: Path, count: int, mark: int) -> None:
    """Change a few files."""
    for file in sorted(root.rglob("*.md"))[:count]:
        file.write_text(f"edit {mark}\n", encoding="utf-8")


def measure(count: int, runs: int, root: Path, folder: Path) -> None:
    """Print two tables for one size: what was measured, and what must hold."""
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=corpus")
    sides = by_turns(root, folder, runs)
    found = sides.seconds | refreshed(root, folder / "catalog", runs)
    lost = count - min(each.memories for each in sides.builds)
    lines: list[tuple[object, ...]] = [
        (name, 1000 * time, time / found[READ], lost if name == BUILD else "")
        for name, time in found.items()
    ]
    lines += in_node(root, count, found[READ])
    show(f"{count} memories", ("what", "ms", "x floor", "lost"), lines)
    show(
        f"{count} memories, what must hold",
        ("what", "is", "must"),
        [*targets(sides), *held(found, sides.builds, lost)],
    )


@dataclass(frozen=True)
class Sides:
    """How long each side took, on the clock and of processors, and the builds."""

    seconds: dict[str, float]
    work: dict[str, float]
    builds: list[Built]


def targets(sides: Sides) -> Iterator[tuple[object, ...]]:
    """Compare a cold build with what it consists of."""
    ratio, of_work = (
        time[BUILD] / (SHARE * time[LOOP] + time[TEXT])
        for time in (sides.seconds, sides.work)
    )
    yield f"{BUILD} / ({SHARE} x {LOOP} + {TEXT})", ratio, "at most 1"
    yield "the same of the time of processors", of_work, ""


def held(
    found: Mapping[str, float], builds: Sequence[Built], lost: int
) -> Iterator[tuple[object, ...]]:
    """Compare what was measured in this run with what is to be shown."""
    yield f"{SAME} / {STATUS}", found[SAME] / found[STATUS], "at most 1.5"
    yield f"lost with {FEW} open files", lost, "0"
    peak = max(each.peak_mb for each in builds)
    yield f"peak memory of a {BUILD}, MB", peak, "at most 400"
    yield FINDABLE, 1000 * found[FINDABLE], "at most 100 ms"


def by_turns(root: Path, folder: Path, runs: int) -> Sides:
    """Build the catalog by turns with what it consists of."""
    made = [
        (str(file.relative_to(root)), entry.make("p/a.md", file.read_bytes()))
        for file in sorted(root.rglob("*.md"))
    ]
    # So many objects would be looked through again and again while others are made.
    gc.freeze()
    took: dict[str, list[tuple[float, float]]] = {}
    builds = []
    for _ in range(runs):
        for name, action in (
            (READ, lambda: read_all(root)),
            (LOOP, lambda: frontmatter_loop(root)),
            (TEXT, lambda: engine_alone(folder / "text", made)),
        ):
            work = time.process_time()
            passed = seconds(action)
            took.setdefault(name, []).append((passed, time.process_time() - work))
        builds.append(build(root, folder / "catalog", FEW))
    gc.unfreeze()
    took[BUILD] = [(each.seconds, each.work) for each in builds]
    seconds_, work_ = (
        {name: median_of(pair[side] for pair in pairs) for name, pairs in took.items()}
        for side in (0, 1)
    )
    return Sides(seconds_, work_, builds)


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


def refreshed(root: Path, folder: Path, runs: int) -> dict[str, float]:
    """Refresh without changes and with ten, and find an edit that was seen."""
    tree, repository = Tree(root), Repository(root)
    with Catalog(folder) as catalog:

        def again(*changed: PurePosixPath) -> object:
            return refresh(
                catalog, tree, repository=repository, changed=changed or None
            )

        def find(number: int) -> float:
            word, file = f"qqword{number}", max(root.rglob("*.md"))
            file.write_text(f"{word}\n", encoding="utf-8")
            start = time.perf_counter()
            again(PurePosixPath(file.relative_to(root)))
            if not search(catalog, SearchRequest(word, today=TODAY), tree).hits:
                sys.exit("the edit is not found")
            return time.perf_counter() - start

        again()
        status = median(lambda: git(root, "status", "--porcelain=v2", "-uall"), runs)
        found = {STATUS: status, SAME: median(again, runs)}
        found[FINDABLE] = median_of(find(run) for run in range(runs))
        times = []
        for run in range(runs):
            edit(root, 10, run)
            times.append(seconds(again))
    return {**found, TEN: median_of(times)}


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
