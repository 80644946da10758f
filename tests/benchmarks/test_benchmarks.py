"""Each benchmark runs, small, and finds what it compares."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def run(name, *arguments, cwd):
    return subprocess.run(
        [sys.executable, BENCHMARKS / f"{name}.py", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "row"),
    [
        ("scan", ["--sizes", "20", "--runs", "1"], "cold build"),
        ("search", ["--sizes", "20"], "| hangul | ripgrep"),
        ("sync", ["--size", "20", "--runs", "1"], "Git ran 0 times"),
        ("hook", ["--size", "20", "--runs", "1"], "| a turn, with a daemon |"),
        ("mcp", ["--runs", "1"], "| spawn to tools/list |"),
        ("contention", ["--machines", "2", "--writes", "2"], "| git loop | 4 "),
    ],
    ids=["scan", "search", "sync", "hook", "mcp", "contention"],
)
def test_a_small_run_prints_its_table(name, arguments, row, tmp_path):
    done = run(name, *arguments, cwd=tmp_path)

    assert (done.stderr, done.returncode) == ("", 0)
    assert row in done.stdout


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
