"""What every test stands on: an empty home, no settings from outside, real Git."""

import os
import subprocess
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

# A busy machine must not make a property test fail.
settings.register_profile(
    "steady",
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")

FOREIGN_PREFIXES = ("GIT_", "GITMEM_", "SSH_", "XDG_")
FOREIGN_NAMES = {
    "CI",
    "COLUMNS",
    "EDITOR",
    "FORCE_COLOR",
    "NO_COLOR",
    "PAGER",
    "VISUAL",
}
IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in {"NAME": "Test Person", "EMAIL": "test@example.invalid"}.items()
}


class Git(Protocol):
    """Runs the real git with a fixed identity."""

    def __call__(self, *args: str | Path, cwd: Path) -> str: ...


@pytest.fixture(autouse=True)
def empty_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Give the test a home of its own, and none of the person's settings."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(FOREIGN_PREFIXES) or name in FOREIGN_NAMES:
            monkeypatch.delenv(name)
    (home / ".gitconfig").touch()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "0")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name, folder in {
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
        "XDG_CACHE_HOME": ".cache",
        "XDG_RUNTIME_DIR": ".run",
    }.items():
        (home / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        monkeypatch.setenv(name, str(home / folder))
    return home


@pytest.fixture
def git(empty_home: Path) -> Git:
    """Run the real git: `git("status", cwd=folder)` says what it printed."""

    def run(*args: str | Path, cwd: Path) -> str:
        done = subprocess.run(
            ["git", *map(str, args)],
            cwd=cwd,
            env={**os.environ, **IDENTITY},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if done.returncode:
            command = " ".join(map(str, args))
            pytest.fail(f"git {command} in {cwd}: {done.returncode}\n{done.stderr}")
        return done.stdout

    return run


@pytest.fixture
def bare_remote(tmp_path: Path, git: Git) -> Path:
    """Make an empty bare repository to push to."""
    remote = tmp_path / "remote.git"
    git("init", "--quiet", "--bare", "--initial-branch=main", remote, cwd=tmp_path)
    return remote


@pytest.fixture(autouse=True)
def _start_in_an_empty_folder(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep a command that forgets its folder out of the checkout."""
    monkeypatch.chdir(tmp_path_factory.mktemp("cwd"))
