"""Each relation of two tips has its steps, and the push comes before the tree moves."""

import pytest

from gitmem.sync.plan import Decision, Step, plan
from gitmem.sync.state import Relation

MERGE = (Step.MERGE, Step.PUSH, Step.APPLY)
KEEP = (Step.KEEP, Step.PUSH, Step.APPLY)
HOLD = (Step.HOLD,)


@pytest.mark.parametrize(
    ("relation", "ask", "accept", "keep"),
    [
        (Relation.NO_REMOTE, (), (), ()),
        (Relation.NOTHING, (), (), ()),
        (Relation.EMPTY_REMOTE, (Step.PUSH,), (Step.PUSH,), (Step.PUSH,)),
        (Relation.SAME, (), (), ()),
        (Relation.AHEAD, (Step.PUSH,), (Step.PUSH,), (Step.PUSH,)),
        (Relation.BEHIND, *[(Step.TAKE, Step.PUSH, Step.APPLY)] * 3),
        (Relation.FORKED, MERGE, MERGE, MERGE),
        (Relation.VANISHED, HOLD, HOLD, (Step.PUSH,)),
        (Relation.REWRITTEN, HOLD, MERGE, KEEP),
        (Relation.UNRELATED, HOLD, MERGE, KEEP),
    ],
)
def test_steps_of_a_relation(relation, ask, accept, keep):
    found = [plan(relation, decision, may_push=True) for decision in Decision]

    assert found == [ask, accept, keep]


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("relation", Relation)
def test_nothing_is_pushed_where_that_is_not_wished(relation, decision):
    whole = plan(relation, decision, may_push=True)

    assert plan(relation, decision, may_push=False) == tuple(
        step for step in whole if step is not Step.PUSH
    )
