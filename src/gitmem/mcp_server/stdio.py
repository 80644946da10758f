"""Serve one client over stdin and stdout, and answer what cannot be read, too.

The SDK drops a line that it cannot read, and its client would wait for an answer for
good: half a character, which JSON can hold and UTF-8 cannot, is enough for that. The
same holds for a call that waits for the client's own answer: it is told that there is
none. An answer that cannot be written would end the server, so that becomes one that
can.
"""

import json
from contextlib import suppress
from typing import Any, Final, TypeAlias

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from gitmem.mcp_server.server import Server

Item: TypeAlias = SessionMessage | Exception
# A part of a message may have an `id` as well.
_PARTS: Final = {"jsonrpc", "method", "result", "error"}
_MEANT: Final = "The request cannot be read; text may hold no unpaired surrogate."
_UNHEARD: Final = "The client's answer cannot be read, so nothing was done."
_UNSAID: Final = "The answer cannot be written as text."


async def run(server: Server) -> None:
    """Serve until the client closes its side."""
    async with stdio_server() as (lines, answers):
        read, requests = anyio.create_memory_object_stream[Item]()
        said, answered = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as writing:
            writing.start_soon(_say, answered, answers)
            async with said, anyio.create_task_group() as group:
                group.start_soon(_sort, lines, read, said.clone())
                await server.serve(requests, said)
                group.cancel_scope.cancel()


async def _sort(
    lines: Any,  # noqa: ANN401  a stream of the SDK's own kind
    requests: MemoryObjectSendStream[Item],
    answers: MemoryObjectSendStream[SessionMessage],
) -> None:
    """Hand on what can be read, and tell whoever waits of what cannot."""
    async with requests, answers:
        async for item in lines:
            message = _message(item)
            number = _number(message.get("id"))
            if not isinstance(item, Exception) or "id" not in message:
                await requests.send(item)
            elif "method" in message:
                refusal = _error(number, PARSE_ERROR, _MEANT)
                await answers.send(SessionMessage(refusal))
            else:
                unheard = _error(number, PARSE_ERROR, _UNHEARD)
                await requests.send(SessionMessage(unheard))


async def _say(
    answered: MemoryObjectReceiveStream[SessionMessage],
    answers: Any,  # noqa: ANN401  a stream of the SDK's own kind
) -> None:
    """Hand answers on, each as one that can be written."""
    async with answered, answers:
        async for item in answered:
            await answers.send(_sayable(item))


def _sayable(item: SessionMessage) -> SessionMessage:
    try:
        item.message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:
        number = _number(getattr(item.message, "id", None))
        return SessionMessage(_error(number, INTERNAL_ERROR, _UNSAID))
    return item


def _message(item: object) -> dict[str, Any]:
    """Give the message that could not be read, as far as it is one."""
    if not isinstance(item, ValidationError):
        return {}
    for each in item.errors():
        found = each["input"]
        with suppress(ValueError, TypeError, RecursionError):
            found = json.loads(found)
        if isinstance(found, dict) and "id" in found and _PARTS & found.keys():
            return found
    return {}


def _number(given: object) -> int | str | None:
    """Give the id of a request, or none where it cannot be said back."""
    if isinstance(given, bool) or not isinstance(given, int | str):
        return None
    try:
        str(given).encode()
    except ValueError:
        return None
    return given


def _error(number: int | str | None, code: int, message: str) -> JSONRPCError:
    said = ErrorData(code=code, message=message)
    return JSONRPCError(jsonrpc="2.0", id=number, error=said)
