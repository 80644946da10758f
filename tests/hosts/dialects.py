"""The three languages in which hosts talk to a model: what they ask, how it answers.

Each dialect reads a request's messages and tools, and writes a scripted answer as the
stream of events that its hosts wait for.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Event = tuple[str, dict[str, Any]]
Body = Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """A tool that the model wants to be used."""

    name: str
    arguments: Mapping[str, Any]
    namespace: str = ""
    id: str = ""


@dataclass(frozen=True)
class Message:
    """Something said in the conversation; a tool's result has the role `tool`."""

    role: str
    text: str


@dataclass(frozen=True)
class Tool:
    """A tool that the host offers; its name as the other hosts would spell it."""

    name: str
    definition: Mapping[str, Any]
    wire_name: str
    namespace: str = ""


def plain(content: Any) -> str:
    """Read the text of a content, however deep it lies."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(plain, content)))
    if isinstance(content, dict):
        kept = (content.get(key) for key in ("text", "content", "output"))
        return plain(next((each for each in kept if each is not None), ""))
    return ""


class Completions:
    """Chat completions: pi and opencode."""

    ending = "/chat/completions"

    def messages(self, body: Body) -> list[Message]:
        return [
            Message(each.get("role", ""), plain(each.get("content")))
            for each in body.get("messages", ())
        ]

    def tools(self, body: Body) -> list[Tool]:
        found = [each["function"] for each in body.get("tools") or ()]
        return [Tool(each["name"], each, each["name"]) for each in found]

    def stream(self, model: str, text: str, calls: list[Call]) -> Iterator[Event]:
        head = {"id": "chat-1", "object": "chat.completion.chunk", "created": 1}

        def chunk(delta: dict[str, Any], finish: str | None = None) -> Event:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return "", {**head, "model": model, "choices": [choice]}

        yield chunk({"role": "assistant", "content": text})
        for index, call in enumerate(calls):
            function = {"name": call.name, "arguments": json.dumps(call.arguments)}
            part = {"index": index, "id": call.id, "type": "function"}
            yield chunk({"tool_calls": [{**part, "function": function}]})
        yield chunk({}, "tool_calls" if calls else "stop")
        usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
        yield "", {**head, "model": model, "choices": [], "usage": usage}


class Responses:
    """Responses: Codex, and pi where it is told to."""

    ending = "/responses"

    def messages(self, body: Body) -> list[Message]:
        said = [Message("system", plain(body.get("instructions")))]
        given = body.get("input") or ()
        if isinstance(given, str):
            return [*said, Message("user", given)]
        for each in given:
            kind = str(each.get("type", "message"))
            if kind.endswith("_output"):
                said.append(Message("tool", plain(each.get("output"))))
            elif kind == "message":
                said.append(Message(each.get("role", ""), plain(each.get("content"))))
        return said

    def tools(self, body: Body) -> list[Tool]:
        found = []
        for each in body.get("tools") or ():
            if each.get("type") == "namespace":
                space = each["name"]
                found += [
                    Tool(f"{space}__{tool['name']}", tool, tool["name"], space)
                    for tool in each["tools"]
                ]
            elif "name" in each:
                found.append(Tool(each["name"], each, each["name"]))
        return found

    def stream(self, model: str, text: str, calls: list[Call]) -> Iterator[Event]:
        items: list[dict[str, Any]] = [
            {
                "type": "function_call",
                "id": f"item-{call.id}",
                "call_id": call.id,
                "name": call.name,
                "arguments": json.dumps(call.arguments),
                "status": "completed",
                **({"namespace": call.namespace} if call.namespace else {}),
            }
            for call in calls
        ]
        whole = {"id": "resp-1", "object": "response", "created_at": 1, "model": model}
        yield self._event("created", response={**whole, "status": "in_progress"})
        if text or not calls:
            part = {"type": "output_text", "text": text, "annotations": []}
            said = {"type": "message", "id": "item-0", "role": "assistant"}
            items.insert(0, {**said, "status": "completed", "content": [part]})
        for index, item in enumerate(items):
            yield from self._item(index, item)
        usage = {"input_tokens": 9, "output_tokens": 9, "total_tokens": 18}
        done = {**whole, "status": "completed", "output": items, "usage": usage}
        yield self._event("completed", response=done)

    def _item(self, index: int, item: dict[str, Any]) -> Iterator[Event]:
        at = {"output_index": index, "item_id": item["id"]}
        empty: dict[str, Any] = {"content": []}
        if "arguments" in item:
            empty = {"arguments": ""}
        begun = {**item, **empty, "status": "in_progress"}
        yield self._event("output_item.added", output_index=index, item=begun)
        if "arguments" in item:
            text = item["arguments"]
            yield self._event("function_call_arguments.delta", delta=text, **at)
            yield self._event("function_call_arguments.done", arguments=text, **at)
        else:
            text, at = item["content"][0]["text"], {**at, "content_index": 0}
            part = {"type": "output_text", "text": "", "annotations": []}
            yield self._event("content_part.added", part=part, **at)
            yield self._event("output_text.delta", delta=text, **at)
            yield self._event("output_text.done", text=text, **at)
            yield self._event("content_part.done", part=item["content"][0], **at)
        yield self._event("output_item.done", output_index=index, item=item)

    def _event(self, name: str, **more: Any) -> Event:
        return f"response.{name}", {"type": f"response.{name}", **more}


class Messages:
    """Messages: Claude Code, and pi where it is told to."""

    ending = "/messages"

    def messages(self, body: Body) -> list[Message]:
        said = [Message("system", plain(body.get("system")))]
        for each in body.get("messages", ()):
            content = each.get("content")
            parts = content if isinstance(content, list) else [content]
            for part in parts:
                is_result = isinstance(part, dict) and part["type"] == "tool_result"
                role = "tool" if is_result else each["role"]
                said.append(Message(role, plain(part)))
        return said

    def tools(self, body: Body) -> list[Tool]:
        found = body.get("tools") or ()
        return [Tool(each["name"], each, each["name"]) for each in found]

    def stream(self, model: str, text: str, calls: list[Call]) -> Iterator[Event]:
        message = {"id": "msg-1", "type": "message", "role": "assistant"}
        usage = {"input_tokens": 9, "output_tokens": 9}
        empty: dict[str, Any] = {
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
        }
        begun = {**message, "model": model, "usage": usage, **empty}
        yield self._event("message_start", message=begun)
        blocks: list[tuple[dict[str, Any], dict[str, Any]]] = []
        if text or not calls:
            said = {"type": "text_delta", "text": text}
            blocks.append(({"type": "text", "text": ""}, said))
        for call in calls:
            use = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
            arguments = json.dumps(call.arguments)
            filled = {"type": "input_json_delta", "partial_json": arguments}
            blocks.append((use, filled))
        for index, (block, delta) in enumerate(blocks):
            yield self._event("content_block_start", index=index, content_block=block)
            yield self._event("content_block_delta", index=index, delta=delta)
            yield self._event("content_block_stop", index=index)
        ended = {"stop_reason": "tool_use" if calls else "end_turn"}
        yield self._event("message_delta", delta=ended, usage=usage)
        yield self._event("message_stop")

    def _event(self, name: str, **more: Any) -> Event:
        return name, {"type": name, **more}


Dialect = Completions | Responses | Messages
DIALECTS: tuple[Dialect, ...] = (Completions(), Responses(), Messages())
