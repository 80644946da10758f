from pathlib import PurePosixPath as P

import pytest

from gitmem.memory.rules import Rules, accept
from gitmem.memory.templates import TEMPLATES, project

DAY = "2026-11-30"


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_a_template_is_a_memory_under_the_strict_contract(name):
    data = TEMPLATES[name](DAY)
    rules = Rules(tag_contract="strict")
    assert () == accept(P("global", name), data, rules, is_new=True)
    assert f'created: "{DAY}"\n'.encode() in data


def test_the_claim_of_a_project_names_its_remote():
    assert b"remotes: [example.org/ada/alpha]\n" in (
        project("alpha", "example.org/ada/alpha", DAY)
    )
