"""What a person is told when a cycle waits for them, and how they settle it."""

from collections.abc import Iterable
from typing import Final

from gitmem.errors import Diverged
from gitmem.sync.capture import MASS_COUNT
from gitmem.sync.state import Relation, Tips

_INTERRUPTED: Final = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "sequencer": "series of picks",
}
_UNMERGED: Final = ("files that a merge had left open",)
_CHOICES: Final = (
    "`gitmem sync --accept` takes in what the remote has beside what is here; "
    "`gitmem sync --keep` keeps what is here as it is and pushes it."
)
_MASS: Final = (
    f"So many at once (more than {MASS_COUNT} files, and more than a quarter of all) "
    "may be an accident"
)


def in_one(question: Diverged) -> str:
    """Say in one text what waits, why, and the commands that settle it."""
    return f"{question.message} {question.hint}"


def held(relation: Relation, tips: Tips, branch: str) -> Diverged:
    """Say why nothing was merged, and which two commands go on from there."""
    if relation is Relation.VANISHED:
        others = ", ".join(tips.other_branches[:5])
        instead = f"; it has {others}" if others else ""
        return Diverged(
            f"The remote has no branch {branch}{instead}.",
            "`gitmem sync --keep` pushes the branch from here; or set sync.branch to "
            "the branch that holds the memory.",
        )
    if relation is Relation.REWRITTEN:
        return Diverged(
            f"The remote's history was rewritten: {_short(tips.seen)} is gone from it.",
            f"Nothing was changed here. {_CHOICES}",
        )
    return Diverged(
        "The remote holds a history that has nothing in common with the one here.",
        f"Nothing was changed here. {_CHOICES}",
    )


def incoming_deletion(count: int, total: int) -> Diverged:
    """Say that the remote deletes a large part of the memory."""
    return Diverged(
        f"The remote deletes {count} of {total} files.",
        f"{_MASS}, so nothing was changed here. `gitmem sync --accept` deletes them "
        "here too; `gitmem sync --keep` keeps them and pushes them back.",
    )


def outgoing_deletion(count: int, total: int) -> Diverged:
    """Say that a large part of the memory is missing on disk."""
    return Diverged(
        f"{count} of {total} files are missing here.",
        f"{_MASS}, so their deletion is not committed. `gitmem sync --accept` commits "
        "it, and each other machine asks once before it deletes them too; "
        "`gitmem sync --keep` brings them back.",
    )


def interrupted(leftovers: Iterable[str]) -> tuple[str, ...]:
    """Name what was interrupted, from what lies in the Git folder."""
    names = dict.fromkeys(_INTERRUPTED.get(each, each) for each in leftovers)
    return tuple(f"an interrupted {name}" for name in names) or _UNMERGED


def recovered(branch: str, oid: str) -> str:
    """Say that a branch that was gone is there again."""
    return f"the branch {branch}, which was gone: it stands at {_short(oid)} again"


def brought_home(branch: str | None, home: str) -> str:
    """Say that the memory's branch is checked out again, and what was before."""
    where = f"the branch {branch}" if branch else "no branch"
    return f"a checkout of {where}: {home} is checked out again, with all of it"


def _short(oid: str | None) -> str:
    return (oid or "")[:12]
