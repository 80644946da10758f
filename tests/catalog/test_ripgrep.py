"""A pattern searches the memory as it is on disk, and can do nothing else."""

import contextlib
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.catalog import ripgrep
from gitmem.catalog.ripgrep import Grepped, Kind, Line, grep
from gitmem.errors import DeadlineExceeded, PathRefused, SearchRefused, ToolMissing


@pytest.fixture
def tree(house):
    house.put("p/a.md", "one\nDeploy here\n")
    house.put("q/b.md", "deploy there\n")
    return house.root


def places(found: Grepped) -> list[tuple[str, int]]:
    return [(str(line.path), line.number) for line in found.lines]


def test_line_is_found_with_its_number(tree):
    expected = Grepped((Line(PurePosixPath("q/b.md"), 1, "deploy there"),))
    assert expected == grep(tree, r"dep\w+ there$")


@pytest.mark.parametrize(
    ("pattern", "kind", "expected"),
    [
        pytest.param("deploy", Kind.RG, [("p/a.md", 2), ("q/b.md", 1)], id="small"),
        pytest.param("Deploy", Kind.RG, [("p/a.md", 2)], id="capital"),
        pytest.param("deploy", Kind.GREP, [("q/b.md", 1)], id="grep is exact"),
        pytest.param("nothing", Kind.RG, [], id="nothing"),
    ],
)
def test_small_letters_match_both_only_with_rg(tree, pattern, kind, expected):
    assert expected == places(grep(tree, pattern, kind=kind))


def test_only_the_layers_named_are_searched(tree):
    assert [("q/b.md", 1)] == places(grep(tree, "deploy", layers=("q", "none")))


def test_layer_that_leads_outside_is_refused(tree):
    with pytest.raises(PathRefused):
        grep(tree, "deploy", layers=("../p",))


def test_bad_pattern_gives_ripgreps_own_words(tree):
    with pytest.raises(SearchRefused, match="unclosed group"):
        grep(tree, "(")


@pytest.mark.parametrize("pattern", ["", "x" * 2000, "a\0b", "\ud800"])
def test_pattern_that_cannot_be_given_is_refused(tree, pattern):
    with pytest.raises(SearchRefused):
        grep(tree, pattern)


@pytest.mark.parametrize("kind", list(Kind))
def test_pattern_that_looks_like_an_option_runs_nothing(tree, tmp_path, kind):
    marker = tmp_path / "marker"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    script.chmod(0o700)
    assert () == grep(tree, f"--pre={script}", kind=kind).lines
    assert not marker.exists()


def test_configuration_file_of_ripgrep_is_not_read(tree, tmp_path, monkeypatch):
    config = tmp_path / "ripgreprc"
    config.write_text("--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(config))
    assert [("q/b.md", 1)] == places(grep(tree, "there"))


def test_links_hidden_files_and_other_files_are_left_out(house, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.md").write_text("needle")
    for path in ("p/.hidden.md", "p/.git/x.md", ".git/x.md", "tape/x.md", "p/x.txt"):
        house.put(path, "needle")
    (house.root / "p/link.md").symlink_to(tmp_path / "outside/x.md")
    (house.root / "p/folder").symlink_to(tmp_path / "outside")
    (house.root / "layer").symlink_to(tmp_path / "outside")
    assert Grepped(()) == grep(house.root, "needle", layers=("p", "layer"))
    assert Grepped(()) == grep(house.root, "needle")


def test_file_written_a_moment_ago_is_found(tree):
    (tree / "p/late.md").write_text("late words")
    assert [("p/late.md", 1)] == places(grep(tree, "late"))


def test_more_lines_than_the_limit_are_cut(tree):
    found = grep(tree, "e", limit=1)
    assert (1, True) == (len(found.lines), found.is_cut)


def test_long_line_is_shortened(house):
    house.put("p/a.md", "needle " + "x" * 10_000)
    assert 500 == len(grep(house.root, "needle").lines[0].text)


def test_output_is_limited(house, monkeypatch):
    house.put("p/a.md", "needle\n" * 100)
    monkeypatch.setattr(ripgrep, "OUTPUT_LIMIT_BYTES", 1_000)
    found = grep(house.root, "needle")
    assert found.is_cut
    assert len(found.lines) < 10


def test_search_that_takes_too_long_is_stopped(tree, tmp_path, monkeypatch):
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o700)
    monkeypatch.setattr(ripgrep, "program", lambda: slow)
    with pytest.raises(DeadlineExceeded, match="took longer"):
        grep(tree, "deploy", timeout_seconds=0.1)


def test_missing_program_is_named(tree, monkeypatch):
    monkeypatch.setattr(ripgrep, "which", lambda *_, **__: None)
    with pytest.raises(ToolMissing, match="ripgrep is not installed"):
        grep(tree, "deploy")


def test_empty_repository_has_no_lines(house):
    assert Grepped(()) == grep(house.root, "x")


@settings(max_examples=15)
@given(st.text(max_size=30))
def test_any_pattern_finds_lines_or_is_refused(tmp_path_factory, pattern):
    root = tmp_path_factory.getbasetemp() / "any-pattern"
    (root / "p").mkdir(parents=True, exist_ok=True)
    (root / "p/a.md").write_text("some text\n")
    with contextlib.suppress(SearchRefused):
        assert isinstance(grep(root, pattern), Grepped)


def test_line_with_a_nul_is_found_and_the_rest_of_its_file_too(house):
    house.put("p/nul.md", b"zzone\0\nzztwo\n")

    assert [line.number for line in grep(house.root, "zz").lines] == [1, 2]


def test_credential_in_a_line_is_masked_before_the_line_is_cut(house):
    token = "ghp_" + "aB3dE6gH9j" * 3 + "aB3dE6"
    house.put("p/s.md", f"zz {'x ' * 240}{token}\n")

    (line,) = grep(house.root, "zz").lines
    assert line.text.endswith("x ghp_***")
