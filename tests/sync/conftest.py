"""Machines that share one memory over a bare repository next door."""

import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from gitmem.repo.repository import Repository
from gitmem.sync.author import Author
from gitmem.sync.check import Rules
from gitmem.sync.create import create
from gitmem.sync.engine import Engine
from gitmem.sync.options import Options
from gitmem.sync.plan import Decision
from gitmem.sync.report import Report

settings.register_profile(
    "large",
    max_examples=300,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

EPOCH = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
# A file of its own for each: the first merge in a process imports PyYAML.
MEMORY = "---\ndescription: {name}\ntags: [base]\ncreated: 2026-01-01\n---\n"


@dataclass
class Clock:
    """A clock that only moves when it is told to."""

    at: datetime = EPOCH

    def __call__(self) -> datetime:
        return self.at

    def advance(self, **span: float) -> None:
        self.at += timedelta(**span)


@dataclass
class Machine:
    """One machine with its clone of the memory."""

    options: Options
    clock: Clock
    git: Callable[..., str]
    engine: Engine = field(init=False)

    def __post_init__(self) -> None:
        self.engine = Engine(self.options)

    @property
    def root(self) -> Path:
        return self.options.root

    @property
    def repository(self) -> Repository:
        return Repository(self.root)

    def with_(self, **changes: Any) -> "Machine":
        return Machine(replace(self.options, **changes), self.clock, self.git)

    def write(self, path: str, text: str | bytes) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def delete(self, *paths: str) -> None:
        for path in paths:
            (self.root / path).unlink()

    def cycle(self, decision: Decision = Decision.ASK) -> Report:
        self.clock.advance(seconds=1)
        return self.engine.cycle(decision=decision)

    def pull(self, **how: Any) -> Report:
        self.clock.advance(seconds=1)
        return self.engine.pull(**how)

    def git_(self, *arguments: str | Path) -> str:
        return self.git(*arguments, cwd=self.root)

    def tip(self) -> str:
        return self.git_("rev-parse", "refs/heads/main").strip()

    def tree(self, revision: str = "refs/heads/main") -> dict[str, bytes]:
        """Give every file that a commit holds."""
        repository = self.repository
        entries = repository.tree(revision)
        blobs = repository.blobs(
            e.oid for e in entries.values() if e.mode.startswith("100")
        )
        return {str(p): blobs[e.oid] for p, e in entries.items() if e.oid in blobs}

    def text(self, revision: str = "refs/heads/main") -> bytes:
        """Give all that a commit holds, to look for a word in."""
        return b"\n".join(self.tree(revision).values())

    def disk(self) -> dict[str, bytes]:
        """Give every file of the work tree."""
        return {
            str(PurePosixPath(path.relative_to(self.root))): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(self.root).parts
        }

    def is_clean(self) -> bool:
        return not self.git_("status", "--porcelain", "--untracked-files=all").strip()

    def log(self) -> list[str]:
        return self.git_("log", "--format=%s", "refs/heads/main").splitlines()


MachineMaker = Callable[..., Machine]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def machine(tmp_path: Path, git, clock: Clock) -> MachineMaker:
    """Make machines by name, by default with the shared bare remote."""

    def make(name: str, **changes: Any) -> Machine:
        options = Options(
            root=tmp_path / name / "memory",
            state=tmp_path / name / "state",
            branch="main",
            url=str(tmp_path / "remote.git"),
            author=Author(machine=name),
            rules=Rules(max_file_bytes=1_000_000, secrets="block"),
            now=clock,
            timeout_seconds=30,
            fetch_ttl=timedelta(hours=12),
        )
        made = Machine(replace(options, **changes), clock, git)
        if not (made.root / ".git").exists():
            create(made.options)
        return made

    return make


@pytest.fixture(scope="session")
def moulds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep what one test laid out and all others copy."""
    return tmp_path_factory.mktemp("moulds")


@pytest.fixture
def cast(moulds: Path, tmp_path: Path) -> Callable[..., bool]:
    """Lay out a folder as it was laid out before; False the first time."""

    def copy(name: str, *, back: bool = False) -> bool:
        if back:
            shutil.copytree(tmp_path, moulds / name)
            (moulds / name / "former").write_text(str(tmp_path), "utf-8")
        elif (moulds / name).exists():
            shutil.copytree(moulds / name, tmp_path, dirs_exist_ok=True)
            former = (tmp_path / "former").read_text("utf-8")
            for pattern in ("*/memory/.git/*", "*/state/*"):
                for path in tmp_path.glob(pattern):
                    replace_text(path, former, str(tmp_path))
        return (moulds / name).exists()

    return copy


@pytest.fixture
def alone(machine: MachineMaker, cast) -> Machine:
    """Give one machine without a remote."""
    is_made = cast("alone")
    made = machine("alone", url=None)
    if not is_made:
        cast("alone", back=True)
    return made


@pytest.fixture
def pair(machine: MachineMaker, bare_remote: Path, cast) -> tuple[Machine, Machine]:
    """Give two machines that have pushed and stand on the same commit."""
    is_made = cast("pair")
    made = machine("first")
    if not is_made:
        made.cycle()
    second = machine("second")
    if not is_made:
        second.cycle()
        cast("pair", back=True)
    return made, second


@pytest.fixture
def first(pair: tuple[Machine, Machine]) -> Machine:
    """Give a machine that has pushed its first commit."""
    return pair[0]


def settled(machines: Iterable[Machine], rounds: int = 3) -> None:
    """Let machines exchange until nothing is left to say."""
    for _ in range(rounds):
        for each in machines:
            each.cycle()


def write_all(machine: Machine, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        machine.write(path, text)


def numbered(count: int, folder: str = "notes") -> dict[str, str]:
    return {f"{folder}/n{i:04}.md": f"note number{i}\n" for i in range(count)}


def replace_text(path: Path, old: str, new: str) -> None:
    if path.name in {"config", "FETCH_HEAD", "sync.json"}:
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def protect(remote: Path, script: str = "echo no >&2; exit 1\n") -> None:
    """Let a remote refuse, or do something else, before it takes a push."""
    hook = remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
    hook.chmod(0o755)


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False
    )
