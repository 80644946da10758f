"""Bring what is here and what is there together, step by step as planned."""

from collections.abc import Sequence
from typing import NoReturn

from gitmem.errors import Diverged, SyncError
from gitmem.sync import messages
from gitmem.sync.author import message
from gitmem.sync.capture import is_mass
from gitmem.sync.exchange import push
from gitmem.sync.integrate import merge_commits
from gitmem.sync.plan import Decision, Step, plan
from gitmem.sync.state import FURNITURE, Relation, Tips
from gitmem.sync.workspace import Workspace


def advance(
    work: Workspace,
    tips: Tips,
    decision: Decision,
    *,
    may_push: bool,
    may_set_aside: bool,
) -> None:
    """Carry out the plan for these tips.

    A push that is refused for good still lets the work tree move; its error is raised
    at the end. Raises PushRejected when somebody was faster, StaleWrite when a file
    changed meanwhile, and Diverged when the person has to decide.
    """
    relation = relate(work, tips)
    if relation is Relation.SAME and work.record.push.failed_at:
        # An earlier push had landed, or somebody pushed by hand.
        work.note(push=work.record.push.succeeded(tips.local or "", work.now()))
    target = tips.local
    refusal: SyncError | None = None
    for step in plan(relation, decision, may_push=may_push):
        match step:
            case Step.HOLD:
                _hold(work, messages.held(relation, tips, work.options.branch))
            case Step.TAKE | Step.MERGE | Step.KEEP:
                # Others push while the disk is waited for; what is here is on it.
                with work.repository.unflushed():
                    target = _target(work, step, tips, decision)
            case Step.PUSH if target and target != tips.remote and work.address:
                refusal = push(work, work.address, target, expected=tips.remote)
            case Step.APPLY if target and target != tips.local:
                _apply(work, tips, target, may_set_aside=may_set_aside)
    _note_seen(work, tips, target)
    if refusal is not None:
        raise refusal


def relate(work: Workspace, tips: Tips) -> Relation:
    """Say how what is here stands to what is there."""
    if work.address is None:
        return Relation.NO_REMOTE
    if tips.remote is None:
        return _relate_to_nothing(tips)
    if tips.local is None:
        return Relation.BEHIND
    if tips.local == tips.remote:
        return Relation.SAME
    if tips.seen and not _still_holds(work, tips.local, tips.remote, tips.seen):
        return Relation.REWRITTEN
    return _relate_histories(work, tips.local, tips.remote)


def joined(work: Workspace, ours: str, theirs: str) -> str:
    """Give a commit that contains both, without asking anybody."""
    if _contains(work, ours, theirs):
        return ours
    if _contains(work, theirs, ours):
        return theirs
    return _merge(work, ours, theirs, Decision.ACCEPT)


def _relate_to_nothing(tips: Tips) -> Relation:
    if tips.local is None:
        return Relation.NOTHING
    if tips.seen or tips.other_branches:
        return Relation.VANISHED
    return Relation.EMPTY_REMOTE


def _relate_histories(work: Workspace, local: str, remote: str) -> Relation:
    if _contains(work, local, remote):
        return Relation.AHEAD
    if _contains(work, remote, local):
        return Relation.BEHIND
    if work.partings(local, remote):
        return Relation.FORKED
    if any(work.repository.tree(tip).keys() <= FURNITURE for tip in (local, remote)):
        # Two machines that began before either of them had pushed.
        return Relation.FORKED
    return Relation.UNRELATED


def _contains(work: Workspace, newer: str, older: str) -> bool:
    return newer == older or work.partings(newer, older) == (older,)


def _still_holds(work: Workspace, local: str, remote: str, seen: str) -> bool:
    """Say whether what the remote held when it was last seen is still in it."""
    return seen in work.partings(local, remote) or _contains(work, remote, seen)


def _target(work: Workspace, step: Step, tips: Tips, decision: Decision) -> str:
    """Make the commit that the branch is to stand on."""
    local, remote = tips.local, tips.remote or ""
    if local is None:
        return remote
    if step is Step.TAKE:
        return _guarded(work, local, remote, (remote,), decision)
    if _contains(work, local, remote):
        return local
    if step is Step.KEEP:
        return _commit(work, work.repository.tree_of(local), (local, remote))
    return _merge(work, local, remote, decision)


def _merge(work: Workspace, ours: str, theirs: str, decision: Decision) -> str:
    work.require_git()
    merged = merge_commits(
        work.repository, ours, theirs, parted_at=work.partings(ours, theirs)
    )
    work.tell(
        merged=_holds_memories(work, ours, theirs),
        copies=(*work.report.copies, *merged.copies),
    )
    return _guarded(work, ours, merged.tree, (ours, theirs), decision)


def _holds_memories(work: Workspace, ours: str, theirs: str) -> bool:
    """Say whether there was anything of this machine's own to merge."""
    return bool(
        work.partings(ours, theirs) or work.repository.tree(ours).keys() - FURNITURE
    )


def _guarded(
    work: Workspace, local: str, new: str, parents: Sequence[str], decision: Decision
) -> str:
    """Hold, or undo, the deletion of a large part of the memory by the remote."""
    changes = work.repository.changed(local, new)
    moved = {change.new.oid for change in changes}
    gone = [c for c in changes if not c.new.mode and c.old.oid not in moved]
    total = len(work.repository.tree(local)) if gone else 0
    if is_mass(len(gone), total):
        paths = [change.path for change in gone]
        if decision is Decision.ACCEPT:
            work.remember(accepted=paths)
        elif decision is Decision.KEEP:
            tree = work.repository.edit_tree(new, {c.path: c.old for c in gone})
            return _commit(work, tree, parents)
        elif not set(map(str, paths)) <= set(work.record.accepted):
            _hold(work, messages.incoming_deletion(len(gone), total))
    is_commit = parents == (new,)
    return new if is_commit else _commit(work, new, parents)


def _commit(work: Workspace, tree: str, parents: Sequence[str]) -> str:
    scribe = work.scribe()
    return work.repository.commit_tree(
        tree,
        parents,
        message("memory(*): merge", scribe.author.outside_sessions()),
        by=scribe.person(),
        at=scribe.now(),
        sign=scribe.sign,
    )


def _apply(work: Workspace, tips: Tips, target: str, *, may_set_aside: bool) -> None:
    old = tips.local or work.repository.empty_tree()
    work.move(old, target, may_set_aside=may_set_aside)
    work.repository.move_ref(work.branch_ref, target, old=tips.local)
    work.repository.refresh_index()


def _note_seen(work: Workspace, tips: Tips, target: str | None) -> None:
    """Remember the remote's tip once what it holds is in the branch here."""
    if (
        target
        and tips.remote not in {None, tips.seen}
        and not work.report.pushed
        and _contains(work, target, tips.remote or "")
    ):
        work.repository.set_ref(work.seen_ref, tips.remote or "")


def _hold(work: Workspace, reason: Diverged) -> NoReturn:
    work.note(held=messages.in_one(reason))
    raise reason
