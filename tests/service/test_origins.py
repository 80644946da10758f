"""What somebody else wrote is told apart from what the person wrote."""

import pytest

from gitmem.repo.repository import Repository

SAM = ("user.name", "Sam"), ("user.email", "sam@example.org")
KIM = ("user.name", "Kim"), ("user.email", "kim@example.org")


@pytest.fixture
def commits_as(git, empty_home):
    """Tell Git who the person is who types next."""

    def tell(identity):
        for key, value in identity:
            git("config", "--global", key, value, cwd=empty_home)

    return tell


@pytest.fixture
def two(connected, bare_remote, commits_as):
    """Kim wrote one memory and Sam another, on machines that share a remote."""
    kim, sam = connected("kim"), connected("sam")
    commits_as(KIM)
    kim.init(str(bare_remote))
    kim.write("core/theirs.md", b"theirs", {"description": "of Kim"})
    kim.write("global/USER.md", b"who Kim is", {"description": "profile"})
    kim.sync()
    commits_as(SAM)
    sam.init(str(bare_remote))
    sam.write("core/ours.md", b"ours", {"description": "of Sam"})
    sam.sync()
    return sam


def test_memory_of_another_person_is_marked_with_who_wrote_it(two):
    text = two.context().text

    theirs = text[text.index("core/theirs.md") :]
    ours = text[text.index("core/ours.md") : text.index("core/theirs.md")]
    assert "origin: Kim\n" in theirs
    assert "origin" not in ours
    assert 'USER.md" origin="Kim"' in text


def test_memory_that_was_edited_here_is_the_persons_own(two):
    two.write("core/theirs.md", b"taken over", {"description": "of both"})

    text = two.context().text

    assert "origin" not in text[text.index("core/theirs.md") :]


def test_person_without_a_name_is_told_of_no_origin(connected, bare_remote):
    oak, elm = connected("oak"), connected("elm")
    oak.init(str(bare_remote))
    oak.write("core/a.md", b"a", {"description": "a"})
    oak.sync()
    elm.init(str(bare_remote))

    assert "origin" not in elm.context().text


def test_git_is_asked_who_the_person_is_only_once(two, monkeypatch):
    asked = []
    person_from = Repository.person_from

    def counted(repository):
        asked.append(repository)
        return person_from(repository)

    monkeypatch.setattr(Repository, "person_from", counted)

    assert {two.context().text for _ in range(3)} == {two.context().text}
    assert len(asked) == 1


def test_another_name_in_gits_settings_is_noticed_at_once(two, commits_as):
    two.context()
    commits_as(KIM)

    text = two.context().text

    assert "origin: Sam\n" in text
    assert "origin: Kim\n" not in text


@pytest.mark.parametrize(
    "kept", [b"", b"[]", b'{"format": 1}', b"\xff", b'{"at": "then"}']
)
def test_what_was_kept_of_the_person_may_be_damaged(two, kept):
    first = two.context().text
    (two.rooms.state / "person").write_bytes(kept)

    assert two.context().text == first
