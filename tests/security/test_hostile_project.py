"""A folder that somebody else made: nothing in it runs, decides or is changed."""

import os
import re
import shutil
import stat
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, get_origin

import pytest

from gitmem.settings.folders import folders
from gitmem.settings.load import load
from gitmem.settings.model import Key, keys
from gitmem.settings.trust import Wish, wish

EVIL = "/tmp/evil"
NEW_PACKET = ("packet", "new", "--topic", "login", "--summary", "as it stands")
EVERY_COMMAND: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("path",),
    ("path", "--layer", "project"),
    ("write", "core/new.md", "--description", "new"),
    ("read", "core/deploy.md"),
    NEW_PACKET,
    ("packet", "list"),
    ("recall", "login"),
    ("search", "deploy"),
    ("search", "--rg", "care"),
    ("context", "--session", "s1"),
    ("refresh", "--session", "s1"),
    ("sync",),
    ("sync", "status"),
    ("check", "--fix"),
    ("log",),
    ("history", "core/deploy.md"),
    ("restore", "core/deploy.md@HEAD"),
    ("undo",),
    ("remote",),
    ("settings", "--explain"),
    ("doctor",),
    ("completion", "bash"),
)
# Every name that Python, gitmem or a library of it could import from a folder.
IMPORTABLE = sorted(
    {*sys.stdlib_module_names, "click", "git", "gitdb", "pydantic", "yaml", "tomlkit"}
    | {"sitecustomize", "usercustomize", "platformdirs", "tantivy", "frontmatter"}
    | {"pydantic_settings", "ripgrepy", "ruamel", "typing_extensions"}
)


def evil(key: Key) -> Any:
    """Make a value that a setting could have and does not have by default."""
    if isinstance(key.default, bool):
        return not key.default
    if isinstance(key.default, int | float):
        return type(key.default)(key.default + 1)
    if get_origin(key.type) is tuple:
        return ["pull", "push"] if key.dotted.startswith("hooks") else ["evil"]
    return EVIL


def toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


PROTECTED = tuple(key for key in keys() if wish(key.dotted) is Wish.NEVER)


GOOD = b"---\ndescription: how to deploy\ntags: [deploy]\n---\n# Deploy\n\nwith care\n"


@pytest.fixture
def ready(person):
    """Give a person with a memory, before they meet the project."""
    service = person.service()
    service.init()
    service.write("core/deploy.md", GOOD)
    service.sync()
    return person


def fill(folder: Path, trap: Path, marker: Path, git) -> None:
    """Lay out all that a stranger could put into a project."""
    git("init", "--quiet", cwd=folder)
    git("commit", "--quiet", "--allow-empty", "-m", "begin", cwd=folder)
    with (folder / ".git/config").open("a", encoding="utf-8") as config:
        config.write(
            f"""
[core]
	fsmonitor = {trap}
	sshCommand = {trap}
	hooksPath = {folder}/hooks
	pager = {trap}
	editor = {trap}
	askPass = {trap}
	gitProxy = {trap}
	attributesFile = {folder}/.gitattributes
[diff]
	external = {trap}
[diff "x"]
	textconv = {trap}
	command = {trap}
[filter "x"]
	clean = {trap}
	smudge = {trap}
	process = {trap}
	required = true
[merge "x"]
	driver = {trap}
[alias]
	status = !{trap}
	rev-parse = !{trap}
[credential]
	helper = !{trap}
[gpg]
	program = {trap}
[commit]
	gpgSign = true
[init]
	templateDir = {folder}/hooks
[safe]
	directory = *
[protocol]
	allow = always
[include]
	path = {folder}/included
[includeIf "gitdir:/"]
	path = {folder}/included
[url "ext::{trap} "]
	insteadOf = /
[remote "origin"]
	url = ext::{trap} %S
	uploadpack = {trap}
	receivepack = {trap}
"""
        )
    (folder / "included").write_text(f"[core]\n\tfsmonitor = {trap}\n")
    (folder / "hooks").mkdir()
    for hooks in (folder / ".git/hooks", folder / "hooks"):
        for name in ("post-checkout", "post-index-change", "reference-transaction"):
            shutil.copy2(trap, hooks / name)
    (folder / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    (folder / ".gitmodules").write_text(f'[submodule "x"]\n\turl = ext::{trap}\n')
    variables = f"GITMEM_MEMORY_DIR__LOCAL_PATH={EVIL}\nGITMEM_HOME={EVIL}\n"
    (folder / ".env").write_text(variables)
    (folder / ".envrc").write_text(f"{trap}\nexport GITMEM_HOME={EVIL}\n")
    (folder / "pyproject.toml").write_text(
        f'[tool.gitmem.memory_dir]\nlocal_path = "{EVIL}"\n'
    )
    (folder / "setup.cfg").write_text(f"[gitmem]\nlocal_path = {EVIL}\n")
    (folder / "gitmem.toml").write_text(f'memory_dir.local_path = "{EVIL}"\n')
    (folder / "config.toml").write_text(f'memory_dir.local_path = "{EVIL}"\n')
    (folder / ".gitmem").mkdir()
    (folder / ".gitmem/config.toml").write_text(f'memory_dir.local_path = "{EVIL}"\n')
    (folder / ".ripgreprc").write_text(f"--pre={trap}\n")
    (folder / ".gitmem.toml").write_text(
        "".join(f"{key.dotted} = {toml(evil(key))}\n" for key in PROTECTED)
    )
    for name in ("git", "rg", "ssh", "gitmem", "python", "sh", "gpg"):
        shutil.copy2(trap, folder / name)
    for name in IMPORTABLE:
        (folder / f"{name}.py").write_text(f"open({str(marker)!r}, 'w').close()\n")


def fingerprint(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Say everything about a folder that a command could change."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            sha256(path.read_bytes()).hexdigest()
            if stat.S_ISREG(path.lstat().st_mode)
            else "",
        )
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.slow
def test_no_command_runs_or_changes_anything_in_a_hostile_project(
    ready, trap, marker, git
):
    fill(ready.project, trap, marker, git)
    ready.variables = {
        "RIPGREP_CONFIG_PATH": str(ready.project / ".ripgreprc"),
        "PATH": f".{os.pathsep}{os.environ['PATH']}{os.pathsep}",
    }
    before = fingerprint(ready.project)

    said = {command: ready(*command) for command in EVERY_COMMAND}

    assert not marker.exists()
    assert before == fingerprint(ready.project)
    assert [] == [c for c, each in said.items() if "Unexpected" in each.err]
    assert {} == {c: each.all for c, each in said.items() if each.status not in {0, 1}}
    assert str(ready.memory) == said["path",].out.strip()
    assert "with care" in said["read", "core/deploy.md"].out
    assert "with care" in said["search", "--rg", "care"].out
    assert said[NEW_PACKET].out.startswith("Archived beacon/packets/")
    assert re.search(r"1\d\d files", said[NEW_PACKET].out)
    assert not Path(EVIL).exists()


def test_refused_wishes_are_told_at_a_start_and_each_one_on_request(
    ready, trap, marker, git
):
    fill(ready.project, trap, marker, git)

    explained = ready("settings", "--explain", "--json").json
    context = ready("context").out

    refused = {each["key"] for each in explained["refused"]}
    assert {key.dotted for key in PROTECTED} == refused
    (status,) = re.findall(r"<memory_status>\n(.*)\n</memory_status>", context)
    assert f"{len(PROTECTED)} wishes of this project refused" in status
    assert EVIL not in context


@pytest.mark.parametrize("key", PROTECTED, ids=lambda key: key.dotted)
def test_a_project_cannot_set_a_protected_key(tmp_path, person, key):
    environment = {"GITMEM_HOME": str(person.base)}
    before = load(tmp_path, project_root=tmp_path, environment=environment)
    text = f"{key.dotted} = {toml(evil(key))}\n"
    (person.project / ".gitmem.toml").write_text(text)

    found = load(person.project, project_root=person.project, environment=environment)

    assert before.settings == found.settings
    assert [key.dotted] == [each.key for each in found.refused]
    assert EVIL not in str(folders(environment))


@pytest.mark.parametrize(
    "lay",
    [
        pytest.param(lambda path, _: path.symlink_to("/etc/passwd"), id="link"),
        pytest.param(lambda path, _: path.symlink_to("/dev/zero"), id="endless link"),
        pytest.param(lambda path, _: path.symlink_to(path), id="circle"),
        pytest.param(lambda path, _: os.mkfifo(path), id="FIFO"),
        pytest.param(lambda path, _: path.mkdir(), id="folder"),
        pytest.param(lambda path, _: path.write_bytes(b"#" * 65_537), id="large"),
        pytest.param(lambda path, _: path.write_bytes(b"\xff\n[["), id="garbage"),
        pytest.param(lambda path, own: path.symlink_to(own), id="a wish elsewhere"),
    ],
)
def test_a_project_file_that_is_no_plain_small_file_is_refused(person, lay):
    environment = {"GITMEM_HOME": str(person.base)}
    elsewhere = person.home / "wish.toml"
    elsewhere.write_text("enabled = false\n")
    lay(person.project / ".gitmem.toml", elsewhere)

    found = load(person.project, project_root=person.project, environment=environment)

    assert found.settings.enabled
    places = [each.place for each in found.refused]
    places += [each.place for each in found.problems]
    assert [str(person.project / ".gitmem.toml")] == places
    assert "root:" not in f"{found.refused}{found.problems}"


def test_a_git_file_that_points_elsewhere_gives_no_other_projects_memory(ready, git):
    other = ready.project.parent / "stranger"
    other.mkdir()
    git("init", "--quiet", cwd=ready.project)
    git("remote", "add", "origin", "git@h.example:o/beacon", cwd=ready.project)
    ready("write", "core/own.md", "--description", "the secret of beacon", stdin=b"x\n")
    (other / ".git").write_text(f"gitdir: {ready.project}/.git\n")
    ready.project = other

    assert "secret of beacon" not in ready("context").all
    assert ready("read", "core/own.md").status == 1


STRACE = shutil.which("strace")


@pytest.mark.skipif(STRACE is None, reason="strace is not installed")
def test_a_start_opens_nothing_of_the_project_but_what_names_it(
    ready, trap, marker, git, tmp_path
):
    fill(ready.project, trap, marker, git)
    (ready.home / ".ssh").mkdir()
    (ready.home / ".ssh/id_ed25519").write_text("private\n")
    log = tmp_path / "trace"
    watch = ("strace", "-f", "-qq", "-e", "trace=openat,open,execve", "-o", str(log))

    said = ready("context", wrapped_in=watch)

    trace = log.read_text(errors="replace")
    opened = re.findall(r'open(?:at)?\((?:[^,"]*, )?"([^"]+)"', trace)
    run = {Path(name).name for name in re.findall(r'execve\("([^"]+)"', trace)}
    inside = {name for name in opened if name.startswith(f"{ready.project}/")}
    own = (f"{ready.base}/", f"{ready.home}/.config/git", f"{ready.home}/.gitconfig")
    at_home = {n for n in opened if n.startswith(f"{ready.home}/")}
    assert said.status == 0
    assert {".git/config", ".gitmem.toml"} == {
        name.removeprefix(f"{ready.project}/") for name in inside
    }
    assert set() == {name for name in at_home if not name.startswith(own)}
    assert run <= {"git", "uname", Path(sys.executable).name}


def test_status_of_the_persons_own_project_stays_as_it_was(ready, git):
    git("init", "--quiet", cwd=ready.project)
    (ready.project / "tracked").write_text("one\n")
    git("add", ".", cwd=ready.project)
    git("commit", "--quiet", "-m", "begin", cwd=ready.project)
    (ready.project / "tracked").write_text("two\n")
    (ready.project / "untracked").write_text("new\n")
    status = git("status", "--porcelain", "--ignored", cwd=ready.project)
    before = fingerprint(ready.project)

    for command in (
        ("write", "core/x.md", "--description", "x"),
        ("sync",),
        ("check",),
    ):
        ready(*command, stdin=b"x\n")

    assert before == fingerprint(ready.project)
    assert status == git("status", "--porcelain", "--ignored", cwd=ready.project)


def test_a_plain_dash_m_imports_no_module_of_the_project(person, marker):
    for name in ("json", "click", "pathlib", "datetime", "typing", "yaml", "git"):
        path = person.project / f"{name}.py"
        path.write_text(f"open({str(marker)!r}, 'w').close()\n")
    person.command = (sys.executable, "-m", "gitmem")

    said = person("path", "--json")

    assert said.status == 0
    assert not marker.exists()


def test_the_installed_program_imports_nothing_from_the_project(
    person, tmp_path, marker
):
    for name in IMPORTABLE:
        path = person.project / f"{name}.py"
        path.write_text(f"open({str(marker)!r}, 'w').close()\n")
    script = tmp_path / "bin" / "gitmem"
    script.parent.mkdir()
    script.write_text("from gitmem.cli.main import main\n\nmain()\n")
    person.command = (sys.executable, str(script))

    assert person("settings").status == 0
    assert not marker.exists()
