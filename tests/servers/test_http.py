"""A remote behind a web server, which answers, refuses, stalls and comes back."""

import contextlib
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest
from tests.servers.conftest import PERSON, SECRET, noise
from tests.servers.web import Mood, basic

from gitmem.errors import AuthRefused, BadConfig, ErrorClass, Offline, SyncError

BASIC = {"WWW-Authenticate": 'Basic realm="memories"'}


@pytest.fixture
def ann(over_http):
    """Give a machine that has pushed once."""
    made = over_http("ann")
    made.cycle()
    return made


def test_two_machines_share_a_memory_over_http(ann, over_http):
    bob = over_http("bob")
    ann.write("a.md", "alpha\n")
    bob.write("b.md", "omega\n")

    for each in (ann, bob, ann):
        each.cycle()

    assert ann.tree() == bob.tree()
    assert {"a.md", "b.md"} <= set(ann.disk())


TROUBLES = {
    "401": (Mood(status=401, headers=BASIC), AuthRefused, "401|Username|Auth"),
    "401 without a word": (Mood(status=401), AuthRefused, "401|Username|Auth"),
    "403": (Mood(status=403), AuthRefused, "403"),
    "404": (Mood(status=404), Offline, "not found"),
    "429": (Mood(status=429, headers={"Retry-After": "1"}), Offline, "429"),
    "503": (Mood(status=503), Offline, "503"),
    "redirect": (
        Mood(status=302, headers={"Location": "http://localhost:1/elsewhere"}),
        BadConfig,
        "302",
    ),
    "silence": (Mood(is_silent=True), Offline, r"2\.5 s"),
}


@pytest.mark.parametrize(("mood", "kind", "words"), TROUBLES.values(), ids=TROUBLES)
def test_trouble_has_its_class_keeps_the_commit_and_goes_away(
    ann, web, mood, kind, words
):
    web.mood = mood
    ann.write("a.md", "alpha\n")

    with pytest.raises(SyncError, match=words) as raised:
        ann.cycle()

    assert type(raised.value) is kind
    assert raised.value.hint
    assert ann.engine.record().fetch.error_class is kind.error_class
    assert ann.tree()["a.md"] == b"alpha\n"
    assert ann.engine.status().unpushed == 1
    web.mood = Mood()
    assert ann.cycle().pushed
    assert ann.engine.status().unpushed == 0
    assert ann.engine.record().fetch.error_class is None


@pytest.mark.parametrize(
    "mood", [Mood(cuts=True), Mood(freezes=True)], ids=("cut", "frozen")
)
def test_a_pack_that_ends_in_the_middle_is_fetched_again(ann, over_http, web, mood):
    bob = over_http("bob")
    ann.write("large.md", noise(60_000))
    ann.cycle()
    before = bob.tree()
    bob.write("b.md", "omega\n")
    web.mood = mood

    with pytest.raises(Offline) as raised:
        bob.cycle()

    assert raised.value.hint
    assert bob.tree() == {**before, "b.md": b"omega\n"}
    assert bob.is_clean()
    web.mood = Mood()
    bob.cycle()
    assert bob.disk()["large.md"] == (ann.root / "large.md").read_bytes()


def test_a_slow_download_is_waited_for_while_it_goes_on(ann, over_http, web):
    bob = over_http("bob").with_(timeout_seconds=3)
    ann.write("large.md", noise(180_000))
    ann.cycle()
    web.mood = Mood(bytes_a_second=40_000)
    started = time.monotonic()

    bob.cycle()

    assert "large.md" in bob.disk()
    assert time.monotonic() - started > 3


def test_a_slow_upload_is_waited_for_while_it_goes_on(ann, web):
    ann.write("large.md", noise(150_000))
    web.mood = Mood(bytes_a_second=40_000)
    started = time.monotonic()

    report = ann.cycle()

    assert report.pushed
    assert time.monotonic() - started > 2.5


def test_an_upload_that_nobody_takes_any_more_is_given_up(ann, web):
    ann.write("large.md", noise(120_000))
    web.mood = Mood(stops_reading=True)
    started = time.monotonic()

    with pytest.raises(Offline):
        ann.cycle()

    assert time.monotonic() - started < 20
    assert ann.engine.record().push.error_class is ErrorClass.OFFLINE
    web.mood = Mood()
    assert ann.cycle().pushed


def test_a_token_that_expires_and_is_renewed(ann, web, keychain):
    web.mood = Mood(credential=PERSON)
    ann.write("a.md", "alpha\n")
    assert ann.cycle().pushed
    web.mood = Mood(credential="ann:another")
    ann.write("b.md", "beta\n")

    with pytest.raises(AuthRefused) as raised:
        ann.cycle()

    assert "ls-remote" in raised.value.hint
    assert ann.engine.record().fetch.error_class is ErrorClass.AUTH
    assert ann.engine.status().unpushed == 1
    web.mood = Mood(credential=PERSON)
    assert ann.cycle().pushed
    assert ann.engine.status().unpushed == 0


def test_without_a_credential_nobody_is_asked_for_one(ann, web):
    web.mood = Mood(credential=PERSON)
    started = time.monotonic()

    with pytest.raises(AuthRefused, match=r"Username|prompts disabled"):
        ann.cycle()

    assert time.monotonic() - started < 20


def test_a_refused_credential_shows_up_nowhere(ann, web, keychain, tmp_path):
    web.mood = Mood(credential="ann:another")
    ann.write("a.md", "alpha\n")

    with pytest.raises(AuthRefused) as raised:
        ann.cycle()

    said = (raised.value.message + raised.value.hint).encode()
    assert SECRET.encode() not in said
    assert traces_of(SECRET, tmp_path) == []


def test_a_credential_shows_up_nowhere_while_it_is_used(
    ann, over_http, web, keychain, tmp_path
):
    web.mood = Mood(credential=PERSON, bytes_a_second=60_000)
    ann.write("large.md", noise(60_000))
    with Watch() as watch:
        ann.cycle()

    assert watch.looks > 3
    assert b"http" in watch.seen
    assert SECRET.encode() not in watch.seen
    assert basic(PERSON).encode() not in watch.seen
    assert traces_of(SECRET, tmp_path) == []
    assert traces_of(basic(PERSON), tmp_path) == []


class Watch:
    """Read the command line of every process, again and again, as `ps` does."""

    def __enter__(self) -> Self:
        self.looks, self.seen = 0, b""
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _look(self) -> None:
        lines: set[bytes] = set()
        while not self._ends.wait(0.01):
            self.looks += 1
            lines.update(command_lines())
        self.seen = b"\n".join(lines)


def command_lines() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes()
        except OSError:
            continue


def traces_of(text: str, folder: Path) -> list[Path]:
    """List the files that hold a text, as it is or in a commit's object."""
    found = []
    for path in (p for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes()
        whole = zlib.decompressobj()
        with contextlib.suppress(zlib.error):
            data += whole.decompress(data)
        if text.encode() in data:
            found.append(path)
    return found
