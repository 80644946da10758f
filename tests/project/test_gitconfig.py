import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.project.gitconfig import GitConfig, parse


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        pytest.param('[remote "origin"]\n\turl = git@h:o/n\n', "git@h:o/n", id="plain"),
        pytest.param('[REMOTE "origin"]\nURL=x', "x", id="case of section and key"),
        pytest.param('[remote "Origin"]\nurl=x', None, id="case of the subsection"),
        pytest.param("[remote.origin]\nurl=x", "x", id="old dotted header"),
        pytest.param('[remote "origin"] url = x', "x", id="on the header's line"),
        pytest.param('[remote "origin"]\nurl = "a b" # c', "a b", id="quotes, comment"),
        pytest.param(
            '[remote "origin"]\nurl = a b  ;c', "a b", id="blanks inside stay"
        ),
        pytest.param(
            '[remote "origin"]\nurl = "  a "', "  a ", id="quoted blanks stay"
        ),
        pytest.param('[remote "origin"]\nurl = a\\\nb', "ab", id="continued line"),
        pytest.param('[remote "origin"]\nurl = \\\n  b', "b", id="continued at once"),
        pytest.param('[remote "origin"]\nurl = "a#b"', "a#b", id="quoted comment sign"),
        pytest.param('[remote "origin"]\nurl = a\\\\b\\"', 'a\\b"', id="escapes"),
        pytest.param('\ufeff[remote "origin"]\r\nurl = x\r\n', "x", id="BOM and CRLF"),
        pytest.param('[remote "or\\igin"]\nurl=x', "x", id="escape in the subsection"),
        pytest.param('[remote "origin"]\nurl=x\nurl=y', "x", id="the first is fetched"),
        pytest.param('[remote "origin"]\nurl=x\nurl=\nurl=z', "z", id="empty clears"),
        pytest.param('[remote "origin"]\nurl', "true", id="no value"),
        pytest.param('[remote "origin"]\n!!\nurl=x', "x", id="malformed line"),
        pytest.param('[remote "origin\nurl=x', None, id="unclosed header"),
        pytest.param("url=x", None, id="no section"),
        pytest.param('[remote "up"]\nurl=x', None, id="another remote"),
        pytest.param("[include]\npath=/tmp/x", None, id="include is not followed"),
        pytest.param('[url "x"]\ninsteadOf=y', None, id="insteadOf is not applied"),
        pytest.param("", None, id="empty"),
    ],
)
def test_origin_is_read_from(text, origin):
    assert GitConfig(origin=origin) == parse(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[core]\nbare = true", GitConfig(is_bare=True), id="bare"),
        pytest.param("[core]\nbare", GitConfig(is_bare=True), id="bare without value"),
        pytest.param("[core]\nbare = no", GitConfig(), id="not bare"),
        pytest.param("[core]\nworktree=../w", GitConfig(work_tree="../w"), id="folder"),
        pytest.param('[core "x"]\nbare = true', GitConfig(), id="another subsection"),
    ],
)
def test_core_values_are_read_from(text, expected):
    assert expected == parse(text)


@given(st.text(alphabet='[]"\\=#;\n \tremotigncu.lx', max_size=60))
def test_any_text_is_read_without_an_error(text):
    assert isinstance(parse(text), GitConfig)


@pytest.mark.parametrize(
    "value", ["git@h:o/n", "a b", " lead", 'q"uote', "back\\slash", "#x;y", "t\tb", "é"]
)
def test_what_git_writes_is_read_back(git, tmp_path: Path, value: str):
    config = tmp_path / "config"
    git("config", "--file", config, "remote.origin.url", value, cwd=tmp_path)
    assert value == parse(config.read_text("utf-8")).origin


def test_a_megabyte_of_repeated_urls_is_read_in_linear_time():
    text = '[remote "origin"]\n' + "url=x\n" * 160_000
    assert parse(text).origin == "x"


def test_the_parser_agrees_with_git_on_a_crowded_file(git, tmp_path: Path):
    config = tmp_path / "config"
    config.write_text(
        '# c\n[core] bare = false ; c\n[remote "a"]url=1\n[remote "origin"]\n'
        'fetch = +x:y\nurl = "https://h/o" /n \\\n  .git # tail\n[remote "z"]\nurl=2\n'
    )
    told = subprocess.run(
        ["git", "config", "--file", str(config), "remote.origin.url"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.removesuffix("\n")
    assert told == parse(config.read_text()).origin
