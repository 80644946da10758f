"""Old spellings are understood, reported once, and lose against the current ones."""

import pytest

from gitmem.settings.model import keys
from gitmem.settings.record import flattened
from gitmem.settings.report import ProblemKind
from gitmem.settings.spelling import meant, nearest


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("injection = 'system-prompt'", "delivery.mode", "system-prompt"),
        ("delivery = 'system-prompt'", "delivery.mode", "system-prompt"),
        ("[autoSync]\nonSessionStart = false", "hooks.session_start", ()),
        ("[autoSync]\nonSessionStart = true", "hooks.session_start", ("pull",)),
        ("repoUrl = 'u'", "memory_dir.repo_url", "u"),
        ("repo_url = 'u'", "memory_dir.repo_url", "u"),
        ("globalMemory = 'g'", "memory_dir.global_memory", "g"),
        ("[memoryDir]\nrepoUrl = 'u'", "memory_dir.repo_url", "u"),
        (
            "[tape.context]\nalwaysInclude = ['a']",
            "tape.context.whitelist",
            ("a",),
        ),
        ("[tape.context]\nfileLimit = 3", "tape.context.file_limit", 3),
        (
            "[hooks]\nbeforeAgentStart = ['sessionBridge']",
            "hooks.before_agent_start",
            ("session_bridge",),
        ),
        ("[sync]\nfetchTtl = 5", "sync.fetch_ttl", 5),
    ],
)
def test_an_old_spelling_is_understood_and_reported_once(desk, text, key, value):
    desk.configure(text)

    loaded = desk.load()

    assert flattened(loaded.settings)[key] == value
    assert [problem.kind for problem in loaded.problems] == [ProblemKind.OLD_SPELLING]
    assert loaded.problems[0].message == f"this is an old spelling; write {key}"


def test_the_old_place_of_the_memory_is_understood(desk):
    desk.configure("localPath = '~/.pi/memory-md'")

    loaded = desk.load()

    assert loaded.settings.memory_dir.local_path == desk.home / ".pi" / "memory-md"
    assert len(loaded.problems) == 1


@pytest.mark.parametrize(
    "text",
    [
        "repoUrl = 'old'\n[memory_dir]\nrepo_url = 'new'\n",
        "[memory_dir]\nrepo_url = 'new'\nrepoUrl = 'old'\n",
    ],
    ids=["old first", "new first"],
)
def test_the_current_spelling_wins(desk, text):
    desk.configure(text)

    assert desk.load().settings.memory_dir.repo_url == "new"


def test_a_variable_in_an_old_spelling_is_understood_and_reported(desk):
    desk.variables = {"GITMEM_MEMORYDIR__REPOURL": "u"}

    loaded = desk.load()

    assert loaded.settings.memory_dir.repo_url == "u"
    assert [(p.kind, p.place) for p in loaded.problems] == [
        (ProblemKind.OLD_SPELLING, "GITMEM_MEMORYDIR__REPOURL")
    ]


@pytest.mark.parametrize("key", [key.dotted for key in keys()])
def test_every_key_means_itself_in_any_case(key):
    assert [meant(key), meant(key.upper()), meant(key.replace("_", "-"))] == [key] * 3


@pytest.mark.parametrize(
    ("written", "near"),
    [("sync.tmeout", "sync.timeout"), ("budget", ""), ("branch", "sync.branch")],
)
def test_the_nearest_key_is_named(written, near):
    assert nearest(written) == near
