"""Decide which addresses of a remote may be used; pure.

Only https, ssh, git+ssh and local paths that the person typed. Plain http is for this
machine only: it would show every memory, and the credentials, to the network.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

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
    r"(token|passw|pwd|secret|key|auth|signature)[\w.-]*=", re.IGNORECASE
)
# `user:password@`, after a scheme whose slashes may lack or be too many.
_PASSWORD: Final = re.compile(
    r"(?>[a-z][a-z0-9+.-]*:(?=[/\\]))?+[/\\]{0,9}"
    r"[^/\\@]*:(?!\d{1,5}/)[^/\\@]*@",
    re.IGNORECASE,
)
# The same with a slash in the password, which makes a port of its beginning.
_BROKEN_PASSWORD: Final = re.compile(r"(?<=://)[^/@]*:(?!\d{1,5}/)[^@]*@")
# ssh would take these for the name of a host.
_SCHEMES: Final = frozenset({"http", "https", "ssh", "git+ssh", "git", "file"})


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
    _refuse_credentials(text)
    if "://" in text:
        return _from_url(text)
    if _SCP_LIKE.fullmatch(text) and not text.startswith(("/", ".", "~")):
        if text.partition(":")[0].lower() in _SCHEMES:
            raise _refused(text, "two slashes belong behind the colon")
        return Address(text, _NETWORK)
    return Address(str(_local(text, home, cwd)), ("file",))


def masked(text: str) -> str:
    """Spell an address for people, without what in it could be a credential.

    That is a password, a token in place of a user or as a part of the path, and
    whatever follows the path.
    """
    path, *rest = re.split(r"[?#]", text, maxsplit=1) if "://" in text else [text]
    parts = ["***" if find(unquote(each)) else each for each in path.split("/")]
    kept = _BROKEN_PASSWORD.sub("***@", "/".join(parts))
    return mask(shown(kept)) + "?***" * len(rest)


def _from_url(text: str) -> Address:
    try:
        url = urlsplit(text)
        host = url.hostname or ""
        _ = url.port
    except ValueError:
        raise _refused(text, "it is not a valid URL") from None
    _refuse_token_as_user(text, url)
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


def _refuse_credentials(text: str) -> None:
    """Refuse what Git, ssh or a server would take for a credential, in any form."""
    plain = unquote(text)
    fields = re.split(r"[?#;]", plain, maxsplit=1)[1:]
    if (
        any(find(each) for each in (text, plain, *re.split(r"[/?#;&=@:]", plain)))
        or any(map(_SECRET_FIELD.search, fields))
        or _has_password(text)
        or _has_password(plain)
    ):
        raise _credential(text)


def _has_password(text: str) -> bool:
    # A folder may be called anything; what begins with two slashes lacks its scheme.
    is_folder = text.startswith(("/", ".", "~")) and not text.startswith("//")
    return not is_folder and bool(
        _PASSWORD.match(text) or _BROKEN_PASSWORD.search(text)
    )


def _refuse_token_as_user(text: str, url: SplitResult) -> None:
    if url.scheme.lower() in {"http", "https"} and _TOKEN.fullmatch(url.username or ""):
        raise _credential(text)


def _credential(text: str) -> BadConfig:
    return BadConfig(
        f"{masked(text)} holds a credential, which would end up in files and logs.",
        "Leave it out of the address and let Git's credential helper keep it, or use "
        "an ssh address and a key.",
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
        f"{masked(text) or 'An empty address'} cannot be the remote: {reason}.",
        "Use https://…, ssh://…, user@host:path, or the path of a local repository.",
    )
