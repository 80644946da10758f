"""Decide which addresses of a remote may be used; pure.

Only https, ssh, git+ssh and local paths that the person typed. Plain http is for this
machine only: it would show every memory, and the credentials, to the network.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from gitmem.errors import BadConfig
from gitmem.files.names import shown
from gitmem.secrets import find, mask

_NETWORK: Final = ("https", "ssh")
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
# `<name>::<address>` runs the program git-remote-<name>.
_HELPER: Final = re.compile(r"[^/\[]*::")
_SCP_LIKE: Final = re.compile(r"(?:[\w.+-]+@)?[\w.][\w.-]*:(?!:)[^\0-\x1f]+")
# Nobody's name is like this; hosts take a token in its place.
_TOKEN: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w.~%-]{20,}", re.ASCII)
_SECRET_FIELD: Final = re.compile(
    r"(token|password|secret|key|auth)\w*=", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Address:
    """A remote's address, and the transports that a process may use for it."""

    text: str
    protocols: tuple[str, ...]

    @property
    def is_ssh(self) -> bool:
        """Say whether the remote is reached by ssh."""
        return "ssh" in self.protocols and not self.text.lower().startswith("https:")

    @property
    def is_local(self) -> bool:
        """Say whether the remote is a folder on this machine."""
        return self.protocols == ("file",)


def parse(text: str, *, home: Path | None = None, cwd: Path | None = None) -> Address:
    """Check an address that a person typed or a repository holds.

    `~` and a relative path are resolved against `home` and `cwd` where given. Raises
    BadConfig for every form that could run a program, reveal a credential, or reach a
    transport that the person did not choose.
    """
    text = text.strip()
    if (
        not text
        or text.startswith("-")
        or not text.isprintable()
        or _HELPER.match(text)
    ):
        raise _refused(text, "it is not an address that gitmem may use")
    if "://" in text:
        return _from_url(text)
    if _SCP_LIKE.fullmatch(text) and not text.startswith(("/", ".", "~")):
        return Address(text, _NETWORK)
    return Address(str(_local(text, home, cwd)), ("file",))


def _from_url(text: str) -> Address:
    try:
        url = urlsplit(text)
        host = url.hostname or ""
        _ = url.port
    except ValueError:
        raise _refused(text, "it is not a valid URL") from None
    _refuse_credentials(text, url)
    if host.startswith("-") or (url.username or "").startswith("-"):
        raise _refused(text, "a host or user that begins with - is an option to ssh")
    match url.scheme.lower():
        case "file":
            return Address(text, ("file",))
        case "https" | "ssh" | "git+ssh" if host:
            return Address(text, _NETWORK)
        case "http" if host in _LOOPBACK:
            return Address(text, ("http",))
        case "http":
            raise _refused(text, "http sends every memory in the clear")
    raise _refused(text, f"{url.scheme or 'this kind of address'} is not allowed")


def _refuse_credentials(text: str, url: SplitResult) -> None:
    user = url.username or ""
    is_token = url.scheme.lower() in {"http", "https"} and _TOKEN.fullmatch(user)
    if (
        url.password is not None
        or is_token
        or find(f"{user}\n{url.query}".encode())
        or _SECRET_FIELD.search(url.query)
    ):
        raise BadConfig(
            f"{mask(shown(text))} holds a credential, which would end up in files and "
            "logs.",
            "Leave it out of the address and let Git's credential helper keep it, or "
            "use an ssh address.",
        )


def _local(text: str, home: Path | None, cwd: Path | None) -> Path:
    if text.startswith("~/") and home is not None:
        return home / text[2:]
    path = Path(text)
    if not path.is_absolute() and cwd is not None:
        return cwd / path
    return path


def _refused(text: str, reason: str) -> BadConfig:
    return BadConfig(
        f"{mask(shown(text)) or 'An empty address'} cannot be the remote: {reason}.",
        "Use https://…, ssh://…, user@host:path, or the path of a local repository.",
    )
