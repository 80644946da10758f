"""A disk is asked for its room."""

import pytest

from gitmem.errors import DiskFull
from gitmem.files.space import require


def test_a_disk_with_room_is_no_trouble(tmp_path):
    require(tmp_path, 1)


def test_a_disk_without_room_is_told_by_its_place(tmp_path):
    with pytest.raises(DiskFull, match="bytes are free where") as raised:
        require(tmp_path, 1 << 62)

    assert str(tmp_path) in raised.value.message
