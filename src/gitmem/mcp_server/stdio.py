"""Serve one client over stdin and stdout, and answer what cannot be read, too.

The SDK drops a line that it cannot read, and its client would wait for an answer for
good: half a character, which JSON can hold and UTF-8 cannot, is enough for that.
"""

import json
from typing import Any, TypeAlias

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from gitmem.mcp_server.server import Server

Item: TypeAlias = SessionMessage | Exception
_MEANT = "The request cannot be read; text may hold no unpaired surrogate."


async def run(server: Server) -> None:
    """Serve until the client closes its side."""
    async with stdio_server() as (lines, answers):
        read, requests = anyio.create_memory_object_stream[Item]()
        async with anyio.create_task_group() as group:
            group.start_soon(_sort, lines, read, answers)
            await server.serve(requests, answers)
            group.cancel_scope.cancel()


async def _sort(
    lines: Any,  # noqa: ANN401  a stream of the SDK's own kind
    requests: MemoryObjectSendStream[Item],
    answers: Any,  # noqa: ANN401  as lines
) -> None:
    """Hand requests on, and answer what only looks like one."""
    async with requests:
        async for item in lines:
            refusal = _refusal(item) if isinstance(item, Exception) else None
            if refusal is None:
                await requests.send(item)
            else:
                await answers.send(SessionMessage(refusal))


def _refusal(error: Exception) -> JSONRPCError | None:
    """Answer a request that could not be read, if it has a number."""
    if not isinstance(error, ValidationError):
        return None
    try:
        found = json.loads(error.errors()[0]["input"])
        number = found["id"] if "method" in found else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not isinstance(number, int | str) or isinstance(number, bool):
        return None
    return JSONRPCError(
        jsonrpc="2.0", id=number, error=ErrorData(code=PARSE_ERROR, message=_MEANT)
    )
