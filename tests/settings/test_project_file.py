"""A project's file is a stranger's: what it may set, and what it must not."""

import os
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.settings.model import keys
from gitmem.settings.record import flattened
from gitmem.settings.report import OriginKind
from gitmem.settings.trust import Wish, wish

PROTECTED = [key.dotted for key in keys() if wish(key.dotted) is Wish.NEVER]
ATTACKS = {
    "memory_dir.repo_url": '"ext::sh -c touch% /tmp/pwned"',
    "memory_dir.local_path": '"/tmp/elsewhere"',
    "memory_dir.global_memory": '"mine"',
    "hooks.session_start": "[]",
    "hooks.session_end": '["pull"]',
    "hooks.before_agent_start": '["session_bridge"]',
    "sync.fetch_ttl": "0",
    "sync.timeout": '"9 h"',
    "sync.interval": "1",
    "sync.debounce": "0",
    "sync.start_wait": "600",
    "sync.branch": '"theirs"',
    "sync.machine_id": '"victim"',
    "sync.sign": "true",
    "sync.max_file_bytes": "1",
    "security.secrets": '"off"',
    "tags.consolidate_every": "1",
    "search.semantic": '"/tmp/model"',
    "tape.path": '"/tmp/tape"',
    "tape.anchor.label_prefix": '"x"',
    "tape.anchor.keywords.global": '["the"]',
    "model.name": '"evil:model"',
    "model.base_url": '"http://evil.example"',
    "model.daily_calls": "1000000",
    "model.daily_tokens": "1000000000",
    "model.daily_cost": "1000",
    "recall.model": '"evil:model"',
    "recall.timeout": "600",
    "recall.max_files": "50",
    "recall.session_bytes": "100000000",
    "recall.prompt": '"full"',
    "dream.model": '"evil:model"',
    "dream.idle_delay": "0",
    "dream.min_hours": "0",
    "dream.min_sessions": "0",
    "dream.apply": '"auto"',
    "dream.max_turns": "1000",
    "dream.max_cost": "1000",
    "extract.enabled": "true",
    "extract.model": '"evil:model"',
    "extract.every_turns": "1",
    "daemon.autostart": "false",
    "daemon.idle_exit": "0",
    "mcp.groups": "[]",
    "mcp.confirm": '"never"',
}


def camel(dotted):
    sections = (name.split("_") for name in dotted.split("."))
    return ".".join(first + "".join(map(str.title, rest)) for first, *rest in sections)


def test_there_is_an_attack_on_each_protected_key():
    assert list(ATTACKS) == PROTECTED


@pytest.mark.parametrize("spell", [str, camel], ids=["today", "camel"])
@pytest.mark.parametrize("key", PROTECTED)
def test_a_protected_key_is_refused_and_told(desk, key, spell):
    before = desk.load().settings
    desk.wish(f"{spell(key)} = {ATTACKS[key]}")

    loaded = desk.load()

    assert loaded.settings == before
    assert [(r.place, r.key) for r in loaded.refused] == [
        (str(desk.project_file), spell(key))
    ]
    assert loaded.problems == ()


@pytest.mark.parametrize(
    "line",
    [
        "enabled = true",
        "tape.enabled = true",
        "tape.thread = true",
        "tape.only_git = false",
        "recall.enabled = true",
        "dream.enabled = true",
        "delivery.budget.start = 9501",
        "delivery.budget.turn = 1000000",
        "tape.context.file_limit = 11",
        'tape.anchor.mode = "auto"',
        'tape.context.whitelist = ["/etc/passwd"]',
        'tape.context.whitelist = ["~/.ssh/id_ed25519"]',
        'tape.context.whitelist = ["../../.ssh"]',
        'tape.context.blacklist = ["a/../../b"]',
        'repoUrl = "https://evil.example/x"',
        'localPath = "/tmp/x"',
        "autoSync.onSessionStart = false",
        'hooks = "none"',
        "zzz = 1",
        '"" = 1',
    ],
)
def test_a_wish_in_the_wrong_direction_is_refused_and_told(desk, line):
    before = desk.load().settings
    desk.wish(line)

    loaded = desk.load()

    assert loaded.settings == before
    assert (len(loaded.refused), loaded.problems) == (1, ())


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("enabled = false", "enabled", False),
        ('delivery.mode = "system-prompt"', "delivery.mode", "system-prompt"),
        ('injection = "system-prompt"', "delivery.mode", "system-prompt"),
        ('delivery.start = ["tags"]', "delivery.start", ("tags",)),
        ("delivery.turn = []", "delivery.turn", ()),
        ("delivery.budget.start = 100", "delivery.budget.start", 100),
        ("delivery.budget.turn = 0", "delivery.budget.turn", 0),
        ('tags.contract = "strict"', "tags.contract", "strict"),
        ("tape.only_git = true", "tape.only_git", True),
        ("tape.thread = false", "tape.thread", False),
        (
            'tape.context.strategy = "recent-only"',
            "tape.context.strategy",
            "recent-only",
        ),
        ("tape.context.file_limit = 3", "tape.context.file_limit", 3),
        ("tape.context.memory_scan = [1, 2]", "tape.context.memory_scan", (1, 2)),
        ('tape.context.whitelist = ["docs"]', "tape.context.whitelist", ("docs",)),
        ('tape.context.alwaysInclude = ["d"]', "tape.context.whitelist", ("d",)),
        ('tape.context.blacklist = ["dist"]', "tape.context.blacklist", ("dist",)),
        ('tape.anchor.mode = "manual"', "tape.anchor.mode", "manual"),
        (
            'tape.anchor.keywords.project = ["ship"]',
            "tape.anchor.keywords.project",
            ("ship",),
        ),
        ('tape.exclude_dirs = ["/x"]', "tape.exclude_dirs", ("/x",)),
        ("recall.enabled = false", "recall.enabled", False),
        ("dream.enabled = false", "dream.enabled", False),
    ],
)
def test_what_a_project_may_set_it_sets(desk, line, key, value):
    desk.wish(line)

    loaded = desk.load()

    assert flattened(loaded.settings)[key] == value
    assert loaded.origins[key].kind is OriginKind.PROJECT
    assert loaded.refused == ()


def test_a_project_switches_off_what_the_person_switched_on(desk):
    desk.configure("tape.enabled = true\nrecall.enabled = true\ndream.enabled = true")
    desk.wish("tape.enabled = false\nrecall.enabled = false\ndream.enabled = false")

    settings = desk.load().settings

    assert not settings.tape.enabled
    assert not settings.recall.enabled
    assert not settings.dream.enabled


def test_lower_means_lower_than_the_person_wrote(desk):
    desk.configure("delivery.budget.start = 500")
    desk.wish("delivery.budget.start = 600")

    loaded = desk.load()

    assert loaded.settings.delivery.budget.start == 500
    assert loaded.refused[0].reason.endswith("yours is 500")


def test_a_project_adds_to_lists_and_removes_nothing(desk):
    desk.configure(
        "[tape]\nexclude_dirs = ['/mine']\n[tape.context]\nblacklist = ['private']\n"
    )
    desk.wish(
        "[tape]\nexclude_dirs = ['/theirs']\n[tape.context]\nblacklist = ['dist']\n"
    )

    tape = desk.load().settings.tape

    assert tape.exclude_dirs == ("/mine", "/theirs")
    assert tape.context.blacklist == ("private", "dist")


def test_an_entry_outside_is_refused_and_the_others_stay(desk):
    desk.wish(f"tape.context.whitelist = ['a.md', '/etc', '{desk.memory}/global']")

    loaded = desk.load()

    assert loaded.settings.tape.context.whitelist == ("a.md", f"{desk.memory}/global")
    assert [(r.key, r.value) for r in loaded.refused] == [
        ("tape.context.whitelist", '"/etc"')
    ]


def test_an_entry_through_a_link_that_leads_outside_is_refused(desk):
    (desk.project / "docs").symlink_to("/etc")
    desk.wish("tape.context.whitelist = ['docs/passwd']")

    loaded = desk.load()

    assert loaded.settings.tape.context.whitelist == ()
    assert len(loaded.refused) == 1


def test_an_entry_that_turns_into_a_link_is_refused_at_the_next_load(desk):
    (desk.project / "docs").mkdir()
    desk.wish("tape.context.whitelist = ['docs']")
    before = desk.load()
    (desk.project / "docs").rmdir()
    (desk.project / "docs").symlink_to("/etc")

    after = desk.load()

    assert before.settings.tape.context.whitelist == ("docs",)
    assert after.settings.tape.context.whitelist == ()


def test_a_wrong_value_for_an_allowed_key_is_a_problem(desk):
    desk.wish("delivery.start = ['secrets']\ntags.contract = 'strict'")

    loaded = desk.load()

    assert [(p.place, p.key) for p in loaded.problems] == [
        (str(desk.project_file), "delivery.start")
    ]
    assert loaded.settings.tags.contract == "strict"


@pytest.mark.parametrize(
    "data",
    [b"[[[", b"\xff\xfe", b"a = " + b"[" * 9000, b"a = " + b"9" * 5000],
    ids=["toml", "bytes", "nested", "digits"],
)
def test_a_broken_project_file_is_told_and_the_person_s_holds(desk, data):
    desk.configure("sync.branch = 'trunk'")
    desk.wish(data)

    loaded = desk.load()

    assert loaded.settings.sync.branch == "trunk"
    assert ([r.place for r in loaded.refused], loaded.problems) == (
        [str(desk.project_file)],
        (),
    )
    assert str(loaded.refused[0]).isprintable()


def test_a_link_in_place_of_the_project_file_is_refused(desk, tmp_path):
    (tmp_path / "elsewhere.toml").write_text("enabled = false", "utf-8")
    desk.project_file.symlink_to(tmp_path / "elsewhere.toml")

    loaded = desk.load()

    assert loaded.settings.enabled
    assert [r.reason for r in loaded.refused] == ["it is a symbolic link"]


def test_a_pipe_in_place_of_the_project_file_is_refused_and_not_waited_for(desk):
    os.mkfifo(desk.project_file)

    assert [r.reason for r in desk.load().refused] == ["it is not a regular file"]


def test_a_folder_in_place_of_the_project_file_is_refused(desk):
    desk.project_file.mkdir()

    assert [r.reason for r in desk.load().refused] == ["it is not a regular file"]


def test_a_huge_project_file_is_refused(desk):
    desk.wish(b"enabled = false\n#" + b"x" * 65536)

    loaded = desk.load()

    assert loaded.settings.enabled
    assert [r.reason for r in loaded.refused] == ["it is larger than 64 KiB"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_project_file_of_another_user_is_refused(desk):
    desk.wish("enabled = false")
    os.chown(desk.project_file, 65534, 65534)

    loaded = desk.load()

    assert loaded.settings.enabled
    assert [r.reason for r in loaded.refused] == ["it belongs to another user"]


def test_a_key_of_endless_parts_does_not_stall_the_parser(desk):
    desk.wish(".".join(["a"] * 32000) + " = 1")
    started = time.perf_counter()

    loaded = desk.load()

    assert time.perf_counter() - started < 20
    assert "dots" in loaded.refused[0].reason


def test_a_flood_of_keys_hides_no_refusal(desk):
    flood = "\n".join(f"k{number} = 1" for number in range(5000))
    desk.wish(f"{flood}\nmemory_dir.repo_url = 'x'\n")

    refused = desk.load().refused

    assert len(refused) == 22
    assert refused[0].key == "memory_dir.repo_url"
    assert refused[-1].reason == "there are 4980 more keys without a setting"


@pytest.mark.parametrize(
    "flood",
    [
        "\n".join(f"k{number} = 1" for number in range(6000)),
        "\n".join(f"enabled{'_' * number} = 1" for number in range(340)),
        f"tape.context.whitelist = {[str(number) for number in range(7000)]}",
        f"delivery.start = {['files'] * 7000}",
        f"{'k' * 60_000} = 1",
        f"tags.contract = '{'x' * 60_000}'",
    ],
    ids=["keys", "spellings", "entries", "names", "long key", "long value"],
)
def test_a_flood_leaves_a_small_snapshot_and_short_reports(desk, flood):
    desk.wish(flood)

    loaded = desk.load()

    sizes = [path.stat().st_size for path in (desk.cache / "settings").iterdir()]
    assert max(sizes) < 50_000
    assert 0 < len(loaded.refused) + len(loaded.problems) <= 22
    assert max(map(len, map(str, (*loaded.refused, *loaded.problems)))) < 500


def test_what_is_told_cannot_move_a_terminal_or_show_a_credential(desk):
    desk.wish(
        '"\\u001b[2J\\u202e" = "\\u001b]0;x\\u0007"\n'
        'repoUrl = "https://me:hunter2@evil.example/x"\n'
    )

    told = "".join(map(str, desk.load().refused))

    assert told.isprintable()
    assert "hunter2" not in told


def test_the_project_s_tooling_files_are_not_read(desk):
    (desk.project / ".env").write_text("GITMEM_SECURITY__SECRETS=off\n", "utf-8")
    (desk.project / "config.toml").write_text("security.secrets = 'off'\n", "utf-8")
    (desk.project / ".config" / "gitmem").mkdir(parents=True)
    hidden = desk.project / ".config" / "gitmem" / "config.toml"
    hidden.write_text("security.secrets = 'off'\n", "utf-8")

    assert desk.load().settings.security.secrets == "block"


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-10, 100_000),
    st.floats(allow_nan=False, allow_infinity=False, width=16),
    st.sampled_from(["off", "auto", "manual", "/tmp", "..", "pull", "12h", "x:y", ""]),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=6),
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3))
SECTIONS = [key.rpartition(".")[0] for key in PROTECTED]
WRITTEN = st.one_of(
    st.sampled_from([key.dotted for key in keys()]),
    st.sampled_from([camel(key.dotted) for key in keys()]),
    st.sampled_from(["injection", "repoUrl", "localPath", "autoSync.onSessionStart"]),
    st.sampled_from([section for section in SECTIONS if section]),
)


def toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(c):08x}" for c in value) + '"'
    return repr(value)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(wishes=st.dictionaries(WRITTEN, VALUES, min_size=1, max_size=6))
def test_no_project_file_whatever_changes_a_protected_key(desk, wishes):
    desk.project_file.unlink(missing_ok=True)
    before = flattened(desk.load().settings)
    desk.wish("\n".join(f"{key} = {toml(value)}" for key, value in wishes.items()))

    loaded = desk.load()

    after = flattened(loaded.settings)
    assert {k: after[k] for k in PROTECTED} == {k: before[k] for k in PROTECTED}
    assert {loaded.origins[k].kind for k in PROTECTED} == {OriginKind.DEFAULT}
    assert loaded.settings.delivery.budget.start <= 9_500
    assert not loaded.settings.tape.enabled
    assert loaded.settings.tape.only_git
