"""The lock pins all that pyproject.toml asks for, and names no host or folder."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NEEDED = PROJECT["project"]["dependencies"]
GROUPS = {
    name: [each for each in wanted if isinstance(each, str)]
    for name, wanted in PROJECT["dependency-groups"].items()
}
LOCKS = ["build", "dev", "run"]
ASKED = {
    "build": GROUPS["build"],
    "run": NEEDED,
    "dev": NEEDED + GROUPS["build"] + GROUPS["dev"],
}


def text(lock):
    return (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")


def pins(lock):
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text(lock), flags=re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_at_or_above_its_floor(lock):
    pinned = pins(lock)
    wanted = [Requirement(each) for each in ASKED[lock]]

    assert [
        str(each)
        for each in wanted
        if not each.specifier.contains(pinned[canonicalize_name(each.name)])
    ] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_hash(lock):
    entries = re.split(r"^(?=[\w.-]+==)", text(lock), flags=re.MULTILINE)[1:]

    assert [each for each in entries if "--hash=sha256:" not in each] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_host_and_no_folder_is_named(lock):
    assert re.findall(r"https?:|file:|--index|--find-links| /\w+", text(lock)) == []


@pytest.mark.parametrize("lock", ["build", "run"])
def test_the_smaller_locks_agree_with_the_larger(lock):
    assert pins(lock).items() <= pins("dev").items()
