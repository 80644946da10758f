"""Progress is drawn from Git's own lines and from counts."""

import pytest

from gitmem.cli import progress


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "Receiving objects:  50% (5/10), 1.2 MiB",
            "Receiving objects [###############...............] 50%",
        ),
        (
            "remote: Counting objects: 100% (3/3), done.",
            "Counting objects [##############################] 100%",
        ),
        ("remote: Enumerating objects: 3, done.", ""),
        ("remote: \x1b[31mhello", ""),
    ],
    ids=["receiving", "remote", "no-percentage", "a-stranger's-words"],
)
def test_a_line_of_git_becomes_a_bar(line, expected):
    assert progress.step(line) == expected


def test_nobody_watches_where_there_is_no_terminal(gitmem):
    assert progress.watch().git is None


def test_progress_is_drawn_on_a_terminal_and_wiped(gitmem, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    watch = progress.watch()
    assert watch.git is not None
    assert watch.indexing is not None

    watch.git(b"Receiving objects:  50% (1/2)\rReceiving objects: 100% (2/2)\n")
    watch.indexing(50, 400)
    watch.indexing(51, 400)
    watch.indexing(400, 400)
    watch.indexing(3, 3)

    drawn = capsys.readouterr().err.split("\r\x1b[K")
    assert [each[:9] for each in drawn] == ["", "Receiving", "", "Indexing ", ""]


def test_transcripts_are_drawn_only_where_there_are_many(gitmem, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    watch = progress.watch()
    assert watch.reading is not None

    watch.reading(1_000, 2_000)
    few = capsys.readouterr().err
    watch.reading(50_000_000, 200_000_000)
    watch.reading(200_000_000, 200_000_000)

    assert few == ""
    assert (
        "Reading transcripts [#######......................." in capsys.readouterr().err
    )


def test_an_import_is_counted_then_drawn_and_wiped(gitmem, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    watch = progress.watch()
    assert watch.importing is not None

    watch.importing(50, 0)
    watch.importing(51, 0)
    watch.importing(100, 200)
    watch.importing(200, 200)

    assert capsys.readouterr().err.split("\r\x1b[K") == [
        "",
        "Looking at 50",
        "Importing [###############...............] 50%",
        "",
    ]
