"""Keep what can be used of one source of settings, and tell the rest.

Imports pydantic, and therefore only `settings.build` imports it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from gitmem.files.names import shown
from gitmem.settings import spelling, trust
from gitmem.settings.checks import CHECKS, Disallowed, allowed
from gitmem.settings.model import Key, keys
from gitmem.settings.places import expanded
from gitmem.settings.report import (
    SHOWN_LIMIT,
    Problem,
    ProblemKind,
    Refusal,
    safe,
)

KEYS: Final[Mapping[str, Key]] = MappingProxyType({key.dotted: key for key in keys()})
# A flood of keys must not hide a refusal, or fill the snapshot.
MOST_UNKNOWN: Final = 20
_HOME_KINDS: Final = frozenset({"folder", "folders", "model-folder", "place"})


@dataclass
class Findings:
    """What comes to light while the sources are cleaned, one after the other."""

    problems: list[Problem] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


@dataclass(frozen=True)
class Cleaner:
    """Cleans one source; `place` names the source of a key to a person."""

    place: Callable[[str], str]
    environment: Mapping[str, str]
    findings: Findings

    def clean(self, document: Mapping[str, object]) -> dict[str, object]:
        """Keep the valid values of a person's source, by dotted key."""
        values: dict[str, object] = {}
        for item in spelling.spelled(document):
            if not item.key:
                self.tell_unknown(item.written)
            else:
                self._take(item, values)
        return values

    def clean_stranger(
        self,
        document: Mapping[str, object],
        person: Mapping[str, object],
        is_inside: Callable[[str], bool],
    ) -> dict[str, object]:
        """Keep what a project may set, as far as it may."""
        granted: dict[str, object] = {}
        found = list(spelling.spelled(document))
        wishes = {item.key: item for item in found if item.key}
        for key, item in wishes.items():
            if trust.wish(key) is trust.Wish.NEVER:
                self.refuse(item.written, item.value, trust.reason(key))
            elif (value := self._wished(item)) is not None:
                yours = person.get(key, KEYS[key].default)
                verdict = trust.judge(key, value, yours, is_inside)
                for refused, reason in verdict.refused:
                    self.refuse(item.written, refused, reason)
                if verdict.grants:
                    granted[key] = verdict.value
        self._refuse_unknown([item for item in found if not item.key])
        return granted

    def tell(self, kind: ProblemKind, key: str, value: str, message: str) -> None:
        """Note a problem of this source."""
        problem = Problem(kind, self.place(key), _short(key), value, message)
        self.findings.problems.append(problem)

    def _wished(self, item: spelling.Spelled) -> object:
        wishes: dict[str, object] = {}
        self._take(item, wishes)
        return wishes.get(item.key)

    def _refuse_unknown(self, unknown: Sequence[spelling.Spelled]) -> None:
        for item in unknown[:MOST_UNKNOWN]:
            self.refuse(item.written or '""', item.value, trust.reason(""))
        more = len(unknown) - MOST_UNKNOWN
        if more > 0:
            self.refuse("…", None, f"there are {more} more keys without a setting")

    def _take(self, item: spelling.Spelled, values: dict[str, object]) -> bool:
        """Put a value among the others, if it may be written there."""
        if item.is_old:
            self.tell_old(item.written, item.key)
        try:
            values[item.key] = checked(item.key, item.value, self.environment)
        except Disallowed as error:
            message = f"it must be {error}"
            value = safe(item.value)
            self.tell(ProblemKind.WRONG_VALUE, item.written, value, message)
            return False
        return True

    def tell_old(self, written: str, current: str) -> None:
        """Note a key that has another spelling today."""
        message = f"this is an old spelling; write {current}"
        self.tell(ProblemKind.OLD_SPELLING, written, "", message)

    def tell_unknown(self, written: str) -> None:
        """Note a key that names no setting, and the one that may be meant."""
        if spelling.is_section(written):
            message = f"it is a section and has no value; write [{_short(written)}]"
            self.tell(ProblemKind.UNKNOWN_KEY, written, "", message)
            return
        near = spelling.nearest(written)
        nearest = f"; the nearest is {near}" if near else ""
        message = f"there is no such setting{nearest}"
        self.tell(ProblemKind.UNKNOWN_KEY, written, "", message)

    def refuse(self, key: str, value: object, reason: str) -> None:
        """Note a wish of this source that is not granted."""
        shown_value = "" if value is None else safe(value)
        refusal = Refusal(self.place(key), _short(key), shown_value, reason)
        self.findings.refused.append(refusal)


def checked(key: str, written: object, environment: Mapping[str, str]) -> object:
    """Turn what was written for a key into its value.

    Raises Disallowed with what is allowed.
    """
    row = KEYS[key]
    value = written
    if row.knob.kind in _HOME_KINDS:
        value = _at_home(value, environment)
    try:
        if row.knob.kind:
            value = CHECKS[row.knob.kind](value)
        return annotated(row).validate_python(_not_a_flag(value, row))
    except (Disallowed, ValidationError) as error:
        raise Disallowed(allowed(row)) from error


def _not_a_flag(value: object, row: Key) -> object:
    # To pydantic true is 1; to a person it is not.
    if isinstance(value, bool) and row.type is not bool:
        raise Disallowed
    return value


def annotated(row: Key) -> TypeAdapter[object]:
    """Give pydantic the type and the bounds of a setting."""
    bounds = Field(ge=row.knob.at_least, le=row.knob.at_most)
    is_bounded = row.knob.at_most is not None
    kind: Any = Annotated[row.type, bounds] if is_bounded else row.type
    return TypeAdapter(kind)


def listed(text: str) -> object:
    """Read a list from a variable: JSON, or words between commas."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return [word.strip() for word in text.split(",") if word.strip()]
    return found if isinstance(found, list) else [text]


def _at_home(value: object, environment: Mapping[str, str]) -> object:
    if isinstance(value, list):
        return [_at_home(item, environment) for item in value]
    return expanded(value, environment) if isinstance(value, str) else value


def _short(key: str) -> str:
    text = shown(key)
    return text if len(text) <= SHOWN_LIMIT else text[: SHOWN_LIMIT - 1] + "…"
