"""Bring every spelling of a remote's address to one `host/owner/name`; pure."""

import posixpath
import re
import unicodedata
from pathlib import Path
from typing import Final

from gitmem.project.names import digest, layer_name

LIMIT_CHARACTERS: Final = 2048
LOCAL: Final = "local"
_PORTS: Final = {"ssh": "22", "https": "443", "http": "80", "git": "9418"}
# Where a host answers SSH on another port, and the name it is known by:
# https://docs.github.com/authentication/troubleshooting-ssh/using-ssh-over-the-https-port
_ALIASES: Final = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
# These hosts treat Owner/Name and owner/name as one repository.
_CASELESS: Final = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}
)
_URL: Final = re.compile(r"(?P<scheme>[A-Za-z][-+.A-Za-z0-9]*)://(?P<rest>.*)")
_HELPER: Final = re.compile(r"[A-Za-z0-9]+::")
_SCP: Final = re.compile(
    r"(?:[^/:\[\]]*@)?(?P<host>\[[^\[\]/]+\]|[^:/\[\]@]+):(?P<path>.*)"
)
_AUTHORITY: Final = re.compile(
    r"(?P<host>\[[0-9a-fA-F:.]+(?:%[\w.]+)?\]|\w[-.\w]*)(?::(?P<port>[0-9]{0,5}))?"
)
_DRIVE: Final = re.compile(r"[A-Za-z]:[/\\]")


def normalise_remote(url: str, *, base: Path | None = None) -> str | None:
    """Name what a remote's URL points at, without scheme, user, password or query.

    A local path becomes `local/<digest>/<name>`: two of them stay apart and no folder
    of this machine is told. `base` is what a relative one starts from. None for what
    is no address, or one that Git would hand to a program.
    """
    url = url.strip()
    if not _is_plain(url) or url[0] == "-" or _HELPER.match(url):
        return None
    if address := _URL.fullmatch(url):
        return _from_url(address["scheme"].lower(), address["rest"], base)
    address = None if _DRIVE.match(url) else _SCP.fullmatch(url)
    if address:
        return _from_scp(address["host"], address["path"])
    return _local(url, base)


def normalise_claim(text: str) -> str | None:
    """Name a remote that a person wrote down: a URL, or `host/owner/name` itself."""
    text = text.strip()
    if not _is_plain(text) or text[0] in "-/.~":
        return None
    authority, _, path = text.partition("/")
    if authority == LOCAL and path:
        return text
    is_address = "://" in text or "@" in text
    named = None if is_address else _named(authority, path, "")
    return named or normalise_remote(text)


def owner_name(remote: str) -> str:
    """Make `<owner>-<name>` of a normalised remote, for a name that is taken."""
    host, _, path = remote.partition("/")
    return layer_name((path if "/" in path else f"{host}/{path}").replace("/", "-"))


def _from_url(scheme: str, rest: str, base: Path | None) -> str | None:
    kind = scheme.replace("git+", "").replace("+git", "")
    if kind == "file":
        return _local(_unquoted(rest.removeprefix("localhost")), base)
    if kind not in _PORTS or "\\" in rest:
        return None
    authority, _, path = re.split(r"[?#]", rest, maxsplit=1)[0].partition("/")
    return _named(authority.rpartition("@")[2], _unquoted(path), _PORTS[kind])


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote  # rare: 2 ms

    return unquote(text)


def _from_scp(host: str, path: str) -> str | None:
    inside = host.strip("[]").rpartition("@")[2]
    is_address = host.startswith("[") and inside.count(":") > 1
    return _named(f"[{inside}]" if is_address else inside, path, _PORTS["ssh"])


def _named(authority: str, path: str, default_port: str) -> str | None:
    parts = _parts(path)
    found = _AUTHORITY.fullmatch(unicodedata.normalize("NFC", authority))
    if not found or not parts:
        return None
    host = found["host"].casefold().rstrip(".")
    port = "" if host in _ALIASES else (found["port"] or "")
    host = _ALIASES.get(host, host)
    if port and port.lstrip("0") != default_port:
        host = f"{host}:{port.lstrip('0')}"
    name = "/".join(parts)
    return f"{host}/{name.casefold() if host in _CASELESS else name}"


def _parts(path: str) -> list[str]:
    """Split a remote's path into clean parts; none when any part is not one."""
    path = unicodedata.normalize("NFC", path).rstrip("/ ")
    while path.lower().endswith(".git"):
        path = path[:-4].rstrip("/ ")
    parts = [part for part in path.split("/") if part]
    parts = parts[1:] if parts[:1] == ["~"] else parts
    is_clean = all(part not in {".", "..", "~"} and part[0] != "-" for part in parts)
    return parts if is_clean and path.isprintable() and "\\" not in path else []


def _local(path: str, base: Path | None) -> str | None:
    is_absolute = path.startswith("/") or bool(_DRIVE.match(path))
    if not path.isprintable() or (not is_absolute and base is None):
        return None
    whole = path if is_absolute or base is None else f"{base.as_posix()}/{path}"
    whole = posixpath.normpath(whole.replace("\\", "/"))
    whole = whole.removesuffix("/.git").removesuffix(".git").rstrip("/")
    return f"{LOCAL}/{digest(whole)[:12]}/{layer_name(whole.rpartition('/')[2])}"


def _is_plain(text: str) -> bool:
    return 0 < len(text) <= LIMIT_CHARACTERS and text.isprintable()
