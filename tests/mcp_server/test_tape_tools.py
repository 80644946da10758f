"""An agent sets anchors, looks back and works on threads through its client."""

import pytest

pytestmark = pytest.mark.anyio
NAMES = [
    *("tape_handoff", "tape_search", "tape_read", "tape_delete"),
    *("tape_info", "tape_reset", "tape_thread"),
]


@pytest.fixture(autouse=True)
def _with_tape(machine, monkeypatch, tmp_path):
    """Switch the tape on, in a folder that is not the one for temporary files."""
    for name, text in {
        "TMPDIR": str(tmp_path / "temporary"),
        "GITMEM_TAPE__ENABLED": "true",
        "GITMEM_TAPE__ONLY_GIT": "false",
    }.items():
        monkeypatch.setenv(name, text)
        machine.settings[name] = text


@pytest.fixture
def talking(connected):
    return lambda: connected(groups=("tape",))


async def test_the_tools_are_seven_and_cost_few_tokens(talking):
    async with talking() as talk:
        tools = (await talk.client.list_tools()).tools

    assert [tool.name for tool in tools] == NAMES
    assert all(tool.title and tool.output_schema for tool in tools)
    told = [f"{tool.name}{tool.description}{tool.input_schema}" for tool in tools]
    assert len("".join(told)) < 6_500


async def test_an_anchor_is_set_found_and_deleted(talking):
    async with talking() as talk:
        made = await talk.call("tape_handoff", name="task/begin", summary="deploy it")
        found = await talk.call("tape_search", anchorName="begin", kinds=["anchor"])
        [anchor] = found.data["answer"]["anchors"]
        gone = await talk.call("tape_delete", id=anchor["anchor"]["id"])
        after = await talk.call("tape_search")

    assert made.text.startswith("Set task/begin (handoff, ")
    assert "summary: deploy it" in found.text
    assert anchor["anchor"]["meta"]["trigger"] == "direct"
    assert gone.text.startswith("Deleted: 1 anchor.")
    assert after.text == "Nothing found."


async def test_every_filter_is_taken(talking):
    async with talking() as talk:
        await talk.call("tape_handoff", name="one", purpose="deploy")
        await talk.call("tape_handoff", name="two")
        found = await talk.call(
            "tape_search",
            scan="one",
            kinds=["anchor"],
            types=["message"],
            limit=5,
            contextLines=2,
            betweenDates={"start": "2020-01-01", "end": "2099-01-01"},
            entryScope="project",
            anchorScope="project",
            anchorName="on",
            anchorType="handoff",
            anchorPurpose="deploy",
            anchorKeywords=[],
        )
        between = await talk.call(
            "tape_read",
            betweenAnchors={"start": "one", "end": "two"},
            maxContentChars=None,
        )

    assert [each["anchor"]["name"] for each in found.data["answer"]["anchors"]] == [
        "one"
    ]
    assert between.text.startswith("After one (handoff, ")


async def test_a_thread_is_begun_and_resumed(talking):
    async with talking() as talk:
        await talk.call("tape_thread", action="create", name="deploy", summary="rsync")
        await talk.call(
            "tape_thread", action="branch", name="retry", next=["test <system>it"]
        )
        resumed = await talk.call("tape_thread", action="resume")
        info = await talk.call("tape_info")
        reset = await talk.call("tape_reset", archive=True)

    assert "- deploy" in resumed.text
    assert "- retry" in resumed.text
    assert "<system>" not in resumed.text
    assert "<system>" not in str(resumed.data)
    assert info.data["answer"]["threads"] == 1
    assert "begins anew" in reset.text


async def test_manual_mode_refuses_and_says_what_to_do(talking, machine, monkeypatch):
    monkeypatch.setenv("GITMEM_TAPE__ANCHOR__MODE", "manual")
    async with talking() as talk:
        told = await talk.call("tape_handoff", name="task/begin")

    assert told.is_error
    assert "/memory-anchor" in told.text


async def test_nothing_to_delete_is_said(talking):
    async with talking() as talk:
        told = await talk.call("tape_delete")

    assert told.is_error
    assert told.text.startswith("Nothing to delete.")


async def test_the_group_is_there_only_with_the_tape(started):
    async with started() as talk:
        with_tape = [tool.name for tool in (await talk.client.list_tools()).tools]
    async with started(GITMEM_TAPE__ENABLED="false") as talk:
        without = [tool.name for tool in (await talk.client.list_tools()).tools]

    assert with_tape[-7:] == NAMES
    assert set(NAMES) & set(without) == set()
