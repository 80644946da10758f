"""Who wins, what a wrong value costs, and what a broken file costs."""

import os
from typing import Any

import pytest

from gitmem.errors import SettingsError, UsageError
from gitmem.settings.load import load
from gitmem.settings.model import MemoryDir, Settings
from gitmem.settings.report import Origin, OriginKind, ProblemKind

DURATION = 'seconds, or a text like "30s", "15 min", "12h"; ten years at most'


def test_without_any_source_the_defaults_hold(desk):
    loaded = desk.load()

    assert loaded.settings == Settings(memory_dir=MemoryDir(local_path=desk.memory))
    assert set(loaded.origins.values()) == {Origin(OriginKind.DEFAULT, "")}
    assert (loaded.refused, loaded.problems) == ((), ())


def test_the_environment_wins_over_the_file_and_the_command_line_over_both(desk):
    desk.configure("[sync]\ntimeout = 1\ninterval = 2\ndebounce = 3\n")
    desk.variables = {"GITMEM_SYNC__INTERVAL": "20", "GITMEM_SYNC__DEBOUNCE": "30"}

    loaded = desk.load({"sync.debounce": "300"})

    sync = loaded.settings.sync
    assert (sync.timeout, sync.interval, sync.debounce) == (1, 20, 300)
    assert [
        loaded.origins[f"sync.{name}"] for name in ("timeout", "interval", "debounce")
    ] == [
        Origin(OriginKind.CONFIG, str(desk.config)),
        Origin(OriginKind.ENVIRONMENT, "GITMEM_SYNC__INTERVAL"),
        Origin(OriginKind.COMMAND_LINE, "the command line"),
    ]


def test_a_project_wins_over_the_file_where_it_may(desk):
    desk.configure("delivery.mode = 'message-append'\n")
    desk.wish("delivery.mode = 'system-prompt'\n")

    loaded = desk.load()

    assert loaded.settings.delivery.mode == "system-prompt"
    assert loaded.origins["delivery.mode"].kind is OriginKind.PROJECT


def test_the_environment_wins_over_a_project(desk):
    desk.wish("enabled = false\ndelivery.mode = 'system-prompt'\n")
    desk.variables = {"GITMEM_ENABLED": "true"}

    settings = desk.load({"delivery.mode": "message-append"}).settings

    assert (settings.enabled, settings.delivery.mode) == (True, "message-append")


def test_without_a_root_the_current_folder_is_the_project(desk):
    from gitmem.settings.load import load

    desk.wish("enabled = false")

    assert not load(desk.project, environment=desk.environment).settings.enabled


@pytest.mark.parametrize(
    "text",
    ['["pull", "push"]', "pull,push", " pull , push "],
    ids=["json", "commas", "spaces"],
)
def test_a_list_in_a_variable_is_json_or_words_between_commas(desk, text):
    desk.variables = {"GITMEM_HOOKS__SESSION_START": text}

    assert desk.load().settings.hooks.session_start == ("pull", "push")


def test_variables_reach_every_depth(desk):
    desk.variables = {
        "GITMEM_ENABLED": "no",
        "GITMEM_TAPE__ENABLED": "true",
        "GITMEM_DELIVERY__BUDGET__TURN": "100",
        "GITMEM_TAPE__CONTEXT__MEMORY_SCAN": "1,2",
        "GITMEM_TAPE__ANCHOR__KEYWORDS__GLOBAL": "a,b c",
    }

    settings = desk.load().settings

    assert (settings.enabled, settings.tape.enabled) == (False, True)
    assert settings.delivery.budget.turn == 100
    assert settings.tape.context.memory_scan == (1, 2)
    assert settings.tape.anchor.keywords.global_ == ("a", "b c")


def test_the_file_env_is_never_read(desk, monkeypatch):
    (desk.project / ".env").write_text("GITMEM_ENABLED=false\n", "utf-8")
    (desk.project / ".envrc").write_text("export GITMEM_ENABLED=false\n", "utf-8")
    monkeypatch.chdir(desk.project)

    assert desk.load().settings.enabled


def test_a_wrong_value_names_file_key_value_and_what_is_allowed(desk):
    desk.configure('[sync]\ntimeout = "soon"\nbranch = "trunk"\n')

    loaded = desk.load()

    assert [str(problem) for problem in loaded.problems] == [
        f'{desk.config}: sync.timeout = "soon": it must be {DURATION}, at least 0.1 s.'
    ]
    assert (loaded.settings.sync.timeout, loaded.settings.sync.branch) == (10, "trunk")


def test_a_wrong_variable_leaves_the_value_of_the_file(desk):
    desk.configure("sync.timeout = 7")
    desk.variables = {"GITMEM_SYNC__TIMEOUT": "-1"}

    loaded = desk.load()

    assert loaded.settings.sync.timeout == 7
    assert [(p.place, p.key, p.value) for p in loaded.problems] == [
        ("GITMEM_SYNC__TIMEOUT", "sync.timeout", '"-1"')
    ]


@pytest.mark.parametrize(
    "line",
    [
        "enabled = 'perhaps'",
        "enabled = [true]",
        "memory_dir.repo_url = 5",
        "memory_dir.repo_url = '--upload-pack=x'",
        'memory_dir.repo_url = "a\\nb"',
        "memory_dir.local_path = 'relative/path'",
        "memory_dir.local_path = '~other/memory'",
        'memory_dir.local_path = "/a\\u0000b"',
        "memory_dir.global_memory = 'tape'",
        "memory_dir.global_memory = 'a/TAPE'",
        "memory_dir.global_memory = '.git'",
        "memory_dir.global_memory = true",
        "hooks.session_start = 'pull'",
        "hooks.session_end = ['rm -rf']",
        "sync.fetch_ttl = 'a while'",
        "sync.fetch_ttl = inf",
        "sync.fetch_ttl = nan",
        "sync.fetch_ttl = '4000 d'",
        "model.daily_cost = inf",
        "model.daily_cost = nan",
        "sync.fetch_ttl = true",
        "sync.fetch_ttl = 1979-05-27",
        "sync.branch = '-x'",
        "sync.branch = 'a..b'",
        "sync.branch = 'a b'",
        "sync.branch = ''",
        "sync.machine_id = '../x'",
        "sync.max_file_bytes = 0",
        "sync.max_file_bytes = true",
        "sync.sign = 'ssh'",
        "security.secrets = 'never'",
        "delivery.mode = 1",
        "delivery.start = ['profile', 'everything']",
        "delivery.budget.start = -1",
        "delivery.budget.start = 1.5",
        f"delivery.budget.start = 0x{'f' * 5000}",
        "tags.contract = 'loose'",
        "tape.path = '../elsewhere'",
        "tape.exclude_dirs = ['relative']",
        "tape.context.file_limit = 5000",
        "tape.context.memory_scan = [72]",
        "tape.context.memory_scan = [168, 72]",
        "tape.context.whitelist = [1]",
        'tape.anchor.label_prefix = "\\u001b[2J"',
        "model.name = 'just-a-name'",
        "model.base_url = 'ftp://x'",
        "dream.min_sessions = {a = 1}",
        "daemon.idle_exit = []",
    ],
)
def test_each_wrong_value_is_told_and_costs_only_its_own_key(desk, line):
    desk.configure(f"{line}\nextract.every_turns = 3\n")

    loaded = desk.load()

    assert [problem.kind for problem in loaded.problems] == [ProblemKind.WRONG_VALUE]
    assert loaded.problems[0].key == line.partition(" = ")[0]
    assert str(loaded.problems[0]).isprintable()
    assert loaded.settings.extract.every_turns == 3


@pytest.mark.parametrize(
    ("written", "shared"),
    [
        ("''", None),
        ("'  '", "global"),
        ("'..'", "global"),
        ("'foo/bar'", "bar"),
        ("'foo/bar/'", "bar"),
        ("'foo/..'", "global"),
        ("' team '", "team"),
        ("'日本語'", "日本語"),
    ],
)
def test_the_shared_layer_is_named_by_the_last_part(desk, written, shared):
    desk.configure(f"memory_dir.global_memory = {written}")

    loaded = desk.load()

    assert (loaded.settings.memory_dir.global_memory, loaded.problems) == (shared, ())


def test_a_tilde_is_the_home_of_the_person(desk):
    desk.configure("memory_dir.local_path = '~/notes'\ntape.exclude_dirs = ['~/x']\n")

    settings = desk.load().settings

    assert settings.memory_dir.local_path == desk.home / "notes"
    assert settings.tape.exclude_dirs == (str(desk.home / "x"),)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[sync]\ntimeout = 5\noops\n", "line 3"),
        (b"[sync]\n# caf\xe9\n", "line 2 is not UTF-8"),
        (b"a = " + b"9" * 5000, "not valid TOML"),
        (b"a = " + b"[" * 5000, "not valid TOML"),
        (b"x" * (1 << 20) + b"x", "larger than 1024 KiB"),
    ],
    ids=["toml", "latin1", "digits", "nested", "large"],
)
def test_a_broken_file_is_told_and_all_else_works(desk, data, words):
    desk.configure(data)
    desk.variables = {"GITMEM_SYNC__BRANCH": "trunk"}
    desk.wish("enabled = false")

    loaded = desk.load()

    assert [problem.kind for problem in loaded.problems] == [ProblemKind.BROKEN_FILE]
    assert words in str(loaded.problems[0])
    assert (loaded.settings.sync.branch, loaded.settings.enabled) == ("trunk", False)


def test_a_folder_in_place_of_the_file_is_told(desk):
    desk.config.mkdir(parents=True)

    assert "not a regular file" in str(desk.load().problems[0])


def test_a_pipe_in_place_of_the_file_is_told_and_not_waited_for(desk):
    desk.config.parent.mkdir(parents=True)
    os.mkfifo(desk.config)

    assert "not a regular file" in str(desk.load().problems[0])


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_is_told(desk):
    desk.configure("")
    desk.config.chmod(0)

    assert "Permission denied" in str(desk.load().problems[0])


def test_a_link_that_leads_in_a_circle_is_told(desk):
    desk.config.parent.mkdir(parents=True)
    desk.config.symlink_to(desk.config)

    assert "cannot be read" in str(desk.load().problems[0])


def test_the_file_may_be_a_link_to_the_dotfiles(desk):
    dotfiles = desk.home / "dotfiles.toml"
    dotfiles.write_text("sync.branch = 'trunk'", "utf-8")
    desk.config.parent.mkdir(parents=True)
    desk.config.symlink_to(dotfiles)

    loaded = desk.load()

    assert (loaded.settings.sync.branch, loaded.problems) == ("trunk", ())


def test_a_byte_order_mark_is_no_reason_to_ignore_the_file(desk):
    desk.configure(b"\xef\xbb\xbfsync.branch = 'trunk'")

    assert desk.load().settings.sync.branch == "trunk"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sync.tiemout = 1", "the nearest is sync.timeout."),
        ("timeout = 1", "the nearest is sync.timeout."),
        ("tape.contxt.file_limit = 1", "the nearest is tape.context.file_limit."),
        ("zzz = 1", "there is no such setting."),
        ("sync = 1", "write [sync]."),
        ("a.a.a.a.a.a.a.a = 1", "there is no such setting."),
    ],
)
def test_an_unknown_key_is_told_with_the_nearest_known_one(desk, line, message):
    desk.configure(line)

    problems = desk.load().problems

    assert [problem.kind for problem in problems] == [ProblemKind.UNKNOWN_KEY]
    assert str(problems[0]).endswith(message)


def test_an_unknown_variable_is_told_and_gitmem_home_is_known(desk):
    desk.variables = {"GITMEM_HOME": str(desk.home), "GITMEM_SINK__SIGN": "1"}

    (problem,) = desk.load().problems

    assert (problem.place, problem.key) == ("GITMEM_SINK__SIGN", "sink.sign")
    assert problem.message == "there is no such setting; the nearest is sync.sign"


def test_a_mistake_on_the_command_line_stops_the_command(desk):
    with pytest.raises(UsageError, match="no setting synk"):
        desk.load({"synk": "1"})
    with pytest.raises(UsageError, match=r"sync\.sign = .* must be true or false"):
        desk.load({"sync.sign": "gpg"})


def test_a_relative_gitmem_home_is_no_place(desk):
    desk.variables = {"GITMEM_HOME": "here"}

    with pytest.raises(SettingsError, match="GITMEM_HOME"):
        desk.load()


def test_gitmem_home_moves_all_folders(desk):
    desk.variables = {"GITMEM_HOME": "~/g"}

    loaded = desk.load()

    base = desk.home / "g"
    assert loaded.folders.config == base / "config"
    assert loaded.settings.memory_dir.local_path == base / "data" / "memory"


def test_no_report_shows_a_credential(desk):
    desk.configure('sync.branch = "https://me:hunter2secret@example.com/x y"')

    assert "hunter2secret" not in str(desk.load().problems[0])


def test_what_a_process_keeps_holds_only_while_nothing_changed(desk):
    kept: dict[str, Any] = {}

    def loaded():
        environment = desk.environment
        return load(desk.project, environment=environment, kept=kept).settings

    desk.configure("sync.branch = 'one'")
    first = loaded()
    assert loaded() is first
    desk.configure("sync.branch = 'two'")
    assert loaded().sync.branch == "two"
    desk.wish("enabled = false")
    assert not loaded().enabled
    desk.variables = {"GITMEM_SYNC__BRANCH": "three"}
    assert loaded().sync.branch == "three"


def test_what_a_process_keeps_stays_small(desk):
    kept: dict[str, Any] = {}

    for number in range(120):
        desk.variables = {"GITMEM_SYNC__BRANCH": f"b{number}"}
        load(desk.project, environment=desk.environment, kept=kept)

    assert len(kept) <= 50
