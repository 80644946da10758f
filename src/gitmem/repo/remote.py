"""The verbs that cross the network: ask, fetch, push."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gitmem.errors import Corrupt, PushRejected
from gitmem.files.names import impossible, shown
from gitmem.repo.address import Address
from gitmem.repo.command import Command
from gitmem.repo.environment import SSH_COMMAND, variables
from gitmem.repo.failure import explain, words
from gitmem.repo.ssh import ssh_command

Progress = Callable[[bytes], None]

# What a remote answers when another push moved the branch between its looking and its
# writing: not a refusal of the content.
_RACE: Final = re.compile(
    r"fetch first|non-fast-forward|stale info|failed to update ref|"
    r"cannot lock ref|failed to lock|incorrect old value|reference already exists"
)
# Git says nothing while a slow line takes what was sent; that a line is dead is seen by
# what carries it, by http.lowSpeedTime and by ssh's own questions.
UPLOAD_SECONDS: Final = 300.0
# Where commits wait that were not looked at yet.
LANDING: Final = "refs/gitmem/incoming"


@dataclass(frozen=True, slots=True)
class RemoteRefs:
    """What a remote offers: its branches by name, and the one it calls its own."""

    branches: dict[str, str]
    default: str | None


class Remote:
    """One remote address, asked on behalf of the repository at a root."""

    def __init__(
        self,
        command: Command,
        address: Address,
        *,
        timeout_seconds: float,
    ) -> None:
        """Remember whom to ask and how long it may stay silent."""
        self.address = address
        self._command = command
        self._timeout_seconds = timeout_seconds
        self._variables = variables(
            command.root,
            protocols=address.protocols,
            ssh_command=ssh_command(command) if address.is_ssh else SSH_COMMAND,
            quiet_seconds=timeout_seconds,
            # What a power cut takes of a fetch, the remote still has.
            is_flushed=False,
        )

    def refs(self) -> RemoteRefs:
        """Ask which branches there are; an empty remote has none."""
        output = self._command.check(
            "ls-remote",
            "--symref",
            "--end-of-options",
            self.address.text,
            "HEAD",
            "refs/heads/*",
            variables=self._variables,
            timeout_seconds=self._timeout_seconds,
        )
        return parse_refs(output)

    def fetch(
        self, branch: str, *, into: str, deepen: bool, progress: Progress | None
    ) -> None:
        """Bring a branch's commits here and point the ref `into` at its tip.

        Raises Corrupt, with `into` unmoved, for files that Git would never commit.
        """
        landing = into if self.address.is_local else LANDING
        self._command.check(
            "fetch",
            "--progress",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            *(["--unshallow"] if deepen else []),
            "--end-of-options",
            self.address.text,
            f"+refs/heads/{branch}:{landing}",
            variables=self._variables,
            timeout_seconds=self._timeout_seconds,
            on_stderr=progress or _ignore,
        )

        if landing != into:
            self._inspect(landing)
            self._local("update-ref", "--no-deref", into, landing)
            self._local("update-ref", "--no-deref", "-d", landing)

    def _inspect(self, landing: str) -> None:
        """Look at the names: Git examines nothing that a plain web server hands out."""
        listed = self._local("ls-tree", "-r", "-z", "--name-only", landing)
        for name in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
            if reason := next(filter(None, map(impossible, name.split("/"))), ""):
                raise Corrupt(
                    f"git fetch: the remote holds {shown(name)[:100]}: {reason}.",
                    "Nothing of it was taken in, and everything is kept here. Take it "
                    "out of the remote on a machine that you trust.",
                )

    def _local(self, *arguments: str) -> bytes:
        return self._command.check(*arguments, variables=variables(self._command.root))

    def push(self, commit: str, branch: str, *, progress: Progress | None) -> None:
        """Move the remote's branch forward to `commit`, never back.

        Returns once the remote itself has said that it took it. Raises PushRejected
        when somebody was faster, BranchProtected, TooLarge and the other SyncErrors.
        """
        finished = self._command.run(
            "push",
            "--porcelain",
            "--progress",
            "--no-verify",
            "--end-of-options",
            self.address.text,
            f"{commit}:refs/heads/{branch}",
            variables=self._variables,
            timeout_seconds=self._timeout_seconds,
            on_stderr=progress or _ignore,
            silence_seconds=None if self.address.is_local else UPLOAD_SECONDS,
        )
        answer = finished.stdout.decode("utf-8", "replace")
        if was_taken(answer, branch):
            # Whatever failed after that on this side, the remote has it.
            return
        if was_outrun(answer):
            raise PushRejected(f"git push: {words(answer)}", "Run `gitmem sync` again.")
        if finished.status != 0:
            raise explain("push", finished.stdout + b"\n" + finished.stderr)
        if self.refs().branches.get(branch) != commit:
            raise Corrupt(
                "git push ended without an error, but the remote does not have it.",
                "Run `gitmem doctor`; everything is kept here.",
            )


def parse_refs(output: bytes) -> RemoteRefs:
    """Read the output of `git ls-remote --symref`."""
    branches: dict[str, str] = {}
    default: str | None = None
    for line in output.decode("utf-8", "replace").splitlines():
        value, _, name = line.partition("\t")
        if value.startswith("ref: ") and name == "HEAD":
            default = value.removeprefix("ref: refs/heads/")
        elif name.startswith("refs/heads/"):
            branches[name.removeprefix("refs/heads/")] = value
    return RemoteRefs(branches, default)


def was_taken(answer: str, branch: str) -> bool:
    """Say whether the porcelain answer of a push reports the branch as updated."""
    return any(
        line[:1] in {" ", "*", "="} and f":refs/heads/{branch}\t" in line
        for line in answer.splitlines()
    )


def was_outrun(answer: str) -> bool:
    """Say whether a push failed only because another one came first."""
    refused = [line for line in answer.splitlines() if line.startswith("!")]
    return bool(refused) and all(_RACE.search(line) for line in refused)


def _ignore(_: bytes) -> None:
    """Take a progress report as a sign of life and nothing more."""
