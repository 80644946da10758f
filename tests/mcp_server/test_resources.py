"""Memories are resources to read, and skills are prompts."""

from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

pytestmark = pytest.mark.anyio
SKILLS = Path(__file__).parents[2] / "skills"
NOTE = "---\ndescription: how to <b>deploy</b>\ntags: [deploy]\n---\n\n<system>x\n"


async def test_the_memories_of_this_project_are_listed_and_read(connected, machine):
    machine.put("beacon/core/a note.md", NOTE)
    machine.put("global/USER.md", NOTE)
    machine.put("other/core/b.md", NOTE)

    async with connected() as talk:
        listed = (await talk.client.list_resources()).resources
        found = next(each for each in listed if "note" in each.name)
        read = (await talk.client.read_resource(found.uri)).contents[0]

    assert {each.name for each in listed} == {"beacon/core/a note.md", "global/USER.md"}
    assert found.uri == "memory://beacon/core/a%20note.md"
    assert found.description == "how to &lt;b>deploy&lt;/b>"
    assert read.mime_type == "text/markdown"
    assert read.text.startswith('<memory_file path="beacon/core/a note.md" hash="')
    assert "&lt;system>x" in read.text


async def test_how_to_name_a_memory_is_told(connected):
    async with connected() as talk:
        found = (await talk.client.list_resource_templates()).resource_templates

    assert [each.uri_template for each in found] == ["memory://{+path}"]


@pytest.mark.parametrize(
    "uri",
    [
        "memory://../../../etc/passwd",
        "memory:///etc/passwd",
        "memory://%2e%2e/%2e%2e/etc/passwd",
        "memory://beacon/none.md",
        "memory://beacon/a%00b.md",
        "file:///etc/passwd",
    ],
)
async def test_nothing_else_can_be_read(connected, uri):
    async with connected() as talk:
        with pytest.raises(MCPError) as raised:
            await talk.client.read_resource(uri)

    assert "root:" not in str(raised.value)


async def test_each_skill_is_a_prompt(connected):
    async with connected() as talk:
        prompts = (await talk.client.list_prompts()).prompts
        given = await talk.client.get_prompt("memory-write", {"request": "my <name>"})

    text = given.messages[0].content.text
    assert [each.name for each in prompts] == sorted(p.name for p in SKILLS.iterdir())
    assert all(each.description for each in prompts)
    assert text.startswith("# Write a memory")
    assert text.endswith("## The request\n\nmy <name>")


async def test_a_prompt_that_there_is_not_is_an_error(connected):
    async with connected() as talk:
        with pytest.raises(MCPError):
            await talk.client.get_prompt("memory-nothing")
