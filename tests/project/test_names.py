import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.files.names import confine, refusal
from gitmem.project.names import LIMIT_BYTES, layer_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("beacon", "beacon", id="plain"),
        pytest.param("My Project", "My Project", id="blank inside"),
        pytest.param("日本語", "日本語", id="japanese"),
        pytest.param("cafe\u0301", "caf\u00e9", id="composed"),
        pytest.param("نامه\u200cها", "نامه\u200cها", id="joiner inside"),
        pytest.param("a/b\\c", "a-b-c", id="separators"),
        pytest.param("a:b*c?<d>|e", "a-b-c-d-e", id="what Windows refuses"),
        pytest.param("$(x)`y`", "(x)-y", id="what a shell would run"),
        pytest.param("a\nb\x1b[31m", "a-b-[31m", id="controls"),
        pytest.param("a\u202eb", "a-b", id="bidirectional override"),
        pytest.param("..hidden", "hidden", id="leading dots"),
        pytest.param("--upload-pack", "upload-pack", id="leading dashes"),
        pytest.param("~root", "root", id="leading tilde"),
        pytest.param("end. ", "end", id="trailing dot and blank"),
        pytest.param(".git", "git", id="git's own folder"),
        pytest.param("git~1", "project-git~1", id="short name of git's folder"),
        pytest.param("global", "project-global", id="shared layer"),
        pytest.param("GLOBAL", "project-GLOBAL", id="shared layer in capitals"),
        pytest.param("tape", "project-tape", id="tape"),
        pytest.param("con", "project-con", id="device"),
        pytest.param("COM1.txt", "project-COM1.txt", id="device with a suffix"),
        pytest.param("", "unnamed", id="empty"),
        pytest.param("...", "unnamed", id="only dots"),
        pytest.param("/", "unnamed", id="only a separator"),
    ],
)
def test_a_layer_is_named_after(text, name):
    assert name == layer_name(text)


def test_the_configured_shared_layer_is_reserved_too():
    assert layer_name("Team", reserved=["team"]) == "project-Team"


def test_two_long_names_stay_apart():
    one, other = layer_name("x" * 300 + "1"), layer_name("x" * 300 + "2")
    assert one != other
    assert (len(one.encode()), len(other.encode())) == (LIMIT_BYTES, LIMIT_BYTES)


@given(st.text(max_size=150))
def test_any_text_becomes_a_name_that_every_file_system_holds(text):
    name = layer_name(text)
    assert refusal(name) == ""
    assert (name,) == confine(name).parts
    assert name[0] not in ".-~"
    assert len(name.encode()) <= LIMIT_BYTES
    assert name == unicodedata.normalize("NFC", name)
    assert name == layer_name(name)
