from collections.abc import Mapping

import pytest

from gitmem.delivery.view import Layer, is_pinned


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"priority": "critical"}, True),
        ({"priority": " High "}, True),
        ({"pinned": "true"}, True),
        ({"pinned": True}, True),
        ({"priority": "normal"}, False),
        ({"pinned": "false"}, False),
        ({"priority": ["high"]}, False),
        ({}, False),
    ],
    ids=str,
)
def test_a_memory_is_pinned_by_its_fields(
    fields: Mapping[str, object], expected: bool
) -> None:
    assert expected == is_pinned(fields)


@pytest.mark.parametrize(
    ("is_shared", "source"), [(True, "global"), (False, "project")], ids=str
)
def test_a_layer_is_named_by_its_kind(is_shared: bool, source: str) -> None:
    assert source == Layer("any", "/m/any", is_shared=is_shared).source
