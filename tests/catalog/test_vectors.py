"""Models in a folder, and how much alike two texts are."""

import importlib.util
import os

import pytest

from gitmem.catalog import vectors
from gitmem.errors import SettingsError, ToolMissing

PLANE = "car 1 0\nauto 0.9 0.1\ntree 0 1\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "vectors.txt").write_text(PLANE)
    return tmp_path


@pytest.mark.parametrize("text", ["car", "CAR, car; car!", "the car of Ann"])
def test_text_is_the_mean_of_the_words_it_has(folder, text):
    (vector,) = vectors.opened(folder).encode([text])
    assert bytes([127, 0]) == vector


def test_text_without_a_known_word_has_no_vector(folder):
    assert [b"", b""] == vectors.opened(folder).encode(["house", ""])


def test_first_line_that_counts_the_words_is_no_word(folder):
    (folder / "vectors.txt").write_text(f"3 2\n{PLANE}")
    assert [bytes([0, 127]), b""] == vectors.opened(folder).encode(["tree", "3"])


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e39"])
def test_numbers_that_lead_nowhere_are_no_model(folder, number):
    (folder / "vectors.txt").write_text(f"{PLANE}house {number} 1\n")
    with pytest.raises(SettingsError, match="cannot be used"):
        vectors.opened(folder).encode(["car"])


def test_what_points_the_same_way_is_alike(folder):
    car, auto, tree = vectors.opened(folder).encode(["car", "auto", "tree"])
    assert vectors.alike(car, car + auto + tree) == pytest.approx(
        [1.0, 0.99, 0.0], abs=0.01
    )


def test_the_slow_way_gives_the_same(folder):
    texts = ["car", "car tree", "auto tree tree"]
    made = vectors.opened(folder).encode(texts)
    quickly = vectors.alike(made[0], b"".join(made))
    assert list(vectors._alike_slowly(made[0], b"".join(made))) == pytest.approx(
        quickly
    )


def test_nothing_beside_is_alike_to_nothing(folder):
    (car,) = vectors.opened(folder).encode(["car"])
    assert vectors.alike(car, b"") == []


def test_another_model_has_another_key(folder):
    before = vectors.opened(folder).key
    assert before == vectors.opened(folder).key
    os.utime(folder / "vectors.txt", (1, 1))
    assert before != vectors.opened(folder).key


def test_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(SettingsError, match="no model in"):
        vectors.opened(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "car 1 0\ntree 1\nbush 1 2 3\n", "car one two\n", "car \xff\n"]
)
def test_model_that_cannot_be_read_is_named(folder, text):
    (folder / "vectors.txt").write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingsError, match="cannot be used"):
        vectors.opened(folder).encode(["car"])


@pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is not None, reason="the extra is here"
)
def test_sentence_model_without_the_extra_says_what_to_install(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"")
    (tmp_path / "tokenizer.json").write_bytes(b"")
    model = vectors.opened(tmp_path)
    with pytest.raises(ToolMissing) as caught:
        model.encode(["car"])
    assert "pip install 'gitmem[semantic]'" in caught.value.hint
