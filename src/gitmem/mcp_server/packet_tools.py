"""The tools of the group `packets`: what each takes, and which verb it calls."""

from typing import TYPE_CHECKING, Annotated, Final, Literal

from mcp.server.mcpserver import Elicit, ElicitationResult, Resolve
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult
from pydantic import Field

from gitmem.mcp_server import answers, clients, words
from gitmem.mcp_server.making import tool
from gitmem.mcp_server.question import question
from gitmem.mcp_server.tools import (
    Asked,
    Decision,
    Folder,
    Leave,
    desk_of,
    needs_token,
    not_written,
    refusal,
    was_asked,
)
from gitmem.memory.store import Proposed
from gitmem.packets import check
from gitmem.service import packet_words
from gitmem.service.packet_answers import NOTE, PACKET, Said, Wanted

if TYPE_CHECKING:
    from gitmem.service.packet_answers import Filed, Recollection
    from gitmem.service.service import Service

Kind = Literal["handoff", "checkpoint"]
Texts = list[str] | None
HITS: Final = 5
MOST: Final = 50


async def gather(
    context: Asked,
    kind: Kind,
    summary: str,
    topic: str = "",
    tags: Texts = None,
    files: Texts = None,
    goal: str = "",
    decisions: Texts = None,
    commands: Texts = None,
    blockers: Texts = None,
    questions: Texts = None,
    task: str = "",
    changes: Texts = None,
    risk: str = "",
    pending: Texts = None,
    next: str = "",  # noqa: A002  the field's name
) -> Said:
    """Gather the fields that say something."""
    fields = {
        "topic": topic,
        "summary": summary,
        "tags": tags,
        "files": files,
        "goal": goal,
        "decisions": decisions,
        "commands": commands,
        "blockers": blockers,
        "questions": questions,
        "task": task,
        "changes": changes,
        "risk": risk,
        "pending": pending,
        "next": next,
    }
    return Said(kind, {name: value for name, value in fields.items() if value})


async def propose_packet(
    context: Asked, folder: Folder, said: Annotated[Said, Resolve(gather)]
) -> Proposed:
    """Work out what would be archived, and refuse what cannot be."""

    def work(service: "Service") -> Proposed:
        return service.packets.propose(said)

    return await desk_of(context).do(context, folder, work)


async def ask_packet_leave(
    context: Asked,
    folder: Folder,
    proposed: Annotated[Proposed, Resolve(propose_packet)],
) -> Leave | Elicit[Decision]:
    """Ask the person, unless they have asked for the packet themselves."""
    desk = desk_of(context)
    if await desk.do(context, folder, lambda service: service.packets.take_leave()):
        return Leave.GIVEN
    if not clients.can_ask(context):
        return Leave.BY_TOKEN
    return Elicit(question(proposed, desk.confirmations.ask(proposed)), Decision)


async def packet_archive(
    context: Asked,
    folder: Folder,
    said: Annotated[Said, Resolve(gather)],
    proposed: Annotated[Proposed, Resolve(propose_packet)],
    leave: Annotated[ElicitationResult[Decision], Resolve(ask_packet_leave)],
    kind: Annotated[Kind, Field(description="A checkpoint goes on, a handoff ends.")],
    summary: Annotated[str, Field(description="Under 800 characters.")],
    topic: Annotated[str, Field(description="For a handoff; under 160.")] = "",
    tags: Texts = None,
    files: Annotated[Texts, Field(description="Relative to the project.")] = None,
    goal: Annotated[str, Field(description="Handoff, as the next four.")] = "",
    decisions: Texts = None,
    commands: Annotated[Texts, Field(description="Worth knowing.")] = None,
    blockers: Texts = None,
    questions: Annotated[Texts, Field(description="Open ones.")] = None,
    task: Annotated[str, Field(description="Checkpoint, as the next three.")] = "",
    changes: Annotated[Texts, Field(description="Since the last one.")] = None,
    risk: str = "",
    pending: Annotated[Texts, Field(description="To be decided.")] = None,
    next: Annotated[str, Field(description="The next step.")] = "",  # noqa: A002
    confirm: Annotated[
        str, Field(description="Only the token that an earlier call gave.")
    ] = "",
) -> Annotated[CallToolResult, answers.Outcome]:
    """Archive a packet, from which a later session goes on with this work.

    Use it when the person asks for it, or agrees at the end of work. Say only what
    happened in this session, and no secrets. Write no file yourself: gitmem adds
    session, thread, branch, commit and the files that Git sees changed.
    """
    desk, host = desk_of(context), clients.host(context)
    if was_asked(leave):
        desk.confirmations.hear(proposed)
    if refused := refusal(leave):
        return not_written(refused, proposed)
    if needs_token(leave):
        if not confirm:
            return not_written(
                "unconfirmed", proposed, desk.confirmations.issue(proposed)
            )
        desk.confirmations.redeem(confirm, proposed)

    def work(service: "Service") -> "Filed":
        desk.written.announce(service, host)
        return service.packets.archive(said)

    filed = await desk.do(context, folder, work)
    desk.written.note(folder, host)
    return answers.answer(packet_words.of_filed(filed), words.of_filed(filed))


async def memory_recall(
    context: Asked,
    folder: Folder,
    query: Annotated[str, Field(description="Words; none gives the newest.")] = "",
    kinds: list[Literal["packet", "note"]] | None = None,
    packet: Annotated[
        Literal["", "handoff", "checkpoint"], Field(description="Only these packets.")
    ] = "",
    tags: Annotated[Texts, Field(description="All of them.")] = None,
    since: Annotated[str, Field(description="A day, as 2026-04-30.")] = "",
    limit: Annotated[int, Field(ge=1, le=MOST)] = HITS,
) -> Annotated[CallToolResult, answers.Recollection]:
    """Recall what earlier sessions handed over (`packet`), and other memories (`note`).

    Use it before work that goes on from earlier work. It gives ranked paths: read the
    one to three that bear on the task with `memory_read`.
    """
    wanted = Wanted(
        query=query,
        tags=tuple(tags or ()),
        since=check.day(since) if since else None,
        kind=packet,
        kinds=tuple(kinds or (PACKET, NOTE)),
        limit=limit,
    )

    def work(service: "Service") -> "Recollection":
        return service.packets.recall(wanted)

    found = await desk_of(context).do(context, folder, work)
    return answers.answer(packet_words.of_recollection(found), words.of_recalled(found))


def packet_tools() -> list[Tool]:
    """Make the tools of this group."""
    return [
        tool(packet_archive, "Archive a packet", is_read_only=False, adds=True),
        tool(memory_recall, "Recall earlier work", is_read_only=True),
    ]
