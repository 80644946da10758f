"""Say in plain text where gitmem's own folders are, as platformdirs would.

`gitmem path` and the snapshot of the settings ask here, and platformdirs costs twice
the start of Python; a test holds the two against each other.
"""

import sys

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    from collections.abc import Mapping

HOME_VARIABLE = "GITMEM_HOME"
_NAMES = ("config", "data", "state", "cache")
_XDG = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
_SUPPORT = "Library/Application Support"
_DEFAULTS = {
    "linux": (".config", ".local/share", ".local/state", ".cache"),
    "darwin": (_SUPPORT, _SUPPORT, _SUPPORT, "Library/Caches"),
}
SHAPING = (HOME_VARIABLE, "HOME", *_XDG)


def places(
    environment: "Mapping[str, str]", platform: str = sys.platform
) -> "tuple[str, ...]":
    """Name the folders for config, data, state and cache, in this order.

    Names none where only platformdirs knows; `settings.folders` asks it then.
    """
    if moved := environment.get(HOME_VARIABLE, ""):
        base = _moved(moved, environment)
        return tuple(f"{base}/{name}" for name in _NAMES)
    home, defaults = environment.get("HOME", ""), _DEFAULTS.get(platform)
    if not defaults or not home.startswith("/") or "ANDROID_DATA" in environment:
        return ()
    bases = (f"{home.rstrip('/')}/{default}" for default in defaults)
    return tuple(
        (_absolute(environment.get(variable, "")) or base).rstrip("/") + "/gitmem"
        for variable, base in zip(_XDG, bases, strict=True)
    )


def expanded(path: str, environment: "Mapping[str, str]") -> str:
    """Put the person's home in place of a leading `~`; leave any other text alone."""
    if path != "~" and not path.startswith("~/"):
        return path
    home = _absolute(environment.get("HOME", ""))
    if not home:
        import os  # rarely needed

        home = os.path.expanduser("~")
    return home.rstrip("/") + path[1:] or "/"


def _moved(moved: str, environment: "Mapping[str, str]") -> str:
    path = _absolute(expanded(moved, environment).rstrip("/"))
    if path and path.isprintable():
        return path
    from gitmem.errors import SettingsError  # enum: 2 ms

    message = f"{HOME_VARIABLE} is not an absolute path: {moved!a}."
    raise SettingsError(message, "Set it to a folder such as /home/me/gitmem.")


def _absolute(path: str) -> str:
    """Give the path back if it is absolute; the XDG rules ignore any other."""
    return path if path.startswith("/") else ""
