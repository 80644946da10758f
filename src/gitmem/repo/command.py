"""Run one Git process; the only module that imports GitPython.

GitPython's own time-out ends one process and leaves `git-remote-https` behind, so its
process is taken over as it is started and finished here.
"""

import random
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from gitmem.errors import (
    BadConfig,
    Busy,
    Corrupt,
    DeadlineExceeded,
    NoRepository,
    Offline,
    Stopped,
    ToolMissing,
)
from gitmem.files import space
from gitmem.process import (
    PIPE,
    Child,
    Finished,
    Stopper,
    finish,
    forget_variables,
    missing,
)
from gitmem.repo.environment import KEPT_VARIABLES, variables
from gitmem.repo.failure import explain

LOCAL_SECONDS: Final = 120.0
LOCK_SECONDS: Final = 2.0
# With less than this free, a failure that has no name is one of the disk.
FULL_BYTES: Final = 1_000_000
OLDEST_GIT: Final = (2, 38)


class Command:
    """Git processes in one folder; every one opens and closes GitPython anew.

    A `git.Repo` that is kept alive leaks `git cat-file` children and descriptors.
    """

    def __init__(
        self, root: Path, stopper: Stopper | None = None, *, umask: int = -1
    ) -> None:
        """Remember the folder, which need not be a repository yet.

        What its processes make is kept from whom the umask names; -1 is this process's.
        """
        self.root = root
        self._umask = umask
        self.stopper = stopper

    def run(
        self,
        *arguments: str,
        variables: Mapping[str, str],
        stdin: bytes = b"",
        timeout_seconds: float = LOCAL_SECONDS,
        on_stderr: Callable[[bytes], None] | None = None,
        silence_seconds: float | None = None,
    ) -> Finished:
        """Run `git <arguments>` and give back whatever it answered.

        Raises Offline when a command that uses the network was ended, by its deadline
        or by the stopper; DeadlineExceeded or Stopped for any other; ToolMissing
        without Git.
        """
        child = self._start(arguments, variables)
        is_network = variables["GIT_ALLOW_PROTOCOL"] != "none"
        if self.stopper is not None:
            self.stopper.begin(child, is_network=is_network)
        try:
            return finish(
                child,
                timeout_seconds=timeout_seconds,
                stdin=stdin,
                on_stderr=on_stderr,
                silence_seconds=silence_seconds,
                stopper=self.stopper,
            )
        except (DeadlineExceeded, Stopped) as error:
            if not is_network:
                raise
            message = f"The remote did not answer within {timeout_seconds:g} s."
            if isinstance(error, Stopped):
                message = "The exchange with the remote was broken off."
            raise Offline(
                message, "Everything is kept here; the next sync tries again."
            ) from error

    def _start(self, arguments: tuple[str, ...], variables: Mapping[str, str]) -> Child:
        git = _library()
        try:
            started = git.Git(self.root).execute(
                ["git", *arguments],
                istream=PIPE,
                as_process=True,
                env=dict(variables),
                start_new_session=True,
                umask=self._umask,
            )
        except git.GitCommandNotFound as error:
            raise _git_missing() from error
        child = cast("Child", started.proc)
        # Ours to end from here on: the wrapper would signal a process that is gone.
        started.proc = None
        return child

    def check(
        self,
        *arguments: str,
        variables: Mapping[str, str],
        stdin: bytes = b"",
        timeout_seconds: float = LOCAL_SECONDS,
        on_stderr: Callable[[bytes], None] | None = None,
    ) -> bytes:
        """Run `git <arguments>`; raise what its failure means, else its output.

        Waits a moment for a lock that another Git holds, and raises Busy after that.
        """
        ends = time.monotonic() + LOCK_SECONDS
        while True:
            finished = self.run(
                *arguments,
                variables=variables,
                stdin=stdin,
                timeout_seconds=timeout_seconds,
                on_stderr=on_stderr,
            )
            if finished.status == 0:
                return finished.stdout
            error = explain(arguments[0], finished.stderr, status=finished.status)
            if isinstance(error, Corrupt) and self.root.exists():
                # Git does not always say why it could not write.
                space.require(self.root, FULL_BYTES)
            if not isinstance(error, Busy) or time.monotonic() > ends:
                raise error
            # A person's own commit is over in a moment.
            time.sleep(random.uniform(0.02, 0.2))  # noqa: S311  not a secret


def git_version() -> tuple[int, ...]:
    """Read the version of the installed Git, for example (2, 39, 5)."""
    anywhere = Path("/")
    told = Command(anywhere).check("version", variables=variables(anywhere))
    found = re.search(rb"\d+(?:\.\d+)*", told)
    return tuple(int(part) for part in found[0].split(b".")) if found else ()


def require_git() -> None:
    """Raise ToolMissing when Git is absent or cannot merge in the object store."""
    version = git_version()
    if version < OLDEST_GIT:
        found = ".".join(map(str, version))
        raise ToolMissing(
            f"Git {found} is too old to be used safely.",
            "Install Git 2.38 or newer.",
        )


def git_folder(root: Path) -> Path:
    """Find the `.git` folder of a repository, or raise NoRepository."""
    git = _library()
    try:
        with git.Repo(root, expand_vars=False) as opened:
            found = Path(opened.git_dir)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError) as error:
        if (root / ".git").is_dir() and any((root / ".git").iterdir()):
            raise Corrupt(
                f"The memory repository at {root} is damaged.",
                "Run `gitmem sync`, which mends what it can; the files are untouched.",
            ) from error
        raise NoRepository(
            f"There is no memory repository at {root}.", "Create one: gitmem init"
        ) from error
    if (found / "commondir").exists():
        # Its configuration and attributes are another folder's, which nobody checked.
        raise BadConfig(
            f"{root} is a linked work tree of another repository.",
            "Make the memory a repository of its own: gitmem init",
        )
    return found


def _library() -> ModuleType:
    """Import GitPython, having taken away what could redirect it or its children."""
    # GIT_PYTHON_GIT_EXECUTABLE names a program that GitPython runs as it is imported.
    forget_variables("GIT_", keep=KEPT_VARIABLES)
    try:
        import git  # heavy: 80 ms
    except ImportError as error:
        raise _git_missing() from error
    return git


def _git_missing() -> ToolMissing:
    return missing("Git", "Install Git 2.38 or newer.")
