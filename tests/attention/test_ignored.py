"""Some paths are never told, others were listed by the person."""

from pathlib import PurePosixPath

import pytest

from gitmem.attention.ignored import is_ignored, is_listed, places


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("src/app.py", False),
        ("build.py", False),
        ("src/build", False),
        ("build/app.py", True),
        ("web/node_modules/x/index.js", True),
        (".github/workflows/ci.yml", True),
        ("src/.env", True),
        ("package-lock.json", True),
        ("web/uv.lock", True),
    ],
)
def test_what_programs_make_and_what_is_hidden_is_ignored(path, ignored):
    assert is_ignored(PurePosixPath(path)) == ignored


def test_a_relative_name_is_meant_below_each_base_an_absolute_one_is_itself():
    assert places(["docs/", "/etc", "~/notes"], ["/p", "/m"], "/home/sam") == (
        "/p/docs",
        "/m/docs",
        "/etc",
        "/home/sam/notes",
    )


@pytest.mark.parametrize(
    ("path", "listed"),
    [("/p/docs", True), ("/p/docs/a/b.md", True), ("/p/docs2", False), ("/p", False)],
)
def test_a_listed_folder_holds_all_that_is_below_it(path, listed):
    assert is_listed(path, ["/p/docs"]) == listed
