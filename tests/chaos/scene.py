"""Two machines at the most eventful moment, and the promise that nothing is lost."""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.chaos import worker
from tests.sync.conftest import Clock, Machine

from gitmem.sync.create import create

CHAOS = Path(__file__).parent
MARKER = re.compile(rb"^(?:<{7,}|>{7,}|\|{7,})(?: |\r?$)", re.MULTILINE)
LITTER = (
    "*/memory/**/.gitmem-tmp-*",
    "*/.gitmem-tmp-*",
    "*/memory/.git/**/*.lock",
    "*/memory/.git/**/tmp_*",
    "*/memory/.git/**/.tmp-*",
    "*/memory/.git/fast_import_crash_*",
    "*/state/**/.gitmem-tmp-*",
    "tmp/*",
)
BOTH = ("first", "second")
HEAD = "---\ndescription: {}\ntags: [base]\nupdated: 2026-01-01\n---\n"


class Lost(AssertionError):
    """Something that must not happen to anybody's memories has happened."""


@dataclass
class Ended:
    """How one cycle ended: killed, failed, or done."""

    status: int
    seconds: float
    error: str = ""
    message: str = ""
    kind: str = ""
    trace: str = ""
    seen: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    is_asked: bool = False

    @property
    def was_killed(self) -> bool:
        return self.status != 0


class Worker:
    """A process that runs cycles for us, one at a time."""

    def __init__(self) -> None:
        root = CHAOS.parents[1]
        self.real_git = shutil.which("git") or ""
        path = os.pathsep.join([str(root / "src"), str(root)])
        self.child = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.worker"],
            cwd=root,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, job: dict[str, Any]) -> Ended:
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        result = Path(job["result"])
        result.unlink(missing_ok=True)
        self.child.stdin.write(json.dumps(job) + "\n")
        self.child.stdin.flush()
        facts = json.loads(self.child.stdout.readline())
        # Whoever is killed as it writes down what it saw leaves an empty file.
        if result.exists() and (seen := result.read_bytes()):
            facts |= json.loads(seen)
        return Ended(**facts)

    def close(self) -> None:
        assert self.child.stdin is not None
        self.child.stdin.close()
        self.child.wait()
        assert self.child.stdout is not None
        self.child.stdout.close()


@dataclass
class Scene:
    """Two machines below `place`; what was laid out once is copied back at will."""

    place: Path
    git: Callable[..., str]
    worker: Worker
    tokens: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.live, self.mould = self.place / "live", self.place / "mould"
        # Not on the disk that is played with.
        self.desk = self.place
        self.at_first: dict[Path, set[str]] = {}
        self.moment: Callable[[Scene], None] = Scene.lay_out
        self.names: tuple[str, ...] = BOTH

    def token(self) -> str:
        """Make a word that must never be lost."""
        word = f"tok{next(self.numbers):06}x"
        self.tokens.add(word)
        return word

    def machine(self, name: str) -> Machine:
        facts = self.facts(name)
        return Machine(worker.options(facts), Clock(datetime.now(UTC)), self.git)

    def facts(self, name: str) -> dict[str, str]:
        place = self.live / name
        url = str(self.live / "remote.git")
        return {
            "name": name,
            "root": str(place / "memory"),
            "state": str(place / "state"),
            "url": url,
        }

    def go_to(
        self, moment: "Callable[[Scene], None]", names: tuple[str, ...] = BOTH
    ) -> None:
        """Go to a moment, which is laid out the first time."""
        self.mould = self.mould.with_name(f"mould-{moment.__name__}")
        self.moment, self.names = moment, names
        self.reset()

    def lay_out(self) -> None:
        """Let both machines do everything that a cycle can meet."""
        create(self.machine("first").options)
        first = self.machine("first")
        for name in ("both", "theirs", "mine", "moved", "also"):
            text = HEAD.format(name) + f"top {self.token()}\n\nline\n\n{self.token()}\n"
            first.write(f"notes/{name}.md", text)
        first.write("log.jsonl", f'{{"id": "{self.token()}"}}\n')
        first.write("gone.md", "to be deleted there\n")
        first.write("old.md", "to be deleted here\n")
        first.write("swap", f"a file that becomes a folder {self.token()}\n")
        first.write("tree/in.md", f"a folder that becomes a file {self.token()}\n")
        first.cycle()
        create(self.machine("second").options)
        second = self.machine("second")
        second.cycle()
        self._edit_there(second)
        second.cycle()
        self._edit_here(first)

    def _edit_there(self, second: Machine) -> None:
        self._edit(second, "notes/both.md", "line\n", f"{self.token()} there\n")
        self._edit(second, "notes/both.md", "[base]", "[base, there]")
        self._edit(second, "notes/theirs.md", "line\n", f"line {self.token()}\n")
        self._edit(second, "notes/also.md", "line\n", f"line {self.token()}\n")
        self._append(second, "log.jsonl", f'{{"id": "{self.token()}"}}\n')
        second.delete("gone.md")
        swap, tree = second.read("swap"), second.read("tree/in.md")
        second.delete("swap", "tree/in.md")
        (second.root / "tree").rmdir()
        second.write("swap/in.md", f"{swap}{self.token()}\n")
        second.write("tree", f"{tree}{self.token()}\n")
        (second.root / "notes/moved.md").rename(second.root / "moved.md")
        second.write("deep/er/new.md", f"{self.token()}\n")

    def _edit_here(self, first: Machine) -> None:
        self._edit(first, "notes/both.md", "line\n", f"{self.token()} here\n")
        self._edit(first, "notes/mine.md", "line\n", f"line {self.token()}\n")
        self._append(first, "notes/also.md", f"\n{self.token()}\n")
        self._append(first, "log.jsonl", f'{{"id": "{self.token()}"}}\n')
        first.delete("old.md")
        first.write("fresh.md", f"{self.token()}\n")

    def _edit(self, machine: Machine, path: str, old: str, new: str) -> None:
        text = machine.read(path)
        assert old in text
        machine.write(path, text.replace(old, new, 1))

    def _append(self, machine: Machine, path: str, text: str) -> None:
        machine.write(path, machine.read(path) + text)

    def reset(self) -> None:
        """Go back to the moment before the harm is done."""
        shutil.rmtree(self.live, ignore_errors=True)
        if self.mould not in self.at_first:
            self.tokens.clear()
            (self.live / "tmp").mkdir(parents=True)
            how = ("init", "-q", "--bare", "--initial-branch=main", "remote.git")
            self.git(*how, cwd=self.live)
            self.moment(self)
            self.at_first[self.mould] = set(self.tokens)
            shutil.copytree(self.live, self.mould, symlinks=True)
            shutil.rmtree(self.live)
        shutil.copytree(self.mould, self.live, symlinks=True)
        self.tokens = set(self.at_first[self.mould])

    def run(self, name: str = "first", *, call: int = 0, **job: Any) -> Ended:
        """Run one cycle of a machine, with the harm that `job` speaks of."""
        (self.desk / "calls").write_text("0\n")
        environment = {
            "PATH": f"{CHAOS / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "TMPDIR": str(self.live / "tmp"),
            "CHAOS_FOLDER": str(self.desk),
            "CHAOS_GIT": self.worker.real_git,
            "CHAOS_AT": str(call),
            "CHAOS_CALL": job.pop("harm", ""),
        }
        return self.worker.run(
            {
                "machine": {**self.facts(name), "patience": job.pop("patience", "20")},
                "environment": environment,
                "result": str(self.desk / "result.json"),
                **job,
            }
        )

    def calls(self) -> int:
        return int((self.desk / "calls").read_text())

    def check(self, where: str) -> None:
        """Run one plain cycle on each machine; then nothing may be missing."""
        for name in self.names:
            ended = self.run(name)
            if ended.was_killed or ended.error:
                raise Lost(f"{where}: the next cycle of {name}: {ended.trace}")
        self.compare(where)

    def compare(self, where: str) -> None:
        machines = [self.machine(name) for name in self.names]
        tree = machines[0].tree()
        for machine in machines:
            self._demand(machine.tree() == tree, where, "the trees differ")
            self._demand(machine.disk() == tree, where, _differ(machine.disk(), tree))
            self._demand(machine.is_clean(), where, "git status is not clean")
            self._demand(not machine.engine.record().held, where, "something is held")
            self._demand(not machine.repository.leftovers(), where, "leftovers")
        self.git("fsck", "--strict", "--no-dangling", cwd=machines[0].root)
        text = b"\n".join(tree.values())
        gone = sorted(word for word in self.tokens if word.encode() not in text)
        self._demand(not gone, where, f"lost {gone}")
        marked = [path for path, data in tree.items() if MARKER.search(data)]
        self._demand(not marked, where, f"markers in {marked}")
        litter = [str(p) for pattern in LITTER for p in self.live.glob(pattern)]
        self._demand(not litter, where, f"litter {litter}")

    def strike(self, what: str, *, at: int = 0, call: int = 0, **job: Any) -> Ended:
        """Do one harm to one cycle, and demand that nothing comes of it."""
        self.reset()
        ended = self.run(what=what, at=at, harm=what, call=call, **job)
        self.tokens |= {text.strip() for text in ended.done}
        label = ended.seen[at - 1] if 0 < at <= len(ended.seen) else ""
        self.check(f"{what} at {at or call} {label} {ended.error}".strip())
        return ended

    def _demand(self, is_so: bool, where: str, what: str) -> None:
        if not is_so:
            raise Lost(f"{where}: {what}")


def _differ(disk: dict[str, bytes], tree: dict[str, bytes]) -> str:
    paths = sorted(p for p in disk.keys() | tree.keys() if disk.get(p) != tree.get(p))
    return f"the disk differs from the tree: {paths}"
