"""The allow-list names settings that exist, and gives a reason for all others."""

import pytest

from gitmem.settings.model import keys
from gitmem.settings.trust import ALLOW_LIST, Verdict, Wish, judge, reason, wish

KNOWN = [key.dotted for key in keys()]


def test_the_allow_list_names_only_settings_that_exist():
    assert [key for key in ALLOW_LIST if key not in KNOWN] == []


def test_every_other_setting_has_a_reason_of_its_own():
    protected = [key for key in KNOWN if wish(key) is Wish.NEVER]

    assert [key for key in protected if reason(key) == reason("unknown")] == []


@pytest.mark.parametrize("key", [key for key in KNOWN if wish(key) is Wish.NEVER])
def test_a_protected_setting_is_never_granted(key):
    verdict = judge(key, "x", "x", lambda _: True)

    assert verdict == Verdict(grants=False, value=None, refused=(("x", reason(key)),))


def test_the_same_number_is_granted_and_a_larger_one_is_not():
    key = "tape.context.file_limit"

    assert judge(key, 10, 10, bool).grants
    assert not judge(key, 11, 10, bool).grants


def test_nothing_inside_grants_nothing():
    verdict = judge("tape.context.whitelist", ("/x",), ("a",), lambda _: False)

    assert (verdict.grants, len(verdict.refused)) == (False, 1)


def test_an_entry_that_is_there_already_is_not_added_twice():
    verdict = judge("tape.exclude_dirs", ("/a", "/b"), ("/a",), bool)

    assert verdict.value == ("/a", "/b")


@pytest.mark.parametrize("entry", [".git/config", "a/../.GIT", "sub/.git"])
def test_nothing_of_git_itself_is_listed_for_a_project(entry):
    verdict = judge("tape.context.whitelist", (entry, "docs"), (), lambda _: True)

    assert verdict.value == ("docs",)
    assert [text for text, _ in verdict.refused] == [entry]
