"""The main job, played in a temporary folder."""

import json

import pytest

pytestmark = pytest.mark.slow


def test_the_second_machine_is_told_what_the_first_wrote(machine, tmp_path):
    oak = machine("oak")
    (tmp_path / "tmp").mkdir()

    shown = oak.type(f"TMPDIR={tmp_path}/tmp gitmem quickstart")

    told = shown.partition("when its next session starts:\n\n")[2]
    assert told.startswith('<memory_context mode="normal">\n')
    assert told.endswith("</memory_context>\n")
    assert "- Asks before it deletes anything.\n" in told
    assert "  description: how to deploy beacon\n" in told
    assert "conflict copy to settle: beacon/core/deploy.conflict-" in told
    assert "Both machines hold the same 8 files" in shown
    assert list((tmp_path / "tmp").iterdir()) == []
    assert list(oak.project.iterdir()) == []
    assert not oak.memory.exists()


def test_it_plays_the_same_in_every_folder(machine, tmp_path):
    oak = machine("oak")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()

    first = oak.type(f"TMPDIR={tmp_path}/one gitmem quickstart --json")
    second = oak.type(f"TMPDIR={tmp_path}/two gitmem quickstart --json --keep-folder")

    assert json.loads(first)["scenes"] == json.loads(second)["scenes"]
    assert json.loads(first)["ending"]["is_identical"]
    assert json.loads(first)["folder"] is None
    assert len(list((tmp_path / "two").iterdir())) == 1
