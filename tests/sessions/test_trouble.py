from functools import partial

import pytest

from gitmem.sessions import trouble


def test_trouble_is_told_once_and_counted(tmp_path):
    trouble.note(tmp_path, "pi turn: late")
    trouble.note(tmp_path, "pi turn: late")
    trouble.note(tmp_path, "pi end:\nbroken\x00")

    assert trouble.seen(tmp_path) == trouble.take(tmp_path)
    assert trouble.take(tmp_path) == ()


def test_the_sentences_say_what_and_how_often(tmp_path):
    trouble.note(tmp_path, "pi turn: late")
    trouble.note(tmp_path, "pi turn: late")

    assert trouble.take(tmp_path) == (
        "A hook gave nothing 2 times: pi turn: late (see gitmem.log).",
    )


def test_much_trouble_is_told_in_few_words(tmp_path):
    list(map(partial(trouble.note, tmp_path), "123456789"))

    assert trouble.take(tmp_path)[2:] == ("And 7 more failures of hooks.",)


def test_the_file_stays_small(tmp_path):
    list(map(partial(trouble.note, tmp_path), ["x" * 500] * 300))

    path = tmp_path / "hooks" / "trouble"
    assert path.stat().st_size < trouble.LIMIT_BYTES + 200
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("make", ["mkdir", "link"])
def test_something_else_in_its_place_is_left_alone(make, tmp_path):
    (tmp_path / "hooks").mkdir()
    path = tmp_path / "hooks" / "trouble"
    other = tmp_path / "other"
    other.write_text("mine\n")
    {"mkdir": path.mkdir, "link": lambda: path.symlink_to(other)}[make]()

    trouble.note(tmp_path, "pi turn: late")

    assert trouble.seen(tmp_path) == ()
    assert other.read_text() == "mine\n"


def test_without_a_folder_nothing_is_kept(tmp_path):
    (tmp_path / "file").touch()

    trouble.note(tmp_path / "file", "pi turn: late")

    assert trouble.take(tmp_path / "file") == ()
