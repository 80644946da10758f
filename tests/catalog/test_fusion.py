"""What words and what meaning find, in one order."""

import pytest

from gitmem.catalog.fusion import fused


def test_words_count_more_than_meaning():
    found = fused({"words": 8.0, "both": 4.0}, {"both": 0.5, "alike": 0.9})
    assert found == pytest.approx({"words": 0.7, "both": 0.5, "alike": 0.27})


def test_what_is_hardly_alike_is_not_found_by_meaning_alone():
    assert fused({"words": 8.0}, {"words": 0.1, "far": 0.29}) == pytest.approx(
        {"words": 0.73}
    )


def test_without_words_meaning_decides():
    assert fused({}, {"alike": 0.5}) == pytest.approx({"alike": 0.15})
