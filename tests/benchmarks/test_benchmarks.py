"""Each benchmark runs, small, and finds what it compares."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# Read before a test takes the person's home and variables away.
PEERS = Path(os.environ.get("GITMEM_PEERS") or Path.home() / ".cache/gitmem-peers")


def run(name, *arguments, cwd, **variables):
    # What is not there already is not fetched: tests need no network.
    offline = {"npm_config_offline": "true", "GITMEM_PEERS": str(cwd), **variables}
    return subprocess.run(
        [sys.executable, BENCHMARKS / f"{name}.py", *arguments],
        cwd=cwd,
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "row"),
    [
        ("sync", ["--size", "20", "--runs", "1"], "Git ran 0 times"),
        ("hook", ["--size", "20", "--runs", "1"], "| a turn, with a daemon |"),
        ("turn", ["--size", "20", "--runs", "2"], "| weigh |"),
        ("mcp", ["--runs", "1"], "| spawn to tools/list |"),
        ("tape", ["--megabytes", "1", "--runs", "1"], "| a later one, nothing new |"),
        ("review", ["--sizes", "20", "--filters", "1"], "| key to screen, 200x50 |"),
        ("contention", ["--machines", "2", "--writes", "2"], "| git loop | 4 "),
    ],
    ids=["sync", "hook", "turn", "mcp", "tape", "review", "contention"],
)
def test_a_small_run_prints_its_table(name, arguments, row, tmp_path):
    done = run(name, *arguments, cwd=tmp_path)

    assert (done.stderr, done.returncode) == ("", 0)
    assert row in done.stdout


@pytest.fixture
def peers():
    """Say where the parts of peers are, which nothing brings during tests."""
    if not list(PEERS.glob("*/node_modules")):
        pytest.skip("benchmarks/peers.py has not brought its parts")
    return str(PEERS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "ours", "theirs"),
    [
        (
            "scan",
            ["--sizes", "20", "--runs", "1"],
            "| lost with 256 open files | 0 | 0 |",
            "| pi-memory-md's loop in Node |",
        ),
        ("search", ["--sizes", "20"], "| hangul | ripgrep |", "| all | Orama |"),
    ],
    ids=["scan", "search"],
)
def test_without_node_a_row_says_so(tmp_path, name, arguments, ours, theirs):
    path = only(tmp_path / "bin", "git")

    done = run(name, *arguments, cwd=tmp_path, PATH=str(path))

    assert (done.stderr, done.returncode) == ("", 0)
    assert ours in done.stdout
    assert f"{theirs} there is no node with npm |" in done.stdout


def only(folder, program):
    """Make a folder that holds one program, for PATH."""
    folder.mkdir()
    (folder / program).symlink_to(shutil.which(program))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "row"),
    [
        (
            "scan",
            ["--sizes", "300", "--runs", "1"],
            r"in Node, 256 open files \| \S+ \| \S+ \| [1-9]\d* \|",
        ),
        ("search", ["--sizes", "20"], r"\| chinese \| Orama \| .* \| 0% \|"),
    ],
    ids=["scan", "search"],
)
def test_what_others_wrote_is_run_beside(tmp_path, peers, name, arguments, row):
    done = run(name, *arguments, cwd=tmp_path, GITMEM_PEERS=peers)

    assert (done.stderr, done.returncode) == ("", 0)
    assert re.search(row, done.stdout)


def test_all_of_the_page_is_run_in_one_go(tmp_path):
    page = (BENCHMARKS.parent / "docs" / "benchmarks.md").read_text("utf-8")
    named = set(re.findall(r"^\./dev bench (\w+)", page, re.MULTILINE))

    done = run("all", "--only", "retrieval", cwd=tmp_path)

    assert "retrieval is left out: it needs --data" in done.stdout
    assert {
        each for each in named if not (BENCHMARKS / f"{each}.py").is_file()
    } == set()
    assert done.returncode == 0


def test_all_says_which_benchmark_there_is_not(tmp_path):
    done = run("all", "--only", "nothing", cwd=tmp_path)

    assert done.returncode == 2
    assert "has no benchmark 'nothing'" in done.stderr


def test_the_corpus_is_the_same_for_the_same_seed(tmp_path):
    said = [run("corpus", name, "--count", "30", cwd=tmp_path) for name in ("a", "b")]
    one, other = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in found}
        for name, found in (
            (name, (tmp_path / name).rglob("*.md")) for name in ("a", "b")
        )
    )

    assert said[0].stdout.startswith("30 memories")
    assert len(one) == 30
    assert one == other


def test_retrieval_says_that_it_needs_its_data(tmp_path):
    done = run("retrieval", "--data", str(tmp_path), cwd=tmp_path)

    assert done.returncode == 1
    assert "does not hold the data sets" in done.stderr
