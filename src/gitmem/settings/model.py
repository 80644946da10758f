"""Name every setting with its default, its meaning and what may be written there.

Only the standard library: every room imports this.
"""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, cast

SyncAction = Literal["pull", "push"]
AgentAction = Literal["session_bridge"]
StartSection = Literal["status", "profile", "daily", "index", "files", "tags", "tape"]
TurnSection = Literal["cues", "counts", "critical", "recall", "bridge", "keyword"]
ToolGroup = Literal["memory", "packets", "tape"]

MINUTE: Final = 60.0
HOUR: Final = 3600.0
# No number is unbounded: arithmetic with it must hold.
TEN_YEARS: Final = 24 * 3650 * HOUR
MOST: Final = 1_000_000_000

_T = TypeVar("_T")


@dataclass(frozen=True)
class Knob:
    """What a person needs to know about one setting, and how a value is checked.

    `kind` names a check of `settings.checks`; it is empty where the type says it all.
    """

    doc: str
    kind: str = ""
    at_least: float | None = None
    at_most: float | None = None
    default_text: str = ""


@dataclass(frozen=True)
class Key:
    """One setting as a row of the table: dotted key, type, default and knob."""

    dotted: str
    type: Any
    default: object
    knob: Knob


def keys(section: type | None = None, prefix: str = "") -> Iterator[Key]:
    """List every setting in the order in which it is documented."""
    for item in fields(section or Settings):
        dotted = prefix + item.name.rstrip("_")
        if is_dataclass(item.type):
            yield from keys(cast("type", item.type), f"{dotted}.")
        else:
            default = None if item.default is MISSING else item.default
            yield Key(dotted, item.type, default, item.metadata["knob"])


def _knob(
    default: _T,
    doc: str,
    *,
    kind: str = "",
    at_least: float | None = None,
    at_most: float | None = None,
    default_text: str = "",
) -> _T:
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    if is_number and at_most is None:
        at_most = TEN_YEARS if kind == "duration" else MOST
    knob = Knob(doc, kind, at_least, at_most, default_text)
    return field(default=default, metadata={"knob": knob})


def _path_knob(doc: str, *, default_text: str) -> Path:
    knob = Knob(doc, "folder", default_text=default_text)
    return cast("Path", field(metadata={"knob": knob}))


@dataclass(frozen=True, kw_only=True)
class MemoryDir:
    """Where the memory repository is, and where it comes from."""

    repo_url: str | None = _knob(
        None,
        "The Git remote that the memory is synced with.",
        kind="url",
        default_text="unset: the repository's `origin`, as `gitmem remote` prints it",
    )
    local_path: Path = _path_knob(  # noqa: RUF009  a field, not a value
        "The folder of the memory repository on this machine. Absolute, or from `~`.",
        default_text="`memory` in gitmem's data folder",
    )
    global_memory: str | None = _knob(
        None,
        "The name of the layer that every project shares. Unset or empty: there is "
        'none. Of a path only the last part counts; blank and `".."` mean `global`.',
        kind="layer",
    )


@dataclass(frozen=True)
class Hooks:
    """What is done at the moments of a session."""

    session_start: tuple[SyncAction, ...] = _knob(
        ("pull",), "What to do when a session starts."
    )
    session_end: tuple[SyncAction, ...] = _knob(
        ("push",), "What to do when a session ends."
    )
    before_agent_start: tuple[AgentAction, ...] = _knob(
        (), "What to add before the agent's first turn in a session that goes on."
    )


@dataclass(frozen=True)
class Sync:
    """When and how the memory is exchanged with its remote."""

    fetch_ttl: float = _knob(
        12 * HOUR,
        "How long a successful fetch counts as fresh at a session's start.",
        kind="duration",
    )
    timeout: float = _knob(
        10.0,
        "How long one exchange with the remote may take.",
        kind="duration",
        at_least=0.1,
    )
    interval: float = _knob(
        15 * MINUTE, "How often the daemon pulls.", kind="duration", at_least=1
    )
    debounce: float = _knob(
        30.0, "How long the daemon waits after a write to push it.", kind="duration"
    )
    start_wait: float = _knob(
        1.5, "How long a session's start waits for a pull.", kind="duration"
    )
    branch: str = _knob(
        "main", "The branch that holds the memory, here and there.", kind="branch"
    )
    machine_id: str | None = _knob(
        None,
        "The name of this machine in commits and in the tape.",
        kind="machine",
        default_text="generated once for each machine",
    )
    sign: bool = _knob(default=False, doc="Sign commits with your own Git settings.")
    max_file_bytes: int = _knob(
        1_000_000, "Larger files are not committed.", at_least=1
    )


@dataclass(frozen=True)
class Security:
    """What is done about credentials in a memory."""

    secrets: Literal["block", "warn", "off"] = _knob(
        "block",
        "What happens to a file that seems to hold a credential: it is left "
        "uncommitted, committed with a warning, or not looked at.",
    )


@dataclass(frozen=True)
class Budget:
    """How much text an agent is given, in characters."""

    start: int = _knob(
        9_500, "The most characters given at a session's start.", at_least=0
    )
    turn: int = _knob(9_500, "The most characters given at a turn.", at_least=0)


@dataclass(frozen=True)
class Delivery:
    """What an agent is told, when, and how much of it."""

    mode: Literal["message-append", "system-prompt"] = _knob(
        "message-append",
        "Give the start text once, as a message, or in the system prompt of each turn.",
    )
    start: tuple[StartSection, ...] = _knob(
        ("profile", "daily", "index", "files"),
        "The sections given at a session's start, in order.",
    )
    turn: tuple[TurnSection, ...] = _knob(
        ("critical", "cues", "counts"),
        "The sections given at a turn, in order; `recall` is not there yet.",
    )
    max_cues: int = _knob(
        6, "The most memories named at a turn.", at_least=0, at_most=50
    )
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True)
class Tags:
    """What tags have to look like."""

    contract: Literal["free", "strict"] = _knob(
        "free",
        "With `strict`, a written memory carries 1 to 3 short tags and a layer holds "
        "at most 200.",
    )
    consolidate_every: int = _knob(
        20, "So many new memories in a layer, and it is due to be tidied.", at_least=1
    )


@dataclass(frozen=True)
class Search:
    """How memories are found."""

    semantic: str | None = _knob(
        None,
        "The folder of a model that finds by meaning too. Unset or empty: only by "
        "words.",
        kind="model-folder",
    )


@dataclass(frozen=True)
class TapeContext:
    """Which files the tape selects."""

    strategy: Literal["smart", "recent-only"] = _knob(
        "smart", "Select by what was worked on, or only by age."
    )
    file_limit: int = _knob(10, "The most files selected.", at_least=0, at_most=1000)
    memory_scan: tuple[int, int] = _knob(
        (72, 168),
        "How many hours of work to look at: at first, and at most.",
        kind="hours",
    )
    whitelist: tuple[str, ...] = _knob(
        (), "Files and folders that are always selected.", kind="texts"
    )
    blacklist: tuple[str, ...] = _knob(
        (), "Files and folders that are never selected.", kind="texts"
    )


@dataclass(frozen=True)
class TapeKeywords:
    """Which words in a prompt suggest an anchor."""

    global_: tuple[str, ...] = _knob(
        (), "Words that suggest an anchor in every project.", kind="texts"
    )
    project: tuple[str, ...] = _knob(
        (), "Words that suggest an anchor in this project.", kind="texts"
    )


@dataclass(frozen=True)
class TapeAnchor:
    """How anchors come to be."""

    mode: Literal["auto", "manual"] = _knob(
        "auto", "Whether the agent may set an anchor when it judges it useful."
    )
    label_prefix: str = _knob(
        "⚓ ", "What the label of an anchor begins with.", kind="text"
    )
    keywords: TapeKeywords = field(default_factory=TapeKeywords)


@dataclass(frozen=True)
class Tape:
    """The view over sessions and their anchors."""

    enabled: bool = _knob(default=False, doc="Record anchors and select by them.")
    only_git: bool = _knob(default=True, doc="Only inside Git work trees.")
    thread: bool = _knob(default=True, doc="Offer threads.")
    path: Path = _knob(  # noqa: RUF009  a field, not a value
        Path("tape"),
        "The folder of the anchors. A relative one is below the memory repository.",
        kind="place",
    )
    exclude_dirs: tuple[str, ...] = _knob(
        (), "Folders without a tape, beside the system's own.", kind="folders"
    )
    context: TapeContext = field(default_factory=TapeContext)
    anchor: TapeAnchor = field(default_factory=TapeAnchor)


@dataclass(frozen=True)
class Model:
    """Which model is asked, and how much that may cost in a day."""

    name: str | None = _knob(None, "The model, as `provider:name`.", kind="model")
    base_url: str | None = _knob(
        None, "A server that speaks the provider's dialect.", kind="http"
    )
    daily_calls: int = _knob(200, "The most calls a day.", at_least=0)
    daily_tokens: int = _knob(2_000_000, "The most tokens a day.", at_least=0)
    daily_cost: float = _knob(5.0, "The most US dollars a day.", at_least=0)


@dataclass(frozen=True)
class Recall:
    """Whole memories chosen by a model at a turn."""

    enabled: bool = _knob(default=False, doc="Let a model choose memories at a turn.")
    model: str | None = _knob(
        None, "Another model than `model.name`, as `provider:name`.", kind="model"
    )
    timeout: float = _knob(
        8.0, "How long the model may take.", kind="duration", at_least=0.1
    )
    max_files: int = _knob(5, "The most memories at a turn.", at_least=0, at_most=50)
    session_bytes: int = _knob(60_000, "The most bytes in a session.", at_least=0)
    prompt: Literal["auto", "full", "terse"] = _knob(
        "auto", "How much the agent is taught about memories."
    )


@dataclass(frozen=True)
class Dream:
    """Consolidation by a model in the background."""

    enabled: bool = _knob(default=False, doc="Consolidate when a session is idle.")
    model: str | None = _knob(
        None, "Another model than `model.name`, as `provider:name`.", kind="model"
    )
    idle_delay: float = _knob(
        5 * MINUTE, "How long a session is idle before a dream.", kind="duration"
    )
    min_hours: float = _knob(24.0, "The least hours between two dreams.", at_least=0)
    min_sessions: int = _knob(
        5, "The least sessions touched since the last dream.", at_least=0
    )
    apply: Literal["ask", "auto"] = _knob(
        "ask", "Show what a dream changes, or apply it."
    )
    max_turns: int = _knob(30, "The most turns of a dream.", at_least=1)
    max_cost: float = _knob(5.0, "The most US dollars of a dream.", at_least=0)


@dataclass(frozen=True)
class Extract:
    """Memories proposed by a model while a session goes on."""

    enabled: bool = _knob(default=False, doc="Propose memories in the background.")
    model: str | None = _knob(
        None, "Another model than `model.name`, as `provider:name`.", kind="model"
    )
    every_turns: int = _knob(10, "After so many turns.", at_least=1)


@dataclass(frozen=True)
class Daemon:
    """The background process."""

    autostart: bool = _knob(default=True, doc="Start a daemon where none is found.")
    idle_exit: float = _knob(
        30 * MINUTE,
        "The daemon leaves after so long without sessions.",
        kind="duration",
    )


@dataclass(frozen=True)
class Mcp:
    """What an MCP client is offered."""

    groups: tuple[ToolGroup, ...] = _knob(
        ("memory", "packets", "tape"),
        "The groups of tools that are offered; `tape` only where the tape is on.",
    )
    confirm: Literal["writes", "never"] = _knob(
        "writes",
        "Ask a person before a tool writes a memory, or leave that to the client.",
    )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings, as they hold for one command or session."""

    enabled: bool = _knob(default=True, doc="Whether gitmem does anything by itself.")
    memory_dir: MemoryDir
    hooks: Hooks = field(default_factory=Hooks)
    sync: Sync = field(default_factory=Sync)
    security: Security = field(default_factory=Security)
    delivery: Delivery = field(default_factory=Delivery)
    tags: Tags = field(default_factory=Tags)
    search: Search = field(default_factory=Search)
    tape: Tape = field(default_factory=Tape)
    model: Model = field(default_factory=Model)
    recall: Recall = field(default_factory=Recall)
    dream: Dream = field(default_factory=Dream)
    extract: Extract = field(default_factory=Extract)
    daemon: Daemon = field(default_factory=Daemon)
    mcp: Mcp = field(default_factory=Mcp)
