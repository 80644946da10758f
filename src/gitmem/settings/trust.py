"""Decide what a project's settings file may set, and why not the rest; pure.

A project is a folder that somebody else may have written. It may make gitmem do less,
and choose among what the person's settings already allow.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from gitmem.files.names import is_of_git

# Each entry costs a look at the disk at every start.
MOST_ENTRIES: Final = 100
_OUTSIDE: Final = "it leads outside the project and the memory"
_GITS_OWN: Final = "the files of Git itself are shown to nobody"


class Wish(StrEnum):
    """In which way a project may set a key; worded for the reference."""

    NEVER = "never"
    ONLY_FALSE = "only to `false`"
    ONLY_TRUE = "only to `true`"
    ONLY_LOWER = "only lower than yours"
    ONLY_MANUAL = "only to `manual`"
    MAY_ADD = "may add to yours"
    ADDS_INSIDE = "may add to yours, inside the project or the memory"
    FREELY = "yes"


@dataclass(frozen=True)
class Verdict:
    """What becomes of a project's wish: the value it leads to, and what was refused.

    `grants` is false when nothing of the wish is used.
    """

    grants: bool
    value: object
    refused: tuple[tuple[object, str], ...]


ALLOW_LIST: Final[Mapping[str, Wish]] = MappingProxyType(
    {
        "enabled": Wish.ONLY_FALSE,
        "delivery.mode": Wish.FREELY,
        "delivery.start": Wish.FREELY,
        "delivery.turn": Wish.FREELY,
        "delivery.max_cues": Wish.ONLY_LOWER,
        "delivery.budget.start": Wish.ONLY_LOWER,
        "delivery.budget.turn": Wish.ONLY_LOWER,
        "tags.contract": Wish.FREELY,
        "tape.enabled": Wish.ONLY_FALSE,
        "tape.only_git": Wish.ONLY_TRUE,
        "tape.thread": Wish.ONLY_FALSE,
        "tape.exclude_dirs": Wish.MAY_ADD,
        "tape.context.strategy": Wish.FREELY,
        "tape.context.file_limit": Wish.ONLY_LOWER,
        "tape.context.memory_scan": Wish.FREELY,
        "tape.context.whitelist": Wish.ADDS_INSIDE,
        "tape.context.blacklist": Wish.ADDS_INSIDE,
        "tape.anchor.mode": Wish.ONLY_MANUAL,
        "tape.anchor.keywords.project": Wish.FREELY,
        "recall.enabled": Wish.ONLY_FALSE,
        "dream.enabled": Wish.ONLY_FALSE,
    }
)
_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "memory_dir": "a project must not choose where your memory is",
        "hooks": "a project must not choose what happens in your sessions",
        "sync": "a project must not change how your memory is synced",
        "security": "a project must not loosen the search for credentials",
        "tags": "a project must not change when your tags are reviewed",
        "search": "a project must not choose which model reads your memory",
        "tape": "a project must not change where and how your work is recorded",
        "model": "a project must not choose which model reads your memory",
        "recall": "a project may only switch recall off",
        "dream": "a project may only switch dreams off",
        "extract": "a project must not let a model read your sessions",
        "daemon": "a project must not control your daemon",
        "mcp": "a project must not choose what agents may do unasked",
    }
)


def wish(key: str) -> Wish:
    """Say in which way a project may set a key."""
    return ALLOW_LIST.get(key, Wish.NEVER)


def reason(key: str) -> str:
    """Say why a project may not set a key, which may be unknown (empty)."""
    return _REASONS.get(key.partition(".")[0], "there is no such setting")


def judge(
    key: str, value: object, yours: object, is_inside: Callable[[str], bool]
) -> Verdict:
    """Weigh a project's valid value for a key against the person's own.

    `is_inside` says whether an entry leads into the project or the memory.
    """
    rule = wish(key)
    if rule is Wish.NEVER:
        return _refused(value, reason(key))
    if isinstance(value, tuple) and len(value) > MOST_ENTRIES:
        return _refused(value, f"a project may list {MOST_ENTRIES} entries at most")
    if rule is Wish.MAY_ADD:
        return Verdict(grants=True, value=_added(yours, value), refused=())
    if rule is Wish.ADDS_INSIDE:
        return _inside(yours, value, is_inside)
    if complaint := _complaint(rule, value, yours):
        return _refused(value, complaint)
    return Verdict(grants=True, value=value, refused=())


def _refused(value: object, reason: str) -> Verdict:
    return Verdict(grants=False, value=None, refused=((value, reason),))


def _complaint(rule: Wish, value: object, yours: object) -> str:
    if rule is Wish.ONLY_FALSE and value is not False:
        return "a project may only switch this off"
    if rule is Wish.ONLY_TRUE and value is not True:
        return "a project may only switch this on"
    if rule is Wish.ONLY_MANUAL and value != "manual":
        return "a project may only set this to manual"
    if rule is Wish.ONLY_LOWER and not _is_lower(value, yours):
        return f"a project may only lower this, and yours is {yours}"
    return ""


def _is_lower(value: object, yours: object) -> bool:
    return isinstance(value, int) and isinstance(yours, int) and value <= yours


def _added(yours: object, wanted: object) -> tuple[object, ...]:
    mine = yours if isinstance(yours, tuple) else ()
    theirs = wanted if isinstance(wanted, tuple) else ()
    return (*mine, *(entry for entry in theirs if entry not in mine))


def _inside(yours: object, wanted: object, is_inside: Callable[[str], bool]) -> Verdict:
    entries = wanted if isinstance(wanted, tuple) else ()
    inside = tuple(
        entry
        for entry in entries
        if is_inside(str(entry)) and not is_of_git(str(entry))
    )
    refused = tuple(
        (entry, _GITS_OWN if is_of_git(str(entry)) else _OUTSIDE)
        for entry in entries
        if entry not in inside
    )
    return Verdict(grants=bool(inside), value=_added(yours, inside), refused=refused)
