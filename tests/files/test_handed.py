"""A file that a person names is read, also where it is a pipe."""

import os
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

from gitmem.errors import UsageError
from gitmem.files.handed import handed


def _write_and_close(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.close()


def test_a_file_is_read_up_to_the_limit(tmp_path):
    path = tmp_path / "plan.json"
    path.write_bytes(b"x" * 200_000)

    assert handed(path, 150_000, 1) == b"x" * 150_000
    assert handed(path, 10, 1) == b"x" * 10


def test_an_empty_file_has_nothing_in_it(tmp_path):
    path = tmp_path / "plan.json"
    path.touch()

    assert handed(path, 10, 1) == b""


def test_a_pipe_that_nobody_writes_to_is_given_up(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)

    with pytest.raises(UsageError, match="nobody writes to it"):
        handed(path, 10, 0.01)


def test_a_pipe_is_read_to_its_end(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"y" * 200_000,))
    writer.start()

    data = handed(path, 300_000, 10)

    writer.join()
    assert data == b"y" * 200_000


def test_whoever_has_a_pipe_open_may_take_longer_than_we_would_wait():
    reading, writing = os.pipe()
    late = (os.fdopen(writing, "wb"), b"late")
    later = threading.Timer(0.2, _write_and_close, late)
    later.start()

    data = handed(Path(f"/dev/fd/{reading}"), 10, 0.01)

    later.join()
    os.close(reading)
    assert data == b"late"
