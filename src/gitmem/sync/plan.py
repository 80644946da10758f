"""From the relation of two tips to the steps that settle it; pure."""

from enum import StrEnum
from typing import Final

from gitmem.sync.state import Relation


class Step(StrEnum):
    """One thing a cycle does after it has committed and fetched."""

    MERGE = "merge"
    TAKE = "take"
    KEEP = "keep"
    PUSH = "push"
    APPLY = "apply"
    HOLD = "hold"


class Decision(StrEnum):
    """What the person said to do about a remote that lost or replaced something."""

    ASK = "ask"
    ACCEPT = "accept"
    KEEP = "keep"


_SIMPLE: Final[dict[Relation, tuple[Step, ...]]] = {
    Relation.NO_REMOTE: (),
    Relation.NOTHING: (),
    Relation.EMPTY_REMOTE: (Step.PUSH,),
    Relation.SAME: (),
    Relation.AHEAD: (Step.PUSH,),
    # There is something to push when deletions of the remote are not taken over.
    Relation.BEHIND: (Step.TAKE, Step.PUSH, Step.APPLY),
    Relation.FORKED: (Step.MERGE, Step.PUSH, Step.APPLY),
}
_ASKED: Final[dict[tuple[Relation, Decision], tuple[Step, ...]]] = {
    (Relation.VANISHED, Decision.KEEP): (Step.PUSH,),
    (Relation.REWRITTEN, Decision.ACCEPT): (Step.MERGE, Step.PUSH, Step.APPLY),
    (Relation.REWRITTEN, Decision.KEEP): (Step.KEEP, Step.PUSH, Step.APPLY),
    (Relation.UNRELATED, Decision.ACCEPT): (Step.MERGE, Step.PUSH, Step.APPLY),
    (Relation.UNRELATED, Decision.KEEP): (Step.KEEP, Step.PUSH, Step.APPLY),
}


def plan(relation: Relation, decision: Decision, *, may_push: bool) -> tuple[Step, ...]:
    """List the steps in order. The push stands before the work tree moves."""
    steps = _SIMPLE.get(relation) or _ASKED.get((relation, decision))
    if steps is None:
        steps = () if relation in _SIMPLE else (Step.HOLD,)
    return tuple(step for step in steps if may_push or step is not Step.PUSH)
