"""What every host is to gitmem: events that come in, answers that go out."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Protocol


class Kind(Enum):
    """What happened in a session, whatever its host calls it.

    LOST: the start text is not in what the model sees, for a host that can tell.
    """

    START = "start"
    TURN = "turn"
    WROTE = "wrote"
    COMPACTING = "compacting"
    COMPACTED = "compacted"
    LOST = "lost"
    END = "end"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a session of a host.

    `reason` says why a session starts or ends, in one vocabulary for all hosts:
    startup, resume, clear, compact or fork at a start. `parent` is the session that
    this one was forked from, where the host tells. `paths` are the files that the agent
    wrote, as the host names them. `earlier` are the last turns, the latest last, of a
    host that tells them itself. OTHER asks for nothing.
    """

    kind: Kind
    session: str = ""
    cwd: str = ""
    reason: str = ""
    prompt: str = ""
    transcript: str = ""
    paths: tuple[str, ...] = ()
    host_pid: int | None = None
    parent: str = ""
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What gitmem has to say: a text for the model, a line for the person.

    `standing` is the start text where it belongs into the system prompt of each turn.
    `tape` is "open" where there is a tape, for a host that wants to know.
    """

    text: str = ""
    notice: str = ""
    standing: str = ""
    tape: str = ""


class Host(Protocol):
    """One agent program, as the hook sees it.

    `limit_characters` is what the host takes of one answer, None where it takes all.
    One that `takes_standing` makes its system prompt anew for each turn, and can put
    the start text there.
    """

    @property
    def name(self) -> str:
        """Say the name that people and hooks use."""

    @property
    def limit_characters(self) -> int | None:
        """Say how much of an answer's text reaches the model."""

    @property
    def takes_standing(self) -> bool:
        """Say whether a start text can stand in the system prompt."""

    def event(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Read what the host sent; what cannot be understood is OTHER."""

    def answer(self, name: str, reply: Reply) -> str:
        """Write exactly what the host wants on stdout; empty where it wants nothing."""


def text(payload: Mapping[str, Any], key: str) -> str:
    """Read a text of a payload; empty where there is none."""
    found = payload.get(key)
    return found if isinstance(found, str) else ""


def texts(payload: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Read a list of texts of a payload, without what is none."""
    found = payload.get(key)
    listed = found if isinstance(found, list) else []
    return tuple(each for each in listed if isinstance(each, str) and each)


def placed(reply: Reply) -> str:
    """Write what is to be said as JSON, by its place; empty where nothing is said."""
    said = {place: words for place, words in asdict(reply).items() if words}
    return json.dumps(said) if said else ""
