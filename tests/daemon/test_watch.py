import asyncio
from pathlib import Path, PurePosixPath

import pytest

from gitmem.daemon.watch import SCANNING, Watcher, is_of_interest


@pytest.mark.parametrize(
    ("path", "is_it"),
    [
        ("/m/a.md", True),
        ("/m/core/.hidden.md", True),
        ("/m/.git/index", False),
        ("/m/core/.gitmem-tmp-7-aa", False),
        ("/m/core/a.md~", False),
        ("/m", False),
        ("/elsewhere/a.md", False),
    ],
)
def test_what_git_and_writers_do_for_themselves_is_left_out(path, is_it):
    assert is_of_interest(path, Path("/m")) is is_it


def test_a_folder_that_cannot_be_watched_is_only_scanned(tmp_path):
    watcher = Watcher(tmp_path / "gone", lambda _: None)

    asyncio.run(watcher.watch())

    assert watcher.mode == SCANNING
    assert watcher.trouble


def test_a_written_file_is_noticed(tmp_path):
    async def watched():
        seen: set[PurePosixPath] = set()
        watcher = Watcher(tmp_path, seen.update)
        task = asyncio.create_task(watcher.watch())
        while not seen:
            # Nobody says when it has begun to watch.
            await asyncio.to_thread((tmp_path / "a.md").write_text, "x")
            await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return seen

    assert asyncio.run(watched()) == {PurePosixPath("a.md")}
