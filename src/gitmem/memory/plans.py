"""Read a plan to tidy memories: which go into which, and which tags change; pure."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gitmem.errors import UsageError
from gitmem.files.names import shown

_HINT: Final = "`gitmem tags --help` shows what a plan looks like."
_OF_PLAN: Final = ("merges", "renames", "hashes")
# A reason is for whoever reads the plan.
_OF_MERGE: Final = ("keep", "drop", "text", "description", "tags", "reason")
_OF_RENAME: Final = ("from", "to", "layer", "reason")


@dataclass(frozen=True, slots=True)
class Merge:
    """Memories that go into one; what the plan does not say of it stays or is joined.

    `keep` and `drop` name memories by path.
    """

    keep: str
    drop: tuple[str, ...]
    text: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None

    @property
    def is_plain(self) -> bool:
        """Say whether the memories alone decide what comes of it."""
        return self.text is None and self.description is None and self.tags is None


@dataclass(frozen=True, slots=True)
class Rename:
    """A tag that is to be another one, in one layer (empty: in each that is used)."""

    old: str
    new: str
    layer: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody proposes, in order; `hashes` are of the memories as they saw them.

    A plan proposes; what comes of it is decided by what there is.
    """

    merges: tuple[Merge, ...] = ()
    renames: tuple[Rename, ...] = ()
    hashes: Mapping[str, str] = field(default_factory=dict)


def parse(data: bytes) -> Plan:
    """Read a plan from JSON; raises UsageError, which says where it is none."""
    try:
        found = json.loads(data, object_pairs_hook=_told_once)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The plan is no JSON: {error}.", _HINT) from error
    whole = _object(found, "The plan", _OF_PLAN)
    merges = _items(whole, "merges")
    renames = _items(whole, "renames")
    hashes = _mapping(whole.get("hashes", {}), "hashes")
    return Plan(
        tuple(_merge(each, f"merges[{n}]") for n, each in enumerate(merges)),
        tuple(_rename(each, f"renames[{n}]") for n, each in enumerate(renames)),
        {path: _text(hashes, path, "hashes") for path in hashes},
    )


def _told_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a field that stands twice: only one of the two would count."""
    whole = dict(pairs)
    if len(whole) == len(pairs):
        return whole
    ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
    raise UsageError(
        f"The plan says {shown(twice)} twice in one place.",
        "Make one field of the two.",
    )


def _merge(found: object, where: str) -> Merge:
    given = _object(found, where, _OF_MERGE)
    return Merge(
        keep=_text(given, "keep", where),
        drop=_texts(given, "drop", where),
        text=_optional(given, "text", where),
        description=_optional(given, "description", where),
        tags=None if given.get("tags") is None else _texts(given, "tags", where),
    )


def _rename(found: object, where: str) -> Rename:
    given = _object(found, where, _OF_RENAME)
    return Rename(
        old=_text(given, "from", where),
        new=_text(given, "to", where),
        layer=_optional(given, "layer", where) or "",
    )


def _items(whole: Mapping[str, Any], name: str) -> list[Any]:
    found = whole.get(name, [])
    if isinstance(found, list):
        return found
    raise _refusal(name, "a list")


def _object(found: object, where: str, names: tuple[str, ...]) -> Mapping[str, Any]:
    """Take an object of these fields: what is misspelled would count for nothing."""
    given = _mapping(found, where)
    unknown = next((name for name in given if name not in names), None)
    if unknown is None:
        return given
    raise UsageError(
        f"{where} has no field {shown(unknown)}.", f"Its fields are {', '.join(names)}."
    )


def _mapping(found: object, where: str) -> Mapping[str, Any]:
    if isinstance(found, dict):
        return found
    raise _refusal(where, "an object")


def _text(given: Mapping[str, Any], name: str, where: str) -> str:
    found = given.get(name)
    if isinstance(found, str):
        return found
    raise _refusal(f"{where}.{name}", "text")


def _optional(given: Mapping[str, Any], name: str, where: str) -> str | None:
    return None if given.get(name) is None else _text(given, name, where)


def _texts(given: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    found = given.get(name)
    listed = [found] if isinstance(found, str) else found
    if isinstance(listed, list) and all(isinstance(each, str) for each in listed):
        return tuple(listed)
    raise _refusal(f"{where}.{name}", "a list of texts")


def _refusal(where: str, wanted: str) -> UsageError:
    return UsageError(f"{where} is not {wanted}.", _HINT)
