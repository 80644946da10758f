"""ripgrep's own ignore rules say which files are visible."""

from pathlib import PurePosixPath

import pytest

from gitmem.catalog.visible import visible

FILES = {
    ".gitignore": "build/\n*.log\n!keep.log\n",
    "build/made.py": "",
    "src/app.py": "",
    "src/app.log": "",
    "src/keep.log": "",
    "docs/.ignore": "draft.md\n",
    "docs/draft.md": "",
    "docs/a b [1] #!{x}.md": "",
    "docs/deep/er/er.md": "",
    "other/never-asked-for.md": "",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def shown(project, *names):
    return {str(path) for path in visible(project, map(PurePosixPath, names))}


def test_what_no_rule_hides_is_visible(project):
    assert shown(project, *FILES) == {
        "src/app.py",
        "src/keep.log",
        "docs/a b [1] #!{x}.md",
        "docs/deep/er/er.md",
        "other/never-asked-for.md",
        ".gitignore",
        "docs/.ignore",
    }


def test_only_what_is_asked_for_is_given(project):
    assert shown(project, "src/app.py", "gone.py") == {"src/app.py"}
    assert shown(project) == set()
    assert shown(project, "a\nb") == set()
