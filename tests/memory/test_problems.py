import json
import re
from pathlib import Path

from gitmem.memory.memory import Problem, Severity
from gitmem.memory.problems import PROBLEMS, problem

ROOT = Path(__file__).parents[2]


def test_every_problem_is_in_the_reference_and_no_other():
    page = (ROOT / "docs" / "reference" / "format.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (\w+) \| (.+) \|$", page, re.MULTILINE)

    documented = {code: (severity, meaning) for code, severity, meaning in rows}
    assert documented == {code: PROBLEMS[code] for code in sorted(PROBLEMS)}


def test_every_problem_has_a_fixture():
    text = (ROOT / "fixtures" / "frontmatter" / "expected.json").read_text("utf-8")
    lists = [file["problems"] for file in json.loads(text).values()]

    assert {one.split()[1] for found in lists for one in found} == set(PROBLEMS)


def test_problem_says_what_is_special_about_its_place():
    assert problem("duplicate-key", 0, "tags") == Problem(
        1,
        "duplicate-key",
        "This field is given twice; the last one counts. (tags)",
        Severity.WARNING,
    )
