"""Somebody else who is logged in on the same machine, and looks around."""

import base64
import os
import stat
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event

import pytest

from gitmem.errors import BadConfig, PathRefused

TOKEN = "correct-horse-0451-battery"
TEXT = b"---\ndescription: a note\n---\nplain words\n"
LOOSE = ("sh", "-c", 'umask 000; exec "$@"', "sh")
NOBODY = 65534

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="looks into /proc, and owners differ elsewhere"
)


def open_to_others(folder: Path) -> dict[str, str]:
    """Name what others could read or change, links left out."""
    return {
        str(path.relative_to(folder)): stat.filemode(path.lstat().st_mode)
        for path in (folder, *folder.rglob("*"))
        if not path.is_symlink() and path.lstat().st_mode & 0o077
    }


def test_nothing_that_gitmem_makes_is_open_to_others_whatever_the_umask(
    person, bare_remote
):
    person("init", str(bare_remote), "--shared", "global", wrapped_in=LOOSE)
    person("write", "core/x.md", stdin=TEXT, wrapped_in=LOOSE)
    for command in (("sync",), ("search", "plain"), ("context", "--session", "s")):
        assert person(*command, wrapped_in=LOOSE).status == 0

    assert {} == open_to_others(person.base)


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770], ids=oct)
@pytest.mark.parametrize(
    ("which", "session"),
    [("state", "known"), ("state/repositories", "known"), ("cache", "new")],
)
def test_a_folder_that_others_can_change_is_not_believed(person, which, session, mode):
    service = person.service()
    service.init()
    service.write("core/x.md", TEXT)
    service.context("known")
    (person.base / which).chmod(mode)

    with pytest.raises(PathRefused, match="can be changed by other users") as caught:
        service.context(session)

    assert "chmod" in caught.value.hint


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("which", ["state", "cache"])
def test_a_folder_of_another_user_is_not_believed(person, which):
    folder = person.base / which
    folder.mkdir(parents=True, mode=0o755)
    os.chown(folder, NOBODY, NOBODY)

    said = [person("init"), person("search", "x")]

    assert "belongs to another user" in "".join(each.err for each in said)
    assert [] == [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_another_user_can_read_nothing(person):
    service = person.service()
    service.init()
    service.write("core/x.md", TEXT)
    service.context("s1")
    look = (
        "import os, sys\n"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "for name in sys.argv[1:]:\n"
        "    try: print(os.listdir(name))\n"
        "    except OSError: pass\n"
    )
    folders = [person.memory, *person.base.glob("*/repositories/*")]
    folders += [person.base / "cache/settings"]

    done = subprocess.run(
        [sys.executable, "-c", look, *map(str, folders)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == ""


def commands_of_all() -> str:
    """Read what `ps` shows of every process."""
    texts = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            texts.append(path.read_text("utf-8", "replace"))
        except OSError:
            continue
    return "\n".join(texts)


@pytest.fixture
def slow(serve):
    """Serve a remote that asks for a password and then takes its time."""
    asked: list[str] = []
    is_waiting = Event()

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = self.headers.get("Authorization", "")
            asked.append(given)
            if given:
                is_waiting.set()
                time.sleep(1.5)
                self.send_response(403)
            else:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="memory"')
            self.end_headers()

        def log_message(self, *_) -> None:
            """Say nothing."""

    return serve(Slow), asked, is_waiting


def test_a_token_is_seen_by_the_remote_and_by_nobody_else(person, slow):
    url, asked, is_waiting = slow
    helper = f"!f() {{ echo username=me; cat {person.home}/token; }}; f"
    (person.home / "token").write_text(f"password={TOKEN}\n")
    config = person.home / ".gitconfig"
    config.write_text(f'[credential]\n\thelper = "{helper}"\n')
    person.variables = {"GIT_CONFIG_GLOBAL": str(config)}

    running = subprocess.Popen(
        [*person.command, "init", f"{url}/memory.git"],
        cwd=person.project,
        env=person.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert is_waiting.wait(30)
    seen = commands_of_all()
    out, err = running.communicate(timeout=60)

    basic = base64.b64encode(f"me:{TOKEN}".encode()).decode()
    assert f"Basic {basic}" in asked
    assert "git-remote-http" in seen
    written = b"".join(p.read_bytes() for p in person.base.rglob("*") if p.is_file())
    for text in (seen.encode(), out, err, written):
        assert TOKEN.encode() not in text
        assert basic.encode() not in text
    assert b"hint: " in err


def test_a_token_that_somebody_put_into_the_address_is_not_repeated(
    person, bare_remote, git
):
    person("init", str(bare_remote))
    person("write", "core/x.md", stdin=TEXT)
    url = f"https://me:{TOKEN}@h.invalid/memory.git"
    git("remote", "set-url", "origin", url, cwd=person.memory)

    said = [
        person(*command)
        for command in (
            ("sync",),
            ("doctor",),
            ("check", "--json"),
            ("context",),
            ("remote", url),
        )
    ]

    assert TOKEN not in "".join(each.all for each in said)
    kept = (path for path in person.base.rglob("*") if path.is_file())
    places = [str(p) for p in kept if TOKEN.encode() in p.read_bytes()]
    assert [str(person.memory / ".git/config")] == places


@pytest.mark.parametrize("name", ["GITMEM_MEMORY_DIR__REPO_URL", "config.toml"])
def test_a_token_in_the_settings_is_not_repeated(person, name):
    url = f"https://me:{TOKEN}@h.invalid/memory.git"
    person.variables = {name: url} if name.isupper() else {}
    person.settings("" if name.isupper() else f'[memory_dir]\nrepo_url = "{url}"\n')

    said = [person("init"), person("settings", "--explain"), person("doctor")]

    assert TOKEN not in "".join(each.all for each in said)


def test_an_address_with_a_credential_is_refused_before_it_is_written(person):
    with pytest.raises(BadConfig) as caught:
        person.service().init(f"https://me:{TOKEN}@h.invalid/memory.git")

    assert TOKEN not in caught.value.message
    assert not person.memory.exists()
