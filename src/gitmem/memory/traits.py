"""Read the fields of a memory that say when it matters, and to what; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from gitmem.memory.memory import Value, field_value
from gitmem.memory.tags import canonical

KIND: Final = "note"
ATTENTION: Final = "reference"
OPEN_LOOP: Final = "open-loop"
# More of them would be a list of words, not a choice.
NAMES_AT_MOST: Final = 50
NAME_LIMIT: Final = 100
# What marks are made of.
_MARKED: Final = frozenset(
    {"triggers", "subjects", "domains", "key", "relations", "attention"}
)
# What traits are made of; most memories say none of it.
_READ: Final = _MARKED | {
    *("kind", "status", "priority", "pinned", "sensitivity"),
    *("recorded", "ended", "review_after"),
}
# Any other word for how sensitive it is may mean that it is.
_SHOWABLE: Final = frozenset(
    {"", "public", "personal", "none", "no", "false", "low", "normal"}
)
# What people write for one that does not hold any more; `stable` is no such word.
_OVER: Final = frozenset(
    {"superseded", "archived", "obsolete", "deprecated", "retired", "replaced"}
    | {"expired", "ended", "closed", "done", "inactive", "rejected", "withdrawn"}
)


@dataclass(frozen=True, slots=True)
class Traits:
    """What a memory says of itself beside its text; a plain note says nothing.

    Words are in their plain form: `Open-Loop` and `open_loop` are `open-loop`.
    `targets` are the keys that its relations lead to. Dates that cannot be read are
    none.
    """

    kind: str = KIND
    attention: str = ATTENTION
    status: str = "active"
    priority: str = "normal"
    is_pinned: bool = False
    is_sensitive: bool = False
    key: str = ""
    triggers: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    recorded: date | None = None
    ended: date | None = None
    review_after: date | None = None

    def is_open(self, today: date) -> bool:
        """Say whether it is a loop that nobody closed yet."""
        return (
            self.attention == OPEN_LOOP
            and self.status == "active"
            and not (self.ended and self.ended <= today)
        )


def traits(fields: Mapping[str, Any]) -> Traits:
    """Read them; what is unknown or odd is as if it were not there."""
    if "metadata" not in fields and _READ.isdisjoint(fields):
        return Traits()
    return Traits(
        kind=_word(fields, "kind") or KIND,
        attention=_word(fields, "attention") or ATTENTION,
        status=_status(fields),
        priority=_word(fields, "priority") or "normal",
        is_pinned=_word(fields, "pinned") == "true",
        is_sensitive=_word(fields, "sensitivity") not in _SHOWABLE,
        key=_key(fields),
        triggers=_names(fields, "triggers"),
        subjects=_names(fields, "subjects"),
        domains=_names(fields, "domains"),
        targets=tuple(_targets(field_value(fields, "relations"))),
        recorded=_date(fields, "recorded"),
        ended=_date(fields, "ended"),
        review_after=_date(fields, "review_after"),
    )


def names_of(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give the marks of a memory; most have none, and are not read for them."""
    if "metadata" in fields or not _MARKED.isdisjoint(fields):
        yield from marks(traits(fields))


def marks(found: Traits) -> Iterator[tuple[str, str]]:
    """Give the names under which a memory is looked up: what each is, and its key.

    A subject such as `person:sam` answers to `sam` as well.
    """
    named = {
        "trigger": found.triggers,
        "subject": (*found.subjects, *(_last(name) for name in found.subjects)),
        "domain": (*found.domains, *(_last(name) for name in found.domains)),
        "key": (found.key,),
        "target": found.targets,
        "attention": (found.attention,) if found.attention == OPEN_LOOP else (),
    }
    pairs = ((what, canonical(name)) for what, names in named.items() for name in names)
    yield from dict.fromkeys(pair for pair in pairs if pair[1])


def _last(name: str) -> str:
    return name.rpartition(":")[2]


def _status(fields: Mapping[str, object]) -> str:
    said = _word(fields, "status")
    return said if said in _OVER else "active"


def _word(fields: Mapping[str, Any], name: str) -> str:
    value = field_value(fields, name)
    text = value if isinstance(value, str) else ""
    return "-".join(text.casefold().replace("_", "-").split())


def _key(fields: Mapping[str, Any]) -> str:
    value = field_value(fields, "key")
    return value.strip()[:NAME_LIMIT] if isinstance(value, str) else ""


def _names(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = field_value(fields, name)
    written = value.split(",") if isinstance(value, str) else list(value)
    texts = (" ".join(each.split()) for each in written if isinstance(each, str))
    kept = [each for each in texts if each and len(each) <= NAME_LIMIT]
    return tuple(dict.fromkeys(kept))[:NAMES_AT_MOST]


def _targets(value: Value) -> Iterator[str]:
    relations = value if isinstance(value, list) else [value]
    for each in relations[:NAMES_AT_MOST]:
        target = each.get("target") if isinstance(each, dict) else each
        if isinstance(target, str) and target.strip():
            yield target.strip()[:NAME_LIMIT]


def _date(fields: Mapping[str, Any], name: str) -> date | None:
    value = field_value(fields, name)
    try:
        return (
            date.fromisoformat(value.strip()[:10]) if isinstance(value, str) else None
        )
    except ValueError:
        return None
