"""Name the state that a repository is found in; pure."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

# The files that every memory begins with; a tree of these alone holds nothing yet.
FURNITURE: Final = frozenset(map(PurePosixPath, (".gitattributes", ".gitignore")))


class State(StrEnum):
    """What a repository's HEAD and Git folder look like before a cycle."""

    UNBORN = "unborn"
    READY = "ready"
    DETACHED = "detached"
    OTHER_BRANCH = "other-branch"
    INTERRUPTED = "interrupted"


class Relation(StrEnum):
    """How the commit here and the remote's tip stand to each other."""

    NO_REMOTE = "no-remote"
    NOTHING = "nothing"
    EMPTY_REMOTE = "empty-remote"
    VANISHED = "vanished"
    SAME = "same"
    AHEAD = "ahead"
    BEHIND = "behind"
    FORKED = "forked"
    REWRITTEN = "rewritten"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Tips:
    """The commits that a relation is made of; None where there is none."""

    local: str | None
    remote: str | None
    seen: str | None
    other_branches: tuple[str, ...] = ()


def state(
    *, head: str | None, branch: str | None, wanted: str, is_interrupted: bool
) -> State:
    """Name the state from what Git reports."""
    if is_interrupted:
        return State.INTERRUPTED
    if branch is None:
        return State.DETACHED
    if branch != wanted:
        return State.OTHER_BRANCH
    return State.UNBORN if head is None else State.READY
