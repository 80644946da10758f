"""No memory is written before a person agreed, whatever the client can do."""

import contextlib
import dataclasses
import json
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import pytest
from tests.mcp_server.conftest import DEPLOY, Person
from tests.mcp_server.test_stdio import answer, request, send

from gitmem.errors import UsageError
from gitmem.mcp_server.confirmation import MOST, VALID_FOR, Confirmations
from gitmem.mcp_server.question import LIMIT, question
from gitmem.memory.store import Proposed

PATH = "beacon/core/deploy.md"
NEW = Proposed(PurePosixPath(PATH), None, b"---\ndescription: d\n---\n\ntext\n")


class Clock:
    now = datetime(2026, 3, 2, tzinfo=UTC)

    def __call__(self):
        return self.now


@pytest.mark.anyio
async def test_a_person_who_agrees_saw_what_is_written(connected, machine):
    person = Person()
    async with connected(person) as talk:
        told = await talk.call("memory_write", **DEPLOY)

    assert told.data["status"] == "written"
    assert len(person.questions) == 1
    title, _, shown = person.questions[0].partition("\n\n")
    assert title.startswith(f"Create the memory {PATH} (")
    assert f"{shown}\n" == machine.texts()[PATH]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("person", "status"),
    [
        (Person(action="decline"), "declined"),
        (Person(content={"write": False}), "declined"),
        (Person(action="cancel"), "cancelled"),
    ],
    ids=["declined", "unticked", "cancelled"],
)
async def test_a_person_who_does_not_agree_has_nothing_written(
    connected, machine, person, status
):
    async with connected(person) as talk:
        told = await talk.call("memory_write", **DEPLOY)
        again = await talk.call("memory_write", **DEPLOY, confirm="anything")

    assert (told.data["status"], again.data["status"]) == (status, status)
    assert (told.data["confirm"], machine.texts()) == ("", {})


@pytest.mark.anyio
async def test_a_client_that_fails_to_ask_has_nothing_written(connected, machine):
    async def broken(*_):
        raise RuntimeError("no window")

    # Each era's client tells of it in a way of its own.
    with pytest.raises(Exception):  # noqa: B017
        async with connected(broken) as talk:
            await talk.call("memory_write", **DEPLOY)

    assert machine.texts() == {}


@pytest.mark.anyio
async def test_a_client_that_cannot_ask_confirms_by_a_second_call(connected, machine):
    async with connected() as talk:
        first = await talk.call("memory_write", **DEPLOY)
        between = machine.texts()
        token = first.data["confirm"]
        second = await talk.call("memory_write", **DEPLOY, confirm=token)

    assert (first.data["status"], between) == ("unconfirmed", {})
    assert "is NOT written yet" in first.text
    assert "Ship with make ship." in first.text
    assert second.data["status"] == "written"
    assert list(machine.texts()) == [PATH]


@pytest.mark.anyio
async def test_of_codex_that_nobody_watches_nobody_is_asked(connected, machine):
    person = Person("decline")
    meta = {"x-codex-turn-metadata": {"turn_trigger": "exec", "session_id": "s7"}}
    async with connected(person) as talk:
        first = await talk.call("memory_write", meta, **DEPLOY)
        between = machine.texts()
        token = first.data["confirm"]
        second = await talk.call("memory_write", meta, **DEPLOY, confirm=token)

    assert person.questions == []
    assert (first.data["status"], between) == ("unconfirmed", {})
    assert second.data["status"] == "written"


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"x-codex-turn-metadata": None},
        {"x-codex-turn-metadata": {"turn_trigger": "user"}},
        {"x-codex-turn-metadata": {"turn_trigger": ["exec"], "session_id": 7}},
    ],
    ids=["nothing", "no table", "a person", "odd"],
)
@pytest.mark.anyio
async def test_of_any_other_turn_the_person_is_asked(connected, machine, meta):
    person = Person("decline")
    async with connected(person) as talk:
        told = await talk.call("memory_write", meta, **DEPLOY)

    assert told.data["status"] == "declined"
    assert machine.texts() == {}


@pytest.mark.anyio
async def test_a_token_is_good_for_its_proposal_once(connected, machine):
    async with connected() as talk:
        token = (await talk.call("memory_write", **DEPLOY)).data["confirm"]
        other = {**DEPLOY, "body": "Ship by hand.\n", "confirm": token}
        changed = await talk.call("memory_write", **other)
        spent = await talk.call("memory_write", **DEPLOY, confirm=token)
        made_up = await talk.call("memory_write", **DEPLOY, confirm="made-up")

    assert [each.is_error for each in (changed, spent, made_up)] == [True] * 3
    assert "nothing was written" in changed.text
    assert machine.texts() == {}


@pytest.mark.anyio
async def test_a_token_is_void_when_the_file_changed_since(connected, machine):
    async with connected() as talk:
        token = (await talk.call("memory_write", **DEPLOY)).data["confirm"]
        machine.put(PATH, "mine\n")
        told = await talk.call("memory_write", **DEPLOY, confirm=token)

    assert told.is_error
    assert machine.texts() == {PATH: "mine\n"}


@pytest.mark.anyio
async def test_a_file_that_changes_while_the_person_thinks_is_kept(
    connected, machine, mode
):
    person = Person()
    person.meanwhile = lambda: machine.put(PATH, f"mine {len(person.questions)}\n")
    async with connected(person) as talk:
        # The newer era asks again what has changed, until the client has enough.
        with pytest.raises(Exception) if mode == "auto" else contextlib.nullcontext():
            told = await talk.call("memory_write", **DEPLOY)
            assert "exists by now" in told.text

    assert machine.texts()[PATH].startswith("mine ")


@pytest.mark.anyio
async def test_who_says_never_is_not_asked(connected, machine, monkeypatch):
    monkeypatch.setenv("GITMEM_MCP__CONFIRM", "never")
    person = Person(action="decline")
    async with connected(person) as talk:
        told = await talk.call("memory_write", **DEPLOY)

    assert (told.data["status"], person.questions) == ("written", [])


@pytest.mark.anyio
async def test_nobody_is_asked_about_what_changes_nothing(connected):
    person = Person()
    async with connected(person) as talk:
        await talk.call("memory_write", **DEPLOY)
        told = await talk.call("memory_write", **DEPLOY)

    assert (told.data["status"], len(person.questions)) == ("unchanged", 1)


NEWER = "2026-07-28"
CAN_ASK = {
    "io.modelcontextprotocol/protocolVersion": NEWER,
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}


def ask(server, number, **more):
    """Send one frame of the newer era, and give its result."""
    send(
        server,
        request(
            number,
            "tools/call",
            name="memory_write",
            arguments=DEPLOY,
            _meta=CAN_ASK,
            **more,
        ),
    )
    return answer(server, number)["result"]


def agreed(asked, action="accept"):
    (key,) = asked["inputRequests"]
    content = {"content": {"write": True}} if action == "accept" else {}
    said = {key: {"action": action, **content}}
    return {"requestState": asked["requestState"], "inputResponses": said}


def test_a_consent_that_is_sent_again_writes_nothing(served, machine):
    server = served()
    yes = agreed(ask(server, 1))
    first = ask(server, 2, **yes)
    (machine.root / PATH).unlink()
    again = ask(server, 3, **yes)
    anew = ask(server, 4, **agreed(again))

    assert first["structuredContent"]["status"] == "written"
    assert again["resultType"] == "input_required"
    assert anew["structuredContent"]["status"] == "written"


def test_a_refusal_cannot_be_answered_again_with_yes(served, machine):
    server = served()
    asked = ask(server, 1)
    no = ask(server, 2, **agreed(asked, "decline"))
    later = ask(server, 3, **agreed(asked))

    assert no["structuredContent"]["status"] == "declined"
    assert (later["resultType"], machine.texts()) == ("input_required", {})


def test_two_at_once_with_one_consent_write_once(served, machine):
    server = served()
    yes = agreed(ask(server, 1))
    names = {"name": "memory_write", "arguments": DEPLOY, "_meta": CAN_ASK}
    both = [request(number, "tools/call", **names, **yes) for number in (2, 3)]
    send(server, *both)
    told = [json.loads(server.stdout.readline())["result"] for _ in both]

    written = [each.get("structuredContent", {}).get("status") for each in told]
    assert written.count("written") == 1


def test_an_answer_uses_up_the_token_of_the_same_proposal():
    waiting = Confirmations(Clock())
    token = waiting.issue(NEW)
    first = waiting.ask(NEW)
    waiting.hear(NEW)

    with pytest.raises(UsageError):
        waiting.redeem(token, NEW)
    with pytest.raises(UsageError):
        waiting.hear(NEW)
    assert waiting.ask(NEW) != first


def test_a_token_uses_up_the_question_and_the_tokens_of_the_same_proposal():
    waiting = Confirmations(Clock())
    tokens = [waiting.issue(NEW), waiting.issue(NEW)]
    waiting.ask(NEW)
    waiting.redeem(tokens[0], NEW)

    with pytest.raises(UsageError):
        waiting.hear(NEW)
    with pytest.raises(UsageError):
        waiting.redeem(tokens[1], NEW)


def test_questions_without_an_answer_do_not_pile_up():
    waiting = Confirmations(Clock())
    waiting.ask(NEW)
    others = [dataclasses.replace(NEW, after=b"%d" % n) for n in range(MOST)]
    numbers = [waiting.ask(each) for each in others]

    assert numbers == [waiting.ask(each) for each in others]
    with pytest.raises(UsageError):
        waiting.hear(NEW)


def test_a_token_grows_too_old():
    clock = Clock()
    waiting = Confirmations(clock)
    token = waiting.issue(NEW)
    clock.now += VALID_FOR

    with pytest.raises(UsageError, match="too old"):
        waiting.redeem(token, NEW)


def test_a_token_is_good_until_it_is_too_old():
    clock = Clock()
    waiting = Confirmations(clock)
    token = waiting.issue(NEW)
    clock.now += VALID_FOR - timedelta(seconds=1)

    waiting.redeem(token, NEW)


def test_proposals_without_an_answer_do_not_pile_up():
    waiting = Confirmations(Clock())
    first = waiting.issue(NEW)
    last = [waiting.issue(NEW) for _ in range(MOST)][-1]

    with pytest.raises(UsageError):
        waiting.redeem(first, NEW)
    waiting.redeem(last, NEW)


def test_a_change_is_asked_about_by_its_lines():
    after = b"---\ndescription: d\n---\n\nother\n"
    asked = question(Proposed(NEW.path, NEW.after, after, ("a credential?",)))

    assert asked.startswith(f"Change the memory {PATH} (")
    assert asked.splitlines()[1] == "Warning: a credential?"
    assert asked.endswith("-text\n+other")


def test_two_long_proposals_are_never_one_question():
    first, second = (
        question(Proposed(NEW.path, None, b"x" * 5_000 + end)) for end in (b"a", b"b")
    )

    assert first != second
    assert len(first) < LIMIT + 200
    assert first.endswith("… (there is more)")
