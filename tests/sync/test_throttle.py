"""A fetch is skipped only when something trustworthy says that it may be."""

from datetime import timedelta

import pytest
from tests.sync.conftest import EPOCH

from gitmem.sync.freshness import is_fresh
from gitmem.sync.throttle import (
    LONGEST_PAUSE_SECONDS,
    PAUSES,
    FetchHead,
    longest_pause,
    patience,
    vouched_tip,
)

TTL = timedelta(hours=12)
TIP = "1" * 40
HTTPS = "https://host.invalid/owner/memory.git"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (None, False),
        (EPOCH, True),
        (EPOCH - timedelta(hours=11, minutes=59), True),
        (EPOCH - TTL, False),
        (EPOCH + timedelta(seconds=1), False),
        (EPOCH + timedelta(days=700), False),
    ],
    ids=["never", "now", "recent", "old", "future", "far future"],
)
def test_a_success_counts_for_its_time_and_never_from_the_future(at, expected):
    assert is_fresh(at, now=EPOCH, ttl=TTL) is expected


def line(url: str, branch: str = "main", mark: str = "") -> str:
    return f"{TIP}\t{mark}\tbranch '{branch}' of {url}\n"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (line("https://host.invalid/owner/memory"), HTTPS),
        (line("https://host.invalid/owner/memory", mark="not-for-merge"), HTTPS),
        (line("https://host.invalid/owner/memory", "other") + line(HTTPS), HTTPS),
        (line("https://host.invalid/owner/memory"), HTTPS.removesuffix(".git") + "/"),
        (line("https://host.invalid/x"), "https://ada@host.invalid/x.git"),
        (line("ssh://host.invalid/x"), "ssh://git@host.invalid/x.git"),
        (line("host.invalid:owner/memory"), "git@host.invalid:owner/memory.git"),
        (line("/srv/memory"), "/srv/memory.git"),
        (line("/srv/a@b/memory"), "/srv/a@b/memory"),
    ],
    ids=[
        "ending",
        "not for merge",
        "second line",
        "slash",
        "user",
        "ssh",
        "scp",
        "path",
        "path with an at sign",
    ],
)
def test_fetch_head_vouches_for_the_branch_of_the_address(text, url):
    evidence = FetchHead(text, EPOCH)

    assert vouched_tip(evidence, url=url, branch="main") == TIP


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "garbage\n",
        line("https://other.invalid/owner/memory"),
        line("https://host.invalid/owner/memory2"),
        line("https://host.invalid/owner/memory", "develop"),
        f"{TIP}\t\ttag 'main' of https://host.invalid/owner/memory\n",
    ],
    ids=["empty", "blank", "garbage", "other host", "longer", "other branch", "tag"],
)
def test_fetch_head_of_anything_else_vouches_for_nothing(text):
    assert vouched_tip(FetchHead(text, EPOCH), url=HTTPS, branch="main") == ""


def test_no_fetch_head_vouches_for_nothing():
    assert vouched_tip(None, url=HTTPS, branch="main") == ""


@pytest.mark.parametrize(
    ("usual", "has_failed", "seconds"),
    [
        (None, False, 0.1),
        (0.02, False, 0.12),
        (0.1, False, 0.15),
        (0.9, False, 1.0),
        (1.45, False, 0.0),
        (0.05, True, 0.0),
    ],
    ids=["first", "next-door", "near", "far", "too-slow", "failed-last"],
)
def test_a_start_waits_for_a_pull_as_long_as_it_usually_takes(
    usual, has_failed, seconds
):
    waited = patience(usual, has_failed=has_failed, at_most=1.5)

    assert waited == pytest.approx(seconds)


def test_a_pause_grows_with_the_losses_and_shrinks_for_who_has_waited_longest():
    pauses = [longest_pause(lost, 0.1) for lost in range(1, len(PAUSES) + 5)]

    longest = pauses.index(max(pauses))
    assert pauses[: longest + 1] == sorted(pauses[: longest + 1])
    assert pauses[longest:] == sorted(pauses[longest:], reverse=True)


def test_no_pause_is_longer_than_the_longest_however_slow_the_remote_is():
    assert longest_pause(3, 60.0) == LONGEST_PAUSE_SECONDS
