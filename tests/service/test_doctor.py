"""The doctor looks at everything, and each finding has its mend."""

import shutil
from pathlib import Path

import pytest

from gitmem.service import doctor
from gitmem.service.answers import Verdict


def found(service, verdict: Verdict) -> list[str]:
    return [each.message for each in service.doctor() if each.verdict is verdict]


def test_a_healthy_repository_has_nothing_to_mend(service):
    assert {each.verdict for each in service.doctor()} == {Verdict.FINE}


def test_no_repository_is_broken_and_says_how_to_make_one(connected):
    diagnoses = connected().doctor()

    broken = [each for each in diagnoses if each.verdict is Verdict.BROKEN]
    assert [each.mend for each in broken] == ["Create one: gitmem init [URL]"]


def test_a_remote_that_does_not_answer_is_broken(service, tmp_path):
    service.remote(str(tmp_path / "nowhere.git"))

    (broken,) = (x for x in service.doctor() if x.verdict is Verdict.BROKEN)
    assert "nowhere.git does not answer: " in broken.message
    assert "does not appear to be a git repository" in broken.message
    assert "gitmem doctor" not in broken.mend


def test_a_remote_that_answers_is_fine(connected, bare_remote):
    service = connected()
    service.init(str(bare_remote))
    service.sync()

    assert f"{bare_remote} answers" in found(service, Verdict.FINE)


def test_a_stash_is_told_and_left_alone(service, git):
    (service.path() / ".gitignore").write_text("x\n", "utf-8")
    git("stash", "--quiet", cwd=service.path())

    assert found(service, Verdict.WORRY) == [
        "1 stash of yours; gitmem never touches them."
    ]


def test_an_unfinished_merge_is_told(service):
    (service.path() / ".git" / "MERGE_HEAD").write_text("", "utf-8")

    assert "An unfinished MERGE_HEAD lies there." in found(service, Verdict.WORRY)


def test_a_harmful_configuration_is_broken(service, git):
    git("config", "core.fsmonitor", "touch x", cwd=service.path())

    assert "core.fsmonitor" in found(service, Verdict.BROKEN)[0]


def test_a_mistake_in_the_settings_is_told(connected):
    service = connected(GITMEM_SYNC__TIMEOUT="soon")
    service.init()

    assert "sync.timeout" in found(service, Verdict.WORRY)[0]


def test_a_setting_of_what_is_not_there_yet_is_told(connected):
    service = connected(GITMEM_DREAM__ENABLED="true")
    service.init()

    told = found(service, Verdict.WORRY)

    assert "dream.enabled: what this sets is not there yet" in told[0]


def test_what_a_project_asked_for_in_vain_is_told(connected, tmp_path):
    connected().init()
    (tmp_path / "oak" / "beacon" / ".gitmem.toml").write_text(
        '[sync]\nbranch = "evil"\n', "utf-8"
    )

    assert "sync.branch" in found(connected(), Verdict.WORRY)[0]


def test_another_branch_is_told(service, git):
    git("checkout", "--quiet", "-b", "aside", cwd=service.path())

    assert found(service, Verdict.WORRY) == ["It stands on aside, not on main."]


def test_a_remote_without_the_branch_names_those_it_has(connected, bare_remote, git):
    service = connected()
    service.init(str(bare_remote))
    service.sync()
    git("branch", "--move", "main", "trunk", cwd=bare_remote)

    assert [each.mend for each in service.doctor() if each.what == "remote"] == [
        "Set sync.branch to one of: trunk"
    ]


def test_files_and_copies_that_wait_are_told(service):
    layer = service.path("project") / "core"
    layer.mkdir(parents=True)
    (layer / "a.conflict-0123abcd.md").write_text("theirs\n", "utf-8")
    (layer / "half.md").write_text("<<<<<<< a\n=======\n>>>>>>> b\n", "utf-8")
    service.sync()

    assert found(service, Verdict.WORRY) == [
        (
            "beacon/core/half.md is not committed: "
            "line 1 begins a conflict that is not settled"
        ),
        "beacon/core/a.conflict-0123abcd.md is the other side of a conflict.",
    ]


def test_a_commit_that_was_not_pushed_is_told(connected, bare_remote):
    service = connected()
    service.init(str(bare_remote))

    assert found(service, Verdict.WORRY) == ["1 commit not pushed"]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("/home/sam/Dropbox/memory", "Dropbox"),
        ("/home/sam/OneDrive - Work/memory", "OneDrive - Work"),
        ("/Users/sam/Library/CloudStorage/x/memory", "CloudStorage"),
        ("/home/sam/memory", None),
    ],
    ids=["dropbox", "onedrive", "cloud", "own"],
)
def test_a_folder_that_a_service_copies_is_known_by_its_path(place, expected):
    match = doctor._SYNCED.search(f"{place}/")

    assert (match[1] if match else None) == expected


@pytest.mark.parametrize(
    "name",
    [
        "main.sync-conflict-20260302-090000-ABC",
        "index (sam's conflicted copy)",
        "main (1)",
        "HEAD 2",
    ],
)
def test_copies_that_a_service_left_inside_git_are_named(tmp_path: Path, name):
    refs = tmp_path / "refs" / "heads"
    refs.mkdir(parents=True)
    (refs / "main").touch()
    (refs / name).touch()

    assert doctor._foreign_copies(tmp_path) == (name,)


def test_a_plain_disk_is_no_network():
    assert doctor._file_system("/") not in doctor._NETWORK_FILE_SYSTEMS


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("index", ".git/index is damaged"),
        ("HEAD", ".git/HEAD is damaged"),
        ("refs/heads/main", ".git/refs/heads/main is damaged"),
        ("config", ".git/config is damaged"),
        ("packed-refs", ".git/packed-refs is damaged"),
    ],
)
def test_a_damaged_file_of_git_is_broken_and_a_sync_mends_it(service, name, words):
    (service.path() / ".git" / name).write_bytes(bytes(41))

    assert words in found(service, Verdict.BROKEN)
    service.sync()
    assert found(service, Verdict.BROKEN) == []


def test_a_branch_that_is_gone_is_broken_and_a_sync_finds_it(service):
    (service.path() / ".git" / "refs" / "heads" / "main").unlink()

    assert found(service, Verdict.BROKEN) == ["The branch main is gone."]
    service.sync()
    assert found(service, Verdict.BROKEN) == []


def test_a_damaged_catalog_is_broken_until_it_is_made_anew(service):
    service.index()
    folder = service.rooms.cache / "catalog"
    (rows,) = folder.glob("build-*/catalog.sqlite")
    rows.write_bytes(rows.read_bytes()[:5000] + b"damage" * 2000)

    (broken,) = (x for x in service.doctor() if x.verdict is Verdict.BROKEN)
    shutil.rmtree(folder)
    service.index()

    assert broken.message.startswith(f"The catalog in {folder} is damaged: ")
    assert f"in {folder}" in found(service, Verdict.FINE)
