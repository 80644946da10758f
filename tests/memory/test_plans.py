"""A plan to tidy memories is read as it is written, or refused where it is none."""

import re
from pathlib import Path

import pytest

from gitmem.errors import UsageError
from gitmem.memory.plans import Merge, Plan, Rename, parse

WHOLE = b"""{
  "merges": [
    {"keep": "core/a.md", "drop": ["b.md", "c.md"], "text": "t", "tags": ["x"],
     "description": "d", "reason": "alike"},
    {"keep": "d.md", "drop": "e.md"}
  ],
  "renames": [
    {"from": "old", "to": "new"},
    {"from": "a", "to": "b", "layer": "global"}
  ],
  "hashes": {"core/a.md": "0123456789ab"}
}"""


def test_a_plan_is_read_whole():
    assert parse(WHOLE) == Plan(
        merges=(
            Merge("core/a.md", ("b.md", "c.md"), "t", "d", ("x",)),
            Merge("d.md", ("e.md",)),
        ),
        renames=(Rename("old", "new"), Rename("a", "b", "global")),
        hashes={"core/a.md": "0123456789ab"},
    )


def test_an_empty_plan_asks_for_nothing():
    assert parse(b"{}") == Plan()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "The plan is no JSON"),
        (b"\xff", "The plan is no JSON"),
        (b"[" * 100_000, "The plan is no JSON"),
        (b"[]", "The plan is not an object."),
        (b'{"merges": {}}', "merges is not a list."),
        (b'{"merges": [1]}', "merges[0] is not an object."),
        (b'{"merges": [{"drop": []}]}', "merges[0].keep is not text."),
        (b'{"merges": [{"keep": "a"}]}', "merges[0].drop is not a list of texts."),
        (b'{"merges": [{"keep": "a", "drop": [1]}]}', "drop is not a list of texts."),
        (
            b'{"merges": [{"keep": "a", "drop": [], "text": 1}]}',
            "merges[0].text is not text.",
        ),
        (b'{"renames": [{"from": "a"}]}', "renames[0].to is not text."),
        (b'{"renames": [{"from": "a", "to": null}]}', "renames[0].to is not text."),
        (b'{"hashes": {"a": 1}}', "hashes.a is not text."),
        (b'{"merge": []}', "The plan has no field merge."),
        (
            b'{"merges": [{"keep": "a", "drop": ["b"]}], "merges": []}',
            "The plan says merges twice in one place.",
        ),
        (b'{"hashes": {"a": "0", "a": "1"}}', "says a twice in one place."),
        (b'{"merges": [], "hash": {"a": "0"}}', "The plan has no field hash."),
        (
            b'{"merges": [{"keep": "a", "drop": ["b"], "txt": "c"}]}',
            "merges[0] has no field txt.",
        ),
        (b'{"renames": [{"from": "a", "tag": "b"}]}', "renames[0] has no field tag."),
    ],
)
def test_what_is_no_plan_is_refused_where_it_is_none(data, complaint):
    with pytest.raises(UsageError) as caught:
        parse(data)

    assert complaint in caught.value.message


def test_the_plan_of_the_documentation_is_one():
    page = Path(__file__).parents[2] / "docs/how-to/tidy-tags.md"
    (shown,) = re.findall(r"```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL)

    plan = parse(shown.encode())

    assert (len(plan.merges), len(plan.renames), len(plan.hashes)) == (2, 2, 1)
