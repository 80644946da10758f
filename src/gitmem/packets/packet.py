"""A packet: what an agent says of its session, and what a machine knows of it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Told:
    """What the agent that lived the session says of it.

    A handoff has a goal, decisions, commands, blockers and questions; a checkpoint a
    task, changes, a risk and pending decisions.
    """

    kind: str
    topic: str
    summary: str
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    goal: str = ""
    decisions: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    task: str = ""
    changes: tuple[str, ...] = ()
    risk: str = ""
    pending: tuple[str, ...] = ()
    next: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """What the machine knows of a session, each empty where nothing is known.

    `thread` and `node` are of the tape: the topic, and where in it the session stands;
    `parent` is the node before. `cwd` is another machine's folder, and only noted.
    """

    host: str = ""
    session: str = ""
    thread: str = ""
    node: str = ""
    parent: str = ""
    repo: str = ""
    branch: str = ""
    commit: str = ""
    cwd: str = ""


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet, and the moment in which it was made."""

    at: datetime
    told: Told
    origin: Origin = Origin()
