"""Make a tool of a function: its docstring is what a model is told of it."""

from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations


def tool(
    function: Callable[..., Any],
    title: str,
    *,
    is_read_only: bool,
    replaces: bool = False,
    is_open: bool = False,
    adds: bool = False,
) -> Tool:
    """Make one tool; to call one twice does no more than once, unless it `adds`."""
    made = Tool.from_function(
        function,
        title=title,
        description=" ".join((function.__doc__ or "").split()),
        annotations=ToolAnnotations(
            read_only_hint=is_read_only,
            destructive_hint=replaces,
            idempotent_hint=not adds,
            open_world_hint=is_open,
        ),
    )
    made.parameters = _slim(made.parameters)
    return made


def _slim(schema: Any) -> Any:  # noqa: ANN401  a piece of a JSON schema
    """Leave out of a schema what costs every session tokens and says nothing."""
    if isinstance(schema, list):
        return [_slim(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) == 1:
        rest = {name: each for name, each in schema.items() if name != "anyOf"}
        return _slim({**kinds[0], **rest})
    return {
        name: {key: _slim(each) for key, each in value.items()}
        if name == "properties"
        else _slim(value)
        for name, value in schema.items()
        if not (name == "title" and isinstance(value, str))
        and not (name == "default" and value in {"", None})
    }
