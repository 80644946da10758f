"""Have the system start the daemon at login: a systemd user unit or a launchd agent."""

import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.process import environment, run

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms

NAME: Final = "gitmem"
LABEL: Final = "org.gitmem.daemon"
_READABLE: Final = 0o644
_SYSTEMCTL_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Unit:
    """A file that the system reads, and what a person does with it."""

    path: Path
    text: str
    next_step: str


def install(rooms: "Rooms") -> Unit:
    """Write the file for this system."""
    rooms.tree()  # raises NoRepository
    command = (sys.executable, "-P", "-m", "gitmem", "daemon", "run", "--stay")
    unit = unit_for(sys.platform, rooms.home, command, _kept_variables())
    private_folder(unit.path.parent)
    write(unit.path, unit.text.encode(), mode=_READABLE)
    return unit


def uninstall() -> Unit | None:
    """Stop it where the system answers, and remove the file, if there is one."""
    unit = installed(Path(environment().get("HOME") or Path.home()))
    if unit is None:
        return None
    is_stopped = sys.platform != "darwin" and _disable(unit.path)
    wanted = unit.path.parent / "default.target.wants" / unit.path.name
    for path in (wanted, unit.path):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            path.unlink()
    # A service whose file is gone is still known to the system until it is stopped.
    stop = f"systemctl --user stop {NAME}.service"
    if sys.platform == "darwin":
        stop = f"launchctl bootout gui/$(id -u)/{LABEL}"
    return Unit(unit.path, "", "" if is_stopped else stop)


def stopping() -> str:
    """Name the command after which the system starts no daemon any more."""
    if sys.platform == "darwin":
        return f"launchctl bootout gui/$(id -u)/{LABEL}"
    return f"systemctl --user disable --now {NAME}.service"


def _disable(path: Path) -> bool:
    """Have systemd stop the unit, if it answers and that file is the one it runs."""
    shown = _systemctl("show", "--property=FragmentPath", "--value")
    if shown is None or shown.strip() != str(path):
        return False
    return _systemctl("disable", "--now") is not None


def _systemctl(*words: str) -> str | None:
    """Ask the person's systemd about the unit; None where it does not answer."""
    command = ("systemctl", "--user", *words, f"{NAME}.service")
    with contextlib.suppress(GitmemError):
        done = run(
            command,
            cwd=Path("/"),
            environment=environment(),
            timeout_seconds=_SYSTEMCTL_SECONDS,
        )
        return done.stdout.decode("utf-8", "replace") if not done.status else None
    return None


def installed(home: Path) -> Unit | None:
    """Give the file as it lies there, and how it is set to work; None without one."""
    unit = unit_for(sys.platform, home, (), environment())
    try:
        text = unit.path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return Unit(unit.path, text, unit.next_step)


def unit_for(
    platform: str, home: Path, command: tuple[str, ...], variables: dict[str, str]
) -> Unit:
    """Write the unit of a platform; pure."""
    if platform == "darwin":
        path = home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
        return Unit(
            path,
            launchd_agent(command, variables),
            f"launchctl bootstrap gui/$(id -u) '{path}'",
        )
    base = Path(variables.get("XDG_CONFIG_HOME") or home / ".config")
    return Unit(
        base / "systemd" / "user" / f"{NAME}.service",
        systemd_unit(command, variables),
        f"systemctl --user enable --now {NAME}.service",
    )


def systemd_unit(command: tuple[str, ...], variables: dict[str, str]) -> str:
    """Write a systemd user unit."""
    given = "".join(
        f"Environment={_quoted(f'{name}={text}')}\n"
        for name, text in sorted(variables.items())
    )
    return f"""\
[Unit]
Description=gitmem keeps the memory of coding agents in exchange
Documentation=man:git(1)

[Service]
Type=exec
ExecStart={" ".join(map(_quoted, command)).replace("$", "$$")}
{given}Restart=always
RestartSec=10
TimeoutStopSec=5
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""


def launchd_agent(command: tuple[str, ...], variables: dict[str, str]) -> str:
    """Write a launchd agent."""
    arguments = "".join(f"    <string>{escape(each)}</string>\n" for each in command)
    given = "".join(
        f"    <key>{escape(name)}</key>\n    <string>{escape(text)}</string>\n"
        for name, text in sorted(variables.items())
    )
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
"http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{LABEL}</string>
  <key>ProgramArguments</key>
  <array>
{arguments}  </array>
  <key>EnvironmentVariables</key>
  <dict>
{given}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
"""


def _kept_variables() -> dict[str, str]:
    """Take along what says where the repository is; a login shell may not say it."""
    names = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    return {
        name: text
        for name, text in environment().items()
        if name in {"PATH", *names} or name.startswith("GITMEM_")
    }


def _quoted(text: str) -> str:
    """Quote one word for systemd, which knows `%` beside the quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("%", "%%") + '"'
