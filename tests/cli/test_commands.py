"""Each command in its own words, for people and for programs."""

import shutil
import subprocess

import pytest
from click.shell_completion import ShellComplete

from gitmem.cli.group import COMMANDS, commands

ARGUMENTS = {
    "read": ["core/deploy.md"],
    "write": ["core/deploy.md", "--tag", "ship"],
    "search": ["ship"],
    "mv": ["core/deploy.md", "notes/ship.md"],
    "rm": ["core/deploy.md"],
    "history": ["core/deploy.md"],
    "restore": ["core/deploy.md@HEAD"],
    "completion": ["fish"],
    "import": ["--from", "folder", "."],
    "session": ["list"],
    "tape": ["info"],
    "packet": ["list"],
    "recall": ["ship"],
    "daemon": ["status"],
    "host": ["list"],
    "context": ["--prompt", "how to deploy"],
}
KEYS = {
    "init": {"made", "root", "branch", "url", "settings"},
    "path": {"path", "layer"},
    "list": {"memories"},
    "import": {"kind", "steps", "counts", "report"},
    "mv": {"old", "path", "mentions"},
    "rm": {"path", "hash"},
    "write": {"path", "hash", "is_changed", "is_committed", "warnings"},
    "read": {"path", "hash", "text"},
    "search": {"hits", "nearest_tags", "newest", "elsewhere"},
    "context": {"text", "left_out", "is_snapshot"},
    "refresh": {"outcome", "indexed", "dropped", "memories", "given"},
    "history": {"versions"},
    "log": {"versions"},
    "remote": {"url"},
    "settings": {"config", "folders", "settings", "refused", "problems"},
    "host": {"hosts"},
    "doctor": {"findings"},
    "session": {"sessions"},
    "tape": {"anchors", "why_shut"},
    "packet": {"packets"},
    "recall": {"hits", "among", "nearest_tags"},
    "review": {"anchors", "threads", "keywords", "days", "total", "page", "pages"},
    "daemon": {"daemon", "unpushed", "oldest_unpushed", "next_step"},
    "completion": {"shell", "script"},
    "quickstart": {"scenes", "ending", "folder"},
}


# They speak the language of whoever calls them, and go on as another program.
DOORS = {"hook", "mcp"}


@pytest.mark.parametrize("name", sorted({*COMMANDS} - DOORS))
def test_json_is_one_document_and_nothing_else(gitmem, memory, open_tape, name):
    gitmem("sync")

    said = gitmem(name, *ARGUMENTS.get(name, []), "--json")

    assert said.status == 0
    assert set(said.json) >= KEYS.get(name, set())


def test_cwd_says_which_project_is_meant(gitmem, memory, tmp_path):
    (tmp_path / "lantern").mkdir()

    said = gitmem("path", "--layer", "project", "--cwd", str(tmp_path / "lantern"))

    assert said.out == f"{memory}/lantern\n"


def test_read_hands_on_the_bytes_as_they_are(gitmem, memory):
    path = memory / "beacon" / "core" / "deploy.md"
    path.write_bytes(b"---\r\ndescription: x\r\n---\r\nbell \x07, no end")

    assert gitmem("read", "core/deploy.md").out == path.read_bytes().decode()


def test_read_on_a_terminal_shows_nothing_that_acts(gitmem, memory, monkeypatch):
    path = memory / "beacon" / "core" / "deploy.md"
    path.write_bytes(b"clear \x1b[2J\n")
    monkeypatch.setattr("gitmem.cli.output.is_terminal", lambda: True)

    assert gitmem("read", "core/deploy.md").out == "clear \\u001b[2J\n"


def test_a_hash_that_is_stale_stops_a_write(gitmem, memory):
    old = gitmem("read", "core/deploy.md", "--json").json["hash"]
    gitmem("write", "core/deploy.md", stdin="Another text.\n")

    said = gitmem("write", "core/deploy.md", "--expected-hash", old, stdin="Mine.\n")

    assert said.status == 1
    assert "changed since it was read" in said.err


def test_writing_the_same_again_changes_nothing(gitmem, memory):
    said = gitmem("write", "core/deploy.md", "--tag", "deploy")

    assert said.out == "Nothing to change in beacon/core/deploy.md.\n"


def test_a_write_without_any_text_is_refused(gitmem, memory):
    said = gitmem("write", "core/other.md")

    assert said.status == 1
    assert said.err.startswith("error: There is no text to write")


def test_a_search_says_what_lies_elsewhere_and_what_is_like_it(
    gitmem, memory, tmp_path
):
    (tmp_path / "lantern").mkdir()
    gitmem("search", "x")

    said = gitmem("search", "deploi", "ship", "--cwd", str(tmp_path / "lantern"))

    assert said.out == "Nothing found.\n1 hit in beacon: add --layer beacon\n"


def test_a_search_for_an_unknown_tag_names_the_nearest(gitmem, memory):
    said = gitmem("search", "--tag", "deployment")

    assert "Tags like it: #deploy (1)\n" in said.out


def test_a_search_marks_what_does_not_hold_any_more(gitmem, memory):
    file = memory / "beacon" / "core" / "deploy.md"
    file.write_text(file.read_text().replace("---\n", "---\nended: 2020-01-31\n", 1))

    lines = gitmem("search", "deploy").out.splitlines()

    assert lines[2] == (
        "   not current (dates: it ended on 2020-01-31); found in tags: deploy;"
        " description: deploy; title: deploy; path: deploy; body: deploy"
    )


def test_lines_that_are_too_many_are_cut_and_said_so(gitmem, memory):
    gitmem("write", "core/deploy.md", stdin="ship\n" * 5)

    said = gitmem("search", "--grep", "ship", "--limit", "2")

    assert said.out.count("ship\n") == 2
    assert said.out.endswith("There are more; narrow the pattern, or raise --limit.\n")


def test_a_pattern_that_matches_nothing_says_so(gitmem, memory):
    assert gitmem("search", "--rg", "wombat").out == "No line matches.\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["sync", "push", "--keep"], "error: `sync push` decides nothing.\n"),
        (["sync", "status", "--accept"], "error: `sync status` decides nothing.\n"),
        (["sync", "push", "--force"], "error: --force goes with `sync pull` only.\n"),
        (["search", "x", "--rg", "y"], "error: --rg takes no words beside its"),
        (["search", "--grep", "X", "words"], "error: --grep takes no words beside"),
        (["search", "--tag", "x", "--rg", "y"], "error: --rg takes no --tag beside"),
        (["search", "--rg", "x", "--grep", "y"], "error: --grep and --rg exclude"),
        (["search", "--tag", "a", "--tag", " "], "error: --tag is empty."),
        (["search", "--tag", "", "x"], "error: --tag is empty."),
        (["search", "--tag", "#", "x"], "error: --tag is empty."),
        (["search", ""], "error: There is nothing to search for."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_do_not_go_together_are_refused(gitmem, arguments, expected):
    said = gitmem(*arguments)

    assert said.status == 2
    assert said.err.startswith(expected)


def test_sync_status_ends_with_one_when_a_commit_waits_for_a_day(
    gitmem, memory, bare_remote, git, monkeypatch
):
    gitmem("remote", str(bare_remote))
    fresh = gitmem("sync", "status")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
    git("commit", "--quiet", "--amend", "--no-edit", cwd=memory)

    said = gitmem("sync", "status")

    assert (fresh.status, fresh.err) == (0, "")
    assert said.status == 1
    assert said.err.startswith("not pushed for ")
    assert said.err.endswith("1 commit. Run `gitmem sync`.\n")


def test_a_prompt_is_answered_with_what_it_brings_to_mind(gitmem, memory):
    said = gitmem("context", "--prompt", "how to deploy")

    assert said.out.startswith('<memory_context moment="turn">\n<memory_cues>')
    assert f"{memory}/beacon/core/deploy.md" in said.out
    assert gitmem("context", "--prompt", "how to deploy").out == said.out


def test_a_prompt_that_brings_nothing_to_mind_says_so(gitmem, memory):
    said = gitmem("context", "--prompt", "a poem about spring")

    assert (said.status, said.out) == (0, "")
    assert said.err.startswith("Nothing is given at a turn")


def test_a_session_is_told_its_own_text_again(gitmem, memory):
    first = gitmem("context", "--session", "s1").out
    gitmem("write", "core/b.md", "--description", "b", stdin="b\n")

    again = gitmem("context", "--session", "s1").out
    refreshed = gitmem("refresh", "--session", "s1").out

    assert again == first
    assert refreshed.startswith("Refreshed: 2 memories in the catalog")
    assert "core/b.md" in gitmem("context", "--session", "s1").out


def test_check_names_file_line_and_code_and_ends_with_one_for_errors(gitmem, memory):
    broken = memory / "beacon" / "core" / "half.md"
    broken.write_text(
        "---\ndescription: x\n---\n<<<<<<< a\n=======\n>>>>>>> b\n", "utf-8"
    )

    said = gitmem("check")

    assert said.status == 1
    assert "beacon/core/half.md:4: error:" in said.out
    assert said.err == "1 error to mend.\n"


def test_settings_are_explained(gitmem):
    said = gitmem("settings", "--explain")

    assert 'sync.machine_id = "oak"  (environment GITMEM_SYNC__MACHINE_ID)' in said.out
    assert "    A project may set it: never\n" in said.out


def test_a_restore_of_what_is_there_says_so(gitmem, memory):
    gitmem("sync")

    said = gitmem("restore", "core/deploy.md@HEAD")

    assert (said.status, said.out) == (
        0,
        "It is that version already; nothing was changed.\n",
    )
    again = gitmem("restore", "core/deploy.md@HEAD", "--json").json
    assert (again["is_changed"], again["committed"], again["changed"]) == (
        False,
        None,
        [],
    )


def test_a_restore_names_the_file_and_the_next_step(gitmem, memory):
    gitmem("sync")
    gitmem("write", "core/deploy.md", stdin="Never ship.\n")
    gitmem("sync")

    said = gitmem("restore", "core/deploy.md@HEAD~1")

    assert said.out.splitlines()[1:] == [
        "Changed 1 file: beacon/core/deploy.md.",
        "Next: `gitmem sync` brings it to your other machines.",
    ]


def test_an_undo_names_the_files_and_the_copy_it_made(gitmem, memory):
    path = memory / "beacon" / "core" / "deploy.md"
    gitmem("sync")
    path.write_text(path.read_text("utf-8").replace("make ship", "one"), "utf-8")
    gitmem("sync")
    path.write_text(path.read_text("utf-8").replace("one", "two"), "utf-8")
    gitmem("sync")

    said = gitmem("undo", "HEAD~1")

    (copy,) = path.parent.glob("deploy.conflict-*.md")
    name = f"beacon/core/{copy.name}"
    assert said.out.splitlines()[2:] == [
        f"Changed 1 file: {name}.",
        f"A later edit overlaps; the former version is in {name}",
        "Next: `gitmem sync` brings it to your other machines.",
    ]
    assert gitmem("undo", "HEAD~2", "--json").json["is_changed"] is False


def test_an_undo_of_what_is_undone_says_so(gitmem, memory):
    gitmem("sync")
    gitmem("undo", "HEAD")

    said = gitmem("undo", "HEAD~1")

    assert said.out.splitlines()[0].endswith(" memory(beacon): add core/deploy.md")
    assert said.out.splitlines()[1].startswith("Nothing was changed: that is undone")


def test_files_that_a_keep_brings_back_are_counted(gitmem, memory):
    notes = memory / "beacon" / "notes"
    notes.mkdir()
    names = [f"{number:02}.md" for number in range(30)]
    [(notes / name).write_text("text\n", "utf-8") for name in names]
    gitmem("sync")
    [(notes / name).unlink() for name in names]
    gitmem("sync")

    said = gitmem("sync", "--keep")

    assert said.out.startswith("Brought back 30 files: beacon/notes/00.md, ")
    assert len(gitmem("sync", "--keep", "--json").json["kept"]) == 0


def test_completion_completes(gitmem, monkeypatch):
    script = gitmem("completion", "bash").out
    monkeypatch.setenv("_GITMEM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "gitmem se")
    monkeypatch.setenv("COMP_CWORD", "1")

    with pytest.raises(SystemExit):
        gitmem("ignored")

    assert "_GITMEM_COMPLETE=bash_complete" in script


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("host install c", ["claude-code", "codex"]),
        ("host install a", ["agents-md"]),
        ("hook a", []),
        ("hook codex Pre", ["PreCompact"]),
        ("hook nobody Pre", []),
        ("session start --host o", ["opencode"]),
        ("context --host p", ["pi"]),
        ("refresh --host p", ["pi"]),
        ("sync s", ["status"]),
    ],
)
def test_a_shell_is_offered_the_names_that_an_argument_takes(typed, offered):
    *before, begun = typed.split()
    shell = ShellComplete(commands(), {}, "gitmem", "_GITMEM_COMPLETE")

    assert [each.value for each in shell.get_completions(before, begun)] == offered


def test_check_tells_mistakes_in_the_settings_wishes_and_mends(
    gitmem, memory, project, monkeypatch
):
    monkeypatch.setenv("GITMEM_SYNC__TIMEOUT", "soon")
    (project / ".gitmem.toml").write_text('[sync]\nbranch = "evil"\n', "utf-8")
    path = memory / "beacon" / "core" / "deploy.md"
    path.write_bytes(path.read_bytes().rstrip())

    said = gitmem("check", "--fix")

    assert "GITMEM_SYNC__TIMEOUT: sync.timeout" in said.out
    assert 'sync.branch = "evil" was refused' in said.out
    assert "mended beacon/core/deploy.md: no-final-newline\n" in said.out
    assert said.out.endswith("Nothing to mend in the files.\n")


def test_a_pull_and_a_push_do_their_halves(gitmem, memory, bare_remote):
    gitmem("remote", str(bare_remote))

    pushed = gitmem("sync", "push")
    pulled = gitmem("sync", "pull", "--force")
    again = gitmem("sync", "pull")

    assert pushed.out.endswith("Pushed.\n")
    assert pulled.out == "Everything is in sync.\n"
    assert again.out == (
        "Nothing asked of the remote: the last fetch is recent enough.\n"
    )


def test_a_quickstart_in_which_something_is_lost_ends_with_one(gitmem, monkeypatch):
    monkeypatch.setattr("gitmem.cli.exchange.PROFILE", "# Sam\n")
    monkeypatch.setattr("gitmem.cli.exchange.Ending.is_well", False)

    said = gitmem("quickstart")

    assert said.status == 1
    assert "5. The desktop finds what the laptop learned" in said.out
    assert said.err.startswith("Something did not arrive")


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_a_bash_without_nosort_completes_too(gitmem):
    old = 'complete() { [[ $2 != nosort ]] && builtin complete "$@"; }\n'
    script = old + gitmem("completion", "bash").out + "complete -p gitmem\n"

    done = subprocess.run(
        ["bash", "--norc"], input=script, capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr) == (
        "complete -F _gitmem_completion gitmem\n",
        "",
    )


def test_where_gitmem_is_switched_off_the_context_is_what_an_agent_gets(
    gitmem, memory, monkeypatch
):
    monkeypatch.setenv("GITMEM_ENABLED", "false")

    said = gitmem("context")

    assert (said.status, said.out) == (0, "")
    assert "switched off here" in said.err
