"""Machines do what they like, and in the end all hold the same and all of it.

A longer run: `pytest tests/sync/test_property.py --hypothesis-profile=large`.
"""

import contextlib
import itertools
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from tests.sync.conftest import Machine, settled

from gitmem.errors import Offline

MARKER = re.compile(rb"^(?:<{7,}|={7,}|>{7,}|\|{7,})(?: |\r?$)", re.MULTILINE)
WHO = st.integers(0, 2)
PATHS = st.sampled_from(["a.md", "b.md", "x/a.md", "x/b.md", "x", "log.jsonl"])
TAGS = st.lists(st.sampled_from(["red", "green", "blue"]), max_size=2, unique=True)


class Exchange(RuleBasedStateMachine):
    """Three machines that write, move, delete and sync in any order."""

    def __init__(self, lay_out: Callable[[], list[Machine]]) -> None:
        super().__init__()
        self.machines = lay_out()
        self.words = itertools.count()
        self.written: set[bytes] = set()
        self.removed: set[bytes] = set()

    @rule(who=WHO, path=PATHS, tags=TAGS, where=st.sampled_from(["top", "end", "all"]))
    def write(self, who: int, path: str, tags: list[str], where: str) -> None:
        machine = self.machines[who]
        if self._is_in_the_way(machine, path):
            return
        word = f"w{next(self.words):05}".encode()
        self.written.add(word)
        old = self._text(machine, path)
        if path.endswith(".jsonl"):
            self._replace(machine, path, old + b'{"id": "%b"}\n' % word)
            return
        head, _, body = old.rpartition(b"---\n")
        if path.endswith(".md"):
            names = ", ".join(tags).encode()
            head = b"---\ndescription: d\ntags: [%b]\nupdated: %b\n" % (names, word[1:])
            head += b"---\n"
        lines = {
            "top": b"%b\n\n%b" % (word, body),
            "end": b"%b\n%b\n" % (body, word),
            "all": word + b"\n",
        }
        self._replace(machine, path, head + lines[where])

    @rule(who=WHO, path=PATHS)
    def delete(self, who: int, path: str) -> None:
        machine = self.machines[who]
        if (machine.root / path).is_file():
            self._forget(machine, path, b"")
            machine.delete(path)

    @rule(who=WHO, old=PATHS, new=PATHS)
    def move(self, who: int, old: str, new: str) -> None:
        machine = self.machines[who]
        source = machine.root / old
        if not source.is_file() or self._is_in_the_way(machine, new) or old == new:
            return
        if old in {str(parent) for parent in Path(new).parents}:
            return
        data = source.read_bytes()
        self._forget(machine, new, data)
        source.unlink()
        machine.write(new, data)

    @rule(who=WHO)
    def cycle(self, who: int) -> None:
        self.machines[who].cycle()

    @rule(who=WHO)
    def commit(self, who: int) -> None:
        self.machines[who].engine.commit()

    @rule(who=WHO)
    def cycle_offline(self, who: int) -> None:
        remote = Path(self.machines[who].options.url or "")
        away = remote.rename(remote.with_name("away"))
        with contextlib.suppress(Offline):
            self.machines[who].cycle()
        away.rename(remote)

    @rule(who=WHO, other=WHO)
    def write_in_the_middle(self, who: int, other: int) -> None:
        """Let an agent write while its machine fetches or pushes."""
        machine = self.machines[who]
        word = f"w{next(self.words):05}".encode()
        self.written.add(word)
        path = f"agent{other}.md"
        once = iter([word])

        def agent(_: bytes) -> None:
            for new in once:
                machine.write(path, self._text(machine, path) + new + b"\n")

        machine.with_(progress=agent).cycle()
        agent(b"")

    def teardown(self) -> None:
        settled(self.machines, rounds=3)
        trees = [machine.tree() for machine in self.machines]
        assert trees[0] == trees[1] == trees[2]
        for machine in self.machines:
            assert machine.disk() == trees[0]
            assert machine.is_clean()
            assert machine.cycle().committed is None
        text = b"\n".join(trees[0].values())
        kept = {word for word in self.written if word in text}
        assert self.written - self.removed <= kept
        assert not MARKER.search(text)

    def _replace(self, machine: Machine, path: str, data: bytes) -> None:
        self._forget(machine, path, data)
        machine.write(path, data)

    def _forget(self, machine: Machine, path: str, new: bytes) -> None:
        """Note the words that this machine takes out of a file on purpose."""
        gone = _words(self._text(machine, path)) - _words(new)
        self.removed |= gone

    def _text(self, machine: Machine, path: str) -> bytes:
        file = machine.root / path
        return file.read_bytes() if file.is_file() else b""

    def _is_in_the_way(self, machine: Machine, path: str) -> bool:
        parents = Path(path).parents[:-1]
        return (machine.root / path).is_dir() or any(
            (machine.root / parent).is_file() for parent in map(str, parents)
        )


def _words(data: bytes) -> set[bytes]:
    return set(re.findall(rb"w\d{5}", data))


@pytest.fixture
def lay_out(pair, machine, tmp_path: Path) -> Callable[[], list[Machine]]:
    """Give a way to put three machines back to where they began."""
    machines = [*pair, machine("third")]
    machines[2].cycle()
    names = ["remote.git", "first", "second", "third"]
    start = tmp_path / "start"
    for name in names:
        shutil.copytree(tmp_path / name, start / name)

    def again() -> list[Machine]:
        for name in names:
            shutil.rmtree(tmp_path / name)
            shutil.copytree(start / name, tmp_path / name)
        return machines

    return again


def test_all_machines_end_alike_with_everything_that_was_written(lay_out):
    class Laid(Exchange):
        def __init__(self) -> None:
            super().__init__(lay_out)

    most = settings().max_examples
    is_large = most > settings.get_profile("steady").max_examples
    run_state_machine_as_test(
        Laid,
        settings=settings(
            max_examples=most if is_large else 5,
            stateful_step_count=30 if is_large else 12,
        ),
    )
