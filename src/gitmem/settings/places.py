"""Say in plain text where gitmem's own folders are; imports nothing on Linux.

`gitmem path` and the snapshot of the settings ask here, so every import counts.
"""

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = ("config", "data", "state", "cache")
HOME_VARIABLE = "GITMEM_HOME"
_XDG = (
    ("XDG_CONFIG_HOME", "/.config"),
    ("XDG_DATA_HOME", "/.local/share"),
    ("XDG_STATE_HOME", "/.local/state"),
    ("XDG_CACHE_HOME", "/.cache"),
)
SHAPING = (HOME_VARIABLE, "HOME", *(variable for variable, _ in _XDG))


def places(environment: "Mapping[str, str]") -> "tuple[str, str, str, str] | None":
    """Name the folders for config, data, state and cache, in this order.

    None where only platformdirs knows; `settings.folders` asks it.
    """
    moved = environment.get(HOME_VARIABLE, "")
    if moved:
        config, data, state, cache = (f"{_own(moved, environment)}/{n}" for n in NAMES)
        return config, data, state, cache
    home = environment.get("HOME", "")
    if _is_plain_linux(environment) and home.startswith("/"):
        config, data, state, cache = (
            f"{_xdg(environment, variable) or home.rstrip('/') + default}/gitmem"
            for variable, default in _XDG
        )
        return config, data, state, cache
    return None


def expanded(path: str, environment: "Mapping[str, str]") -> str:
    """Put the person's home in place of a leading `~`; leave any other text alone."""
    if path != "~" and not path.startswith("~/"):
        return path
    home = environment.get("HOME", "")
    if not home.startswith("/"):
        import os  # rarely needed

        home = os.path.expanduser("~")  # noqa: PTH111  pathlib: 5 ms
    return home.rstrip("/") + path[1:] or "/"


def _own(moved: str, environment: "Mapping[str, str]") -> str:
    path = expanded(moved, environment).rstrip("/")
    if path.startswith("/") and path.isprintable():
        return path
    from gitmem.errors import SettingsError  # enum: 2 ms

    message = f"{HOME_VARIABLE} is not an absolute path: {ascii(moved)}."
    raise SettingsError(message, "Set it to a folder such as /home/me/gitmem.")


def _is_plain_linux(environment: "Mapping[str, str]") -> bool:
    import sys  # always loaded

    return sys.platform == "linux" and "ANDROID_DATA" not in environment


def _xdg(environment: "Mapping[str, str]", variable: str) -> str:
    """Read a base folder; the XDG specification ignores a relative one."""
    path = environment.get(variable, "")
    return path if path.startswith("/") else ""
