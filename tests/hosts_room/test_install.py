"""What is put into a host comes out again, and nothing else is touched."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gitmem.errors import PathRefused, SettingsError, UsageError
from gitmem.hosts import install, skills
from gitmem.hosts.place import Wishes

BELL = {"type": "command", "command": "ring the bell"}
NAMES = ["claude-code", "codex", "opencode", "agents-md"]
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "opencode": ".config/opencode/opencode.json",
}
OTHERS = {
    ".claude/settings.json": b'{\n  "model": "opus",\n  "hooks": {}\n}\n',
    ".claude/plugins/known_marketplaces.json": b'{"x": {"source": 1}}',
    ".codex/hooks.json": b'{"hooks": {"Stop": [{"hooks": []}]}}',
    ".codex/config.toml": b'# mine\nmodel = "o9"\n\n[mcp_servers.x]\ncommand = "x"',
    ".codex/AGENTS.md": b"# Mine\r\n\r\nBe brief.",
    ".config/opencode/opencode.json": b'\xef\xbb\xbf{\r\n\t"mcp": { }, // none\r\n}',
    "site/AGENTS.md": "# Site — 場所\n".encode(),
}
# Ends itself as if killed, at the step that it is told, counted over all of them.
KILLED = """
import os, sys, pathlib
from gitmem.hosts import install, skills
from gitmem.hosts.place import Installation, Where, Wishes
home, own, package, name, act, at = sys.argv[1:]
left = int(at)
def hook(event, arguments):
    global left
    if event in {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir"}:
        left -= 1
        if left < 0:
            os._exit(9)
home, own = pathlib.Path(home), pathlib.Path(own)
made = Installation("1.0", pathlib.Path(sys.executable), pathlib.Path(package),
    ("/opt/tools/gitmem",), own / "data", own / "state")
where = Where(home, {}, home / "site/AGENTS.md" if name == "agents-md" else None)
sys.addaudithook(hook)
if act == "install":
    install.install(name, where, made, Wishes())
else:
    install.uninstall(name, where, made)
"""


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def settled(person):
    """Give a person who has used every host."""
    for path, data in OTHERS.items():
        person.file(path, data)
    return person


def test_nothing_is_left_where_nothing_was(person, name):
    before = person.everything()
    person.install(name)
    assert person.everything() != before

    person.uninstall(name)

    assert person.everything() == before
    assert not person.installation.assets(name).exists()


def test_what_was_there_is_there_byte_for_byte(settled, name):
    before = settled.everything()
    settled.install(name)
    assert settled.everything() != before

    settled.uninstall(name)

    assert settled.everything() == before


def test_installed_twice_is_installed_once(settled, name):
    before = settled.everything()
    settled.install(name)
    once = settled.everything()

    again = settled.install(name)

    assert (again.changed, again.diff) == ((), "")
    assert settled.everything() == once
    settled.uninstall(name)
    assert settled.everything() == before


def test_it_goes_without_a_record_of_it(settled, name):
    settled.install(name)
    record = next((settled.installation.state / "hosts").glob(f"{name}*.json"))
    record.unlink()

    settled.uninstall(name)

    held = json.dumps({key: str(data) for key, data in settled.everything().items()})
    assert "gitmem" not in held


def test_a_dry_run_shows_the_change_and_makes_none(settled, name):
    before = settled.everything()

    shown = settled.install(name, is_dry=True)

    assert settled.everything() == before
    assert not settled.installation.data.exists()
    assert not settled.installation.state.exists()
    assert "+++ " in shown.diff
    assert "gitmem" in shown.diff
    assert settled.install(name).diff == shown.diff


def test_a_dry_run_of_the_way_back_makes_no_change(settled, name):
    settled.install(name)
    there = settled.everything()

    shown = settled.uninstall(name, is_dry=True)

    assert settled.everything() == there
    assert shown.diff == settled.uninstall(name).diff != ""


def test_uninstalled_where_it_never_was_is_nothing(settled, name):
    before = settled.everything()

    assert settled.uninstall(name).changed == ()
    assert settled.everything() == before


@pytest.mark.parametrize(("name", "path"), SETTINGS.items(), ids=SETTINGS)
def test_what_the_person_adds_later_stays(settled, name, path):
    edited = settled.home / path
    settled.install(name)
    data = edited.read_bytes()
    at = data.rindex(b"}")
    comma = b"" if data[:at].rstrip().endswith(b",") else b","
    edited.write_bytes(data[:at].rstrip() + comma + b'\n "mine": [ 1 ]\n}')

    settled.uninstall(name)

    left = edited.read_bytes()
    assert b'\n "mine": [ 1 ]\n}' in left
    assert b"gitmem" not in left
    assert left.startswith(OTHERS[path][:12])


def test_lines_that_the_person_writes_around_ours_stay(settled):
    page = settled.home / "site" / "AGENTS.md"
    settled.install("agents-md")
    page.write_bytes(b"Above\n" + page.read_bytes() + b"Below\n")

    settled.uninstall("agents-md")

    assert page.read_bytes() == b"Above\n" + OTHERS["site/AGENTS.md"] + b"Below\n"


def test_a_line_below_does_not_join_the_last_line_above(settled):
    page = settled.home / ".codex" / "AGENTS.md"
    settled.install("codex")
    page.write_bytes(page.read_bytes() + b"Below\r\n")

    settled.uninstall("codex")

    assert page.read_bytes() == OTHERS[".codex/AGENTS.md"] + b"\r\nBelow\r\n"


def test_a_file_written_beside_ours_keeps_its_folder(person):
    person.install("opencode")
    mine = person.file(".config/opencode/plugin/mine.js", b"mine")

    person.uninstall("opencode")

    assert list(person.everything()) == [
        ".config",
        ".config/opencode",
        ".config/opencode/plugin",
        str(mine.relative_to(person.home)),
    ]


def test_a_link_among_the_dotfiles_stays_a_link(person):
    real = person.file("dotfiles/claude.json", b'{"a": 1}')
    link = person.home / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to("../dotfiles/claude.json")
    before = person.everything()

    person.install("claude-code")

    assert link.is_symlink()
    assert b"gitmem" in real.read_bytes()
    person.uninstall("claude-code")
    assert person.everything() == before


def test_the_mode_of_a_file_stays(person):
    path = person.file(".claude/settings.json", b"{}")
    path.chmod(0o640)

    person.install("claude-code")

    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("mask", "mode"), [(0o022, "644 755"), (0o077, "600 700")], ids=["usual", "strict"]
)
def test_what_is_new_among_the_persons_files_has_the_usual_mode(
    person, name, mask, mode
):
    before = os.umask(mask)
    try:
        done = person.install(name)
    finally:
        os.umask(before)

    theirs = [path for path in done.changed if path.is_file()]
    modes = {f"{_mode(path)} {_mode(path.parent)}" for path in theirs}
    assert modes == {mode}


def _mode(path):
    return f"{path.stat().st_mode & 0o777:o}"


@pytest.mark.parametrize(("name", "path"), SETTINGS.items(), ids=SETTINGS)
@pytest.mark.parametrize(
    "data", [b'{"a": ', b"[1]", b"\xff\xfe{}", b'{"hooks": 1, "mcp": 1'], ids=repr
)
def test_a_file_that_makes_no_sense_is_not_touched(person, name, path, data):
    person.file(path, data)
    before = person.everything()

    with pytest.raises(SettingsError, match="cannot be changed") as refused:
        person.install(name)

    assert refused.value.hint
    assert person.everything() == before
    assert not person.installation.data.exists()


@pytest.mark.parametrize(("name", "path"), SETTINGS.items(), ids=SETTINGS)
def test_a_file_that_may_not_be_written_is_not_touched(settled, name, path):
    (settled.home / path).chmod(0o444)
    before = settled.everything()

    with pytest.raises(PathRefused, match="read-only"):
        settled.install(name)

    assert settled.everything() == before
    assert not settled.installation.data.exists()


def test_a_folder_in_the_place_of_a_file_is_refused(person):
    (person.home / ".claude" / "settings.json").mkdir(parents=True)

    with pytest.raises(PathRefused, match="not a file"):
        person.install("claude-code")


def test_a_table_of_the_persons_own_is_not_overwritten(person):
    person.file(".codex/config.toml", b'[mcp_servers.gitmem]\ncommand = "mine"\n')
    before = person.everything()

    with pytest.raises(SettingsError, match="already"):
        person.install("codex")

    assert person.everything() == before


def test_a_plugin_of_the_persons_own_is_not_overwritten(person):
    person.file(".config/opencode/plugin/gitmem.js", b"// mine\n")
    before = person.everything()

    with pytest.raises(SettingsError, match="your own"):
        person.install("opencode")

    assert person.everything() == before


@pytest.mark.parametrize(
    ("name", "folder"),
    [("codex", ".codex/skills"), ("opencode", ".config/opencode/skill")],
    ids=["codex", "opencode"],
)
def test_a_skill_of_the_persons_own_wins(person, name, folder):
    mine = person.file(f"{folder}/memory-write/SKILL.md", b"mine")
    before = person.everything()

    person.install(name)

    assert mine.read_bytes() == b"mine"
    assert (person.home / folder / "memory-search" / "SKILL.md").is_file()
    person.uninstall(name)
    assert person.everything() == before


@pytest.mark.parametrize("event", ["Stop", "PostToolUse", "SessionStart"])
def test_a_hook_that_the_person_adds_to_our_group_stays(person, event):
    person.install("codex")
    path = person.home / SETTINGS["codex"]
    held = json.loads(path.read_bytes())
    held["hooks"][event][0]["hooks"].append(BELL)
    path.write_text(json.dumps(held, indent=2))

    person.upgrade()
    person.installation = replace(person.installation, python=Path("/new/python"))
    person.install("codex")
    [group] = json.loads(path.read_bytes())["hooks"][event]
    assert BELL in group["hooks"]
    assert "/new/python" in json.dumps(group)

    person.uninstall("codex")
    [left] = json.loads(path.read_bytes())["hooks"][event]
    assert left["hooks"] == [BELL]


@pytest.mark.parametrize("before", [None, b"", b'model = "x"', b"# a\r\nm = 1\r\n"])
def test_what_codex_notes_in_its_settings_outlives_every_install(person, before):
    path = person.home / ".codex" / "config.toml"
    _ = before is None or person.file(".codex/config.toml", before)
    person.install("codex")
    trust = b'\n[hooks.state."/h:stop:0:0"]\ntrusted_hash = "sha256:1"\n'
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n") + trust)

    assert person.stale("codex") == ""
    person.upgrade()
    person.installation = replace(person.installation, command=("/new/gitmem",))
    person.install("codex")
    assert path.read_bytes().endswith(trust)
    assert b"/new/gitmem" in path.read_bytes()

    person.uninstall("codex")
    former = (before or b"").replace(b"\r\n", b"\n")
    assert path.read_bytes().removeprefix(former).lstrip() == trust.lstrip()


@pytest.mark.parametrize("before", ["/old", "/o/python -I -S /old"], ids=repr)
def test_a_hook_of_an_older_gitmem_goes_alone(person, before):
    older = {"type": "command", "command": f"{before}/gitmem/hook/client.py codex Stop"}
    held = {"hooks": {"Stop": [{"hooks": [BELL, older]}, {"matcher": "x"}, 1]}}
    path = person.file(SETTINGS["codex"], json.dumps(held).encode())

    person.install("codex")
    groups = json.loads(path.read_bytes())["hooks"]["Stop"]
    assert groups[0]["hooks"][0] == BELL
    assert json.dumps(groups).count("client.py codex Stop") == 1

    person.uninstall("codex")
    expected = {"hooks": {"Stop": [{"hooks": [BELL]}, {"matcher": "x"}, 1]}}
    assert json.loads(path.read_bytes()) == expected


@pytest.mark.parametrize(
    "command",
    [
        "strace python /x/gitmem/hook/client.py codex Stop",
        "python gitmem/hook/client.py codex Stop",
        "/x/gitmem/hook/client.py codex Stop --loud",
        "/x/gitmem/hook/client.py pi Stop",
        "echo 'unclosed /gitmem/hook/client.py codex Stop",
        7,
    ],
    ids=repr,
)
def test_a_hook_of_the_persons_about_gitmem_stays(person, command):
    held = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}
    person.file(SETTINGS["codex"], json.dumps(held).encode())
    before = person.everything()

    person.install("codex")
    assert held["hooks"]["Stop"][0] in hooks_of(person)["Stop"]

    person.uninstall("codex")
    assert person.everything() == before


def test_a_comment_in_a_container_of_ours_keeps_it(person):
    path = person.file(".claude/settings.json", b'{\n  "a": 1\n}\n')
    person.install("claude-code")
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"enabledPlugins": {', b'"enabledPlugins": { // me'))

    person.uninstall("claude-code")

    expected = b'{\n  "a": 1,\n  "enabledPlugins": { // me\n  }\n}\n'
    assert path.read_bytes() == expected


@pytest.mark.parametrize(("name", "path"), SETTINGS.items(), ids=SETTINGS)
@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n \n\n", b"{ }"], ids=repr)
def test_settings_that_say_nothing_come_back(person, name, path, data):
    person.file(path, data)
    before = person.everything()
    assert person.uninstall(name).changed == ()
    assert person.everything() == before

    person.install(name)
    person.uninstall(name)

    assert person.everything() == before


def test_a_package_beside_ours_that_is_named_alike_stays(person):
    ours = str(person.installation.assets("pi"))
    held = {"packages": [f"{ours}-mine", {"source": "npm:x"}]}
    path = person.file(".pi/agent/settings.json", json.dumps(held).encode())
    person.install("pi")
    assert json.loads(path.read_bytes())["packages"] == [*held["packages"], ours]
    path.write_bytes(path.read_bytes().replace(b"npm:x", b"npm:y"))

    person.uninstall("pi")

    left = {"packages": [f"{ours}-mine", {"source": "npm:y"}]}
    assert json.loads(path.read_bytes()) == left


def hooks_of(person):
    return json.loads((person.home / SETTINGS["codex"]).read_bytes())["hooks"]


@pytest.mark.parametrize(
    ("name", "folder"),
    [("codex", ".codex/skills"), ("opencode", ".config/opencode/skill")],
    ids=["codex", "opencode"],
)
def test_a_skill_that_the_person_edited_is_theirs(person, name, folder):
    person.install(name)
    edited = person.home / folder / "memory-write" / "SKILL.md"
    edited.write_bytes(edited.read_bytes() + b"mine\n")
    held = edited.read_bytes()

    person.upgrade()
    assert person.install(name).kept == (edited,)
    assert person.stale(name) == ""
    shown = person.uninstall(name, is_dry=True)
    assert f"{edited}: your edit of it is kept" in shown.diff
    assert person.uninstall(name).kept == (edited,)
    assert edited.read_bytes() == held
    assert [path.name for path in (person.home / folder).iterdir()] == ["memory-write"]


@pytest.mark.parametrize("act", ["install", "uninstall"])
def test_an_edit_of_the_plugin_is_kept_beside_it(person, act):
    person.install("opencode")
    plugin = person.home / ".config/opencode/plugin/gitmem.js"
    written = plugin.read_bytes()
    plugin.write_bytes(written + b"// one\n")
    one = getattr(person, act)("opencode")
    person.install("opencode")
    plugin.write_bytes(written + b"// two\n")
    two = getattr(person, act)("opencode")

    kept = plugin.with_name("gitmem.js.kept")
    assert one.kept == (kept,)
    assert two.kept == (plugin.with_name("gitmem.js.kept-2"),)
    assert kept.read_bytes() == written + b"// one\n"
    assert two.kept[0].read_bytes() == written + b"// two\n"
    person.uninstall("opencode")
    assert sorted(plugin.parent.iterdir()) == [kept, *two.kept]


def test_the_templates_are_as_they_ship(person):
    person.install("codex")
    person.install("opencode")

    shipped = skills.folder(person.installation.package) / "memory-init/templates"
    made = [(each.name, each.read_bytes()) for each in person.home.rglob("templates/*")]
    there = [(each.name, each.read_bytes()) for each in shipped.iterdir()]
    assert sorted(made) == sorted([*there, *there])


def test_a_dry_run_names_each_file_of_gitmems_own_in_one_line(person):
    shown = person.install("codex", is_dry=True).diff.splitlines()

    assert sum("skills/" in line for line in shown) >= 6
    assert [line for line in shown if "skills/" in line and line[0] != "#"] == []


def test_a_link_out_of_the_folder_of_an_agents_md_is_refused(person):
    person.file(".bashrc", b"# mine\n")
    link = person.home / "site" / "AGENTS.md"
    link.parent.mkdir()
    link.symlink_to("../.bashrc")
    before = person.everything()

    with pytest.raises(PathRefused, match="link out of its folder"):
        person.install("agents-md")

    assert person.everything() == before


def test_a_link_within_the_folder_of_an_agents_md_is_followed(person):
    page = person.file("site/CLAUDE.md", b"# mine\n")
    page.with_name("AGENTS.md").symlink_to("CLAUDE.md")
    before = person.everything()

    person.install("agents-md")
    assert b"gitmem" in page.read_bytes()

    person.uninstall("agents-md")
    assert person.everything() == before


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "fifo"])
@pytest.mark.parametrize("planted", [".gitmem-tmp-1-x", ".gitmem-tmp-1-x-AGENTS.md"])
def test_what_somebody_planted_beside_a_file_does_not_matter(settled, make, planted):
    settled.install("agents-md")
    make(settled.home / "site" / planted)

    settled.install("agents-md")
    settled.uninstall("agents-md")

    page = settled.home / "site" / "AGENTS.md"
    assert page.read_bytes() == OTHERS["site/AGENTS.md"]


def test_a_file_with_two_names_keeps_both(person):
    path = person.file(".claude/settings.json", b'{"a": 1}\n')
    other = person.home / "dotfiles.json"
    other.hardlink_to(path)

    person.install("claude-code")
    assert other.read_bytes() == path.read_bytes() != b'{"a": 1}\n'

    person.uninstall("claude-code")
    assert other.read_bytes() == path.read_bytes() == b'{"a": 1}\n'


def test_auto_memory_is_left_alone_unless_it_is_to_be_replaced(person):
    person.install("claude-code")
    path = person.home / SETTINGS["claude-code"]

    assert "autoMemoryEnabled" not in json.loads(path.read_bytes())


def test_auto_memory_comes_back_as_it_was(person):
    path = person.file(".claude/settings.json", b'{"autoMemoryEnabled" : true}')
    person.wishes = Wishes(replaces_auto_memory=True)
    person.install("claude-code")
    assert json.loads(path.read_bytes())["autoMemoryEnabled"] is False

    person.wishes = Wishes()
    person.install("claude-code")
    assert json.loads(path.read_bytes())["autoMemoryEnabled"] is False

    person.uninstall("claude-code")
    assert path.read_bytes() == b'{"autoMemoryEnabled" : true}'


def test_a_plugin_that_was_switched_off_is_switched_on_by_an_install(person):
    path = person.file(
        ".claude/settings.json", b'{"enabledPlugins": {"gitmem@gitmem": false}}'
    )

    person.install("claude-code")

    assert json.loads(path.read_bytes())["enabledPlugins"]["gitmem@gitmem"] is True


def test_what_the_host_noted_of_the_plugin_goes_with_it(person):
    person.install("claude-code")
    noted = person.file(
        ".claude/plugins/installed_plugins.json",
        b'{"version": 2, "plugins": {"a@b": [], "gitmem@gitmem": [{"scope": 1}]}}',
    )
    person.file(".claude/plugins/known_marketplaces.json", b'{\n  "gitmem": {}\n}')

    person.uninstall("claude-code")

    assert noted.read_bytes() == b'{"version": 2, "plugins": {"a@b": []}}'
    known = noted.with_name("known_marketplaces.json")
    assert json.loads(known.read_bytes()) == {}


def test_another_gitmem_says_install_again_and_then_is_content(settled, name):
    before = settled.everything()
    settled.install(name)
    assert settled.stale(name) == ""

    settled.upgrade()
    assert "gitmem 1.0" in settled.stale(name)

    settled.install(name)
    assert settled.stale(name) == ""
    settled.uninstall(name)
    assert settled.everything() == before


def test_an_edit_of_what_gitmem_wrote_is_noticed(settled):
    settled.install("claude-code")
    path = settled.home / SETTINGS["claude-code"]
    path.write_bytes(path.read_bytes().replace(b"true", b"false"))

    assert "settings.json" in settled.stale("claude-code")


def test_a_file_that_is_missing_from_the_plugin_is_noticed(settled):
    settled.install("claude-code")
    assets = settled.installation.assets("claude-code")
    (assets / "plugins/gitmem/hooks/hooks.json").unlink()

    assert "hooks.json" in settled.stale("claude-code")


def test_what_an_older_gitmem_left_in_the_plugin_goes(settled):
    settled.install("claude-code")
    old = settled.installation.assets("claude-code") / "plugins/gitmem/commands/old.md"
    old.write_text("old")

    settled.install("claude-code")

    assert not old.exists()


@pytest.mark.parametrize("name", ["claude-code", "opencode", "codex", "pi"])
def test_a_folder_that_no_settings_can_name_is_refused(person, name):
    odd = Path(os.fsdecode(b"/n\xff"))
    person.installation = replace(
        person.installation, python=odd / "python", command=(f"{odd}/gitmem",)
    )
    ours = replace(person.installation, data=person.home / os.fsdecode(b"\xff"))
    person.installation = ours

    with pytest.raises(SettingsError, match="not UTF-8"):
        person.install(name)

    assert person.everything() == {}


def test_two_installs_at_once_are_one(settled, name):
    before = settled.everything()

    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(settled.install, name) for _ in range(4)]
    results = [each.result() for each in done]

    assert sum(bool(each.changed) for each in results) == 1
    settled.uninstall(name)
    assert settled.everything() == before


def ended(person, name, act, at):
    own = person.installation.data.parent
    package = person.installation.package
    return subprocess.run(
        [sys.executable, "-c", KILLED, person.home, own, package, name, act, str(at)],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        timeout=60,
        check=False,
    ).returncode


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, 2, 5, 9, 14, 20, 27, 35, 44, 60])
def test_a_kill_is_settled_by_whatever_comes_next(settled, name, at):
    before = settled.everything()
    ended(settled, name, "install", at)

    settled.install(name)
    assert settled.stale(name) == ""

    ended(settled, name, "uninstall", at // 2)
    settled.uninstall(name)
    assert settled.everything() == before


def test_a_file_has_to_be_named_where_no_host_names_one(person):
    where = replace(person.where("agents-md"), target=None)

    with pytest.raises(UsageError, match="needs the file"):
        install.install("agents-md", where, person.installation, Wishes())
