"""The light hook: what it imports, what it finds, and that it never fails a turn."""

import ast
import importlib
import os
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.hook.conftest import CLIENT, is_quiet

from gitmem.hook import light, pointer
from gitmem.hosts import registry
from gitmem.hosts.host import Kind
from gitmem.sessions import trouble
from gitmem.settings.places import places

LIGHT = {"posix", "sys", "time", "_json", "_signal", "_socket"}


@pytest.fixture
def hurried(hook):
    """Run hooks as hosts do, with the time that they have."""
    hook.is_patient = False
    return hook


@contextmanager
def listening(path, serve):
    """Stand behind a socket instead of a daemon."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(8)
        server = threading.Thread(target=serve, args=(listener,))
        server.start()
        yield os.fsencode(path)
        listener.shutdown(socket.SHUT_RDWR)
        server.join()


def says(*answers):
    """Give each caller the next answer, and the last one to all after that."""

    def serve(listener):
        left = list(answers)
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.recv(1 << 20)
                connection.sendall(left.pop(0) if len(left) > 1 else left[0])

    return serve


def plant_fifo(path):
    """Put a pipe where a reader would wait for a writer."""
    os.mkfifo(path, 0o600)


def point(hook, path):
    """Leave a pointer as the fall-back does."""
    environ = {
        os.fsencode(name): os.fsencode(text)
        for name, text in {
            **hook.machine.environment,
            "CLAUDE_PID": str(os.getpid()),
        }.items()
    }
    pointer.keep(environ, path)


def test_it_imports_only_what_the_interpreter_has_at_hand():
    found = {
        name.name
        for node in ast.walk(ast.parse(Path(light.__file__).read_text("utf-8")))
        if isinstance(node, ast.Import)
        for name in node.names
    }
    found |= {
        str(node.module)
        for node in ast.walk(ast.parse(Path(light.__file__).read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }

    assert found == LIGHT


@pytest.mark.parametrize("name", ["claude_code", "codex", "opencode", "pi"])
def test_the_limits_are_those_of_what_happens_in_each_host(name):
    kinds = importlib.import_module(f"gitmem.hosts.{name}.events").KINDS
    seconds = {Kind.START: 3.0, Kind.END: 10.0}

    assert {event: light.LIMITS.get(event, light.OTHER_SECONDS) for event in kinds} == {
        event: seconds.get(kind, 1.0) for event, kind in kinds.items()
    }


def test_nothing_else_comes_along_with_it():
    look = "import light; print(*sorted(sys.modules))"
    listed = [
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", f"import sys\n{prepare}{look}"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for prepare, look in (
            (f"sys.path.append({str(CLIENT.parent)!r})\n", look),
            ("", "print(*sorted(sys.modules))"),
        )
    ]

    assert set(listed[0]) - set(listed[1]) == {"light", "_json", "_socket"}


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": "/home/sam"},
        {"HOME": "/home/sam/"},
        {"HOME": "/"},
        {"HOME": "sam"},
        {"HOME": "/h", "XDG_STATE_HOME": "/s/"},
        {"HOME": "/h", "XDG_STATE_HOME": "s"},
        {"HOME": "/h", "GITMEM_HOME": "/g/"},
        {"HOME": "/h", "GITMEM_HOME": "~/g"},
        {"HOME": "/h", "GITMEM_HOME": "~"},
        {"GITMEM_HOME": "/g"},
        {"HOME": "/h", "ANDROID_DATA": "/data"},
        {},
    ],
    ids=str,
)
def test_the_state_folder_is_the_one_of_the_settings(environ, platform):
    found = light.state_folder(
        {os.fsencode(k): os.fsencode(v) for k, v in environ.items()}, platform
    )

    expected = places(environ, platform)
    assert os.fsdecode(found) == (expected[2] if expected else "")


def test_a_pointer_holds_for_the_variables_it_was_made_with(tmp_path):
    environ = {b"HOME": os.fsencode(tmp_path), b"GITMEM_SYNC__BRANCH": b"m\xff"}
    pointer.keep(environ, b"/run/a.sock")

    assert light.pointed({**environ, b"LANG": b"C"}) == b"/run/a.sock"
    assert light.pointed({**environ, b"GITMEM_SYNC__BRANCH": b"n"}) == b""
    assert light.pointed({**environ, b"XDG_CONFIG_HOME": b"/c"}) == b""


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.chmod(0o644),
        lambda path: path.write_bytes(b"gitmem hook 2\n/run/a.sock\n"),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(os.urandom(300)),
        lambda path: path.rename(path.with_name("x")),
        lambda path: path.with_name("x").symlink_to(path.rename(path.with_name("y"))),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), plant_fifo(path)),
    ],
    ids=["readable", "newer", "empty", "noise", "gone", "link", "folder", "fifo"],
)
def test_a_pointer_that_another_could_have_made_is_not_believed(spoil, tmp_path):
    environ = {b"HOME": os.fsencode(tmp_path)}
    pointer.keep(environ, b"/run/a.sock")
    (path,) = (tmp_path / ".local/state/gitmem/hooks").iterdir()

    spoil(path)

    assert light.pointed(environ) == b""


@pytest.mark.parametrize(
    "answers",
    [
        (b"",),
        (b"\n",),
        (b"\xff\xfe\n",),
        (b'{"ok": {"pid": 1}}\n', b'{"ok": {"stdout": 7}}\n'),
        (b'{"ok": {"pid": 1}}\n', b'{"ok": {"stdout": "\\ud800'),
        (b'{"ok": {"pid": 1}}\n', b'{"error": {"kind": "UsageError"}}\n'),
        (b'{"ok": {"pid": 1}}\n', b'{"ok": {"stdout": "' + b"x" * (2 << 20) + b'"}}\n'),
    ],
    ids=["nothing", "line", "noise", "number", "half", "error", "huge"],
)
def test_a_strange_answer_is_never_printed(answers, hook, tmp_path):
    with listening(tmp_path / "s", says(*answers)) as path:
        point(hook, path)

        said = hook.start()

    assert "- path: core/deploy.md" in said.text


def test_an_answer_is_printed_as_it_is(hook, tmp_path):
    answer = (
        b'{"ok": {"stdout": "{\\"a\\": \\"\\\\u00e9\\ud83d\\ude00\\u8bbe\\"}\\n"}}\n'
    )
    with listening(tmp_path / "s", says(b'{"ok": {"pid": 1}}\n', answer)) as path:
        point(hook, path)

        assert hook.turn().out == '{"a": "\\u00e9😀设"}\n'


@pytest.mark.parametrize(
    "variables",
    [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, {"LC_ALL": "de_DE"}],
    ids=["C", "POSIX", "missing"],
)
def test_any_locale_says_the_same_bytes(variables, hook, tmp_path):
    answer = b'{"ok": {"stdout": "\\u8bbe \\ud83d\\ude00"}}\n'
    with listening(tmp_path / "s", says(b'{"ok": {"pid": 1}}\n', answer)) as path:
        point(hook, path)

        said = hook.turn_in(variables)

    assert said.out == "设 😀"


def test_a_host_that_went_away_is_no_trouble(hurried):
    reading, writing = os.pipe()
    os.close(reading)

    said = hurried("SessionStart", {}, stdout=writing)
    os.close(writing)

    assert is_quiet(said)


def test_without_standard_streams_it_ends_well(hurried):
    done = subprocess.run(
        [
            *("sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"),
            *(sys.executable, "-I", "-S", CLIENT, "claude-code", "SessionStart"),
        ],
        env=hurried.machine.environment,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0


@pytest.mark.parametrize("arguments", [[], ["claude-code"], ["a", "b", "c"]], ids=str)
def test_a_call_with_too_little_or_too_much_says_nothing(arguments):
    done = subprocess.run(
        [sys.executable, "-I", "-S", CLIENT, *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    "environ",
    [{}, {"HOME": "/proc/none"}, {"HOME": "relative"}, {"GITMEM_HOME": "x"}],
    ids=["empty", "no-home", "relative", "bad-gitmem-home"],
)
def test_without_a_home_it_says_nothing(environ, hurried):
    assert is_quiet(hurried("UserPromptSubmit", env=environ))


def test_a_host_that_never_stops_talking_is_not_waited_for(hurried):
    reading, writing = os.pipe()

    said = hurried.waiting("UserPromptSubmit", reading)
    os.close(writing)
    os.close(reading)

    assert is_quiet(said)
    assert "claude-code UserPromptSubmit: not done within 1 s" in hurried.log


@pytest.mark.parametrize("environ", [{}, {b"HOME": b"here"}, {b"GITMEM_HOME": b"x"}])
def test_trouble_is_noted_nowhere_where_no_folder_is_known(environ, monkeypatch):
    noted = []
    monkeypatch.setattr(light, "_append", lambda path, *_: noted.append(path))

    light.note(environ, "claude-code Stop: odd")

    assert noted == []


def test_trouble_is_noted_in_the_words_that_are_read(tmp_path):
    environ = {b"GITMEM_HOME": os.fsencode(tmp_path)}
    (tmp_path / "state").mkdir()

    light.note(environ, "claude-code Stop: odd\n\x1b[31m")

    assert trouble.take(tmp_path / "state") == (
        "A hook gave nothing: claude-code Stop: odd??[31m (see gitmem.log).",
    )
    assert "hook claude-code Stop: odd??[31m\n" in (
        tmp_path / "state" / "gitmem.log"
    ).read_text("utf-8")


def test_the_command_is_the_same_hook(hook):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", "hook", "claude-code", "SessionStart"],
        input=b'{"session_id": "s7", "source": "startup"}',
        cwd=hook.machine.folder,
        env={
            **hook.machine.environment,
            "PYTHONPATH": str(Path(light.__file__).parents[2]),
        },
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_the_page_names_every_event_of_every_host():
    page = (Path(__file__).parents[2] / "docs" / "hooks.md").read_text("utf-8")
    hosts = ("claude-code", "codex", "opencode", "pi")
    rows = [
        f"| `{host}` | {', '.join(f'`{each}`' for each in registry.events(host))} |"
        for host in hosts
    ]

    assert [row in page.splitlines() for row in rows] == [True] * len(hosts)
