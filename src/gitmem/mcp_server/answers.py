"""What tools answer, for programs: every text from a memory in it is fenced."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from gitmem.delivery import fence

Model = TypeVar("Model", bound=BaseModel)


class Synced(BaseModel):
    """What an exchange did, or where the memory stands."""

    action: str
    lines: list[str]
    needs_attention: list[str]


class Hit(BaseModel):
    """A memory that was found; `over` says why it does not hold now."""

    path: str
    description: str
    tags: list[str]
    snippet: str
    over: str = ""


class Line(BaseModel):
    """A line that matches a pattern."""

    path: str
    line: int
    text: str


class Found(BaseModel):
    """What a search found, and what may help where that is little."""

    hits: list[Hit] = []
    lines: list[Line] = []
    is_cut: bool = False
    nearest_tags: list[str] = []
    newest: list[str] = []
    other_layers: list[str] = []


class Finding(BaseModel):
    """One thing to mend."""

    path: str
    line: int
    severity: str
    code: str
    message: str


class Checked(BaseModel):
    """The state of the memory repository and its files."""

    directory: str
    project_layer: str
    shared_layer: str
    memories: int
    findings: list[Finding]
    findings_left_out: int
    state: list[str]


class Memory(BaseModel):
    """One memory; its text is exact unless it is said otherwise."""

    path: str
    hash: str
    description: str
    tags: list[str]
    body: str
    is_exact: bool
    is_cut: bool


class Outcome(BaseModel):
    """What became of a write: `confirm` is a token while it waits for a person."""

    status: str
    path: str
    hash: str = ""
    confirm: str = ""
    warnings: list[str] = []


class Recalled(BaseModel):
    """A memory that was recalled; `kind` is `note`, or that of a packet."""

    path: str
    kind: str
    title: str
    day: str
    tags: list[str]
    description: str
    why: list[str]


class Recollection(BaseModel):
    """What was recalled, the best first, and how many there were to choose from."""

    advice: str
    hits: list[Recalled] = []
    among: int = 0
    nearest_tags: list[str] = []


class Taped(BaseModel):
    """What a verb of the tape answers."""

    answer: dict[str, Any]


def fenced(value: Any) -> Any:  # noqa: ANN401  whatever a verb answers
    """Make plain data of a value, every text in it fenced."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: fenced(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {fence.line(str(key)): fenced(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [fenced(item) for item in value]
    if isinstance(value, str):
        return fence.text(value)
    is_plain = value is None or isinstance(value, bool | int | float)
    return value if is_plain else fence.text(str(value))


def answer(text: str, value: BaseModel) -> CallToolResult:
    """Give a short text for a model, and the whole as data."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=value.model_dump(mode="json"),
    )


def failure(text: str) -> CallToolResult:
    """Say what failed, as a tool does."""
    content: list[Any] = [TextContent(type="text", text=text)]
    return CallToolResult(content=content, is_error=True)
