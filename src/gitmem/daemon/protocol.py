"""The words between the daemon and whoever asks it: one line of JSON each way.

Imports the standard library only: a host's hook asks here, too.
"""

import json
import os
import socket
import struct
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

PROTOCOL: Final = 1
# A prompt of 10 MB, escaped twice, with what else a host sends.
REQUEST_LIMIT_BYTES: Final = 64 << 20
ANSWER_LIMIT_BYTES: Final = 8 << 20
SOCKET_NAME: Final = "daemon.sock"
# The kernel's `sun_path`, less the byte that ends it: 104 on macOS, 108 on Linux.
PATH_LIMIT_BYTES: Final = 103
# The same for every caller, whatever its TMPDIR says.
SHORT_BASE: Final = Path("/tmp")  # noqa: S108  a folder of our own below it is checked


class Malformed(Exception):
    """A line is not a request, or not an answer."""


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks the daemon to do."""

    verb: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the daemon did not do it, in words for a person."""

    kind: str
    message: str
    hint: str = ""


class Mismatch(Exception):
    """The other side speaks another version of the protocol."""


def socket_path(state: Path) -> Path:
    """Name the socket of the repository whose state folder this is.

    A path that the kernel cannot hold moves to a short folder of this user's own.
    """
    path = state / SOCKET_NAME
    if len(os.fsencode(path)) <= PATH_LIMIT_BYTES:
        return path
    key = sha256(os.fsencode(state)).hexdigest()[:16]
    return SHORT_BASE / f"gitmem-{os.geteuid()}" / f"{key}.sock"


def request_line(verb: str, arguments: dict[str, Any]) -> bytes:
    """Write a request."""
    return _line({"protocol": PROTOCOL, "verb": verb, "arguments": arguments})


def read_request(line: bytes) -> Request:
    """Read a request; raises Mismatch for another version, else Malformed."""
    found = _read(line)
    if found.get("protocol") != PROTOCOL:
        raise Mismatch(f"this daemon speaks protocol {PROTOCOL}")
    verb, arguments = found.get("verb"), found.get("arguments", {})
    if not isinstance(verb, str) or not isinstance(arguments, dict):
        raise Malformed("a request has a verb and arguments")
    return Request(verb, arguments)


def answer_line(value: object) -> bytes:
    """Write the answer to a request that was carried out."""
    return _line({"ok": value})


def failure_line(failure: Failure) -> bytes:
    """Write the answer to a request that failed."""
    error = {"kind": failure.kind, "message": failure.message, "hint": failure.hint}
    return _line({"error": error})


def read_answer(line: bytes) -> Any:  # noqa: ANN401  what the verb answers
    """Read an answer; gives a Failure for one that failed, raises Malformed."""
    found = _read(line)
    if "ok" in found:
        return found["ok"]
    error = found.get("error")
    if not isinstance(error, dict):
        raise Malformed("an answer is ok or an error")
    said = (str(error.get(name, "")) for name in ("kind", "message", "hint"))
    return Failure(*said)


def peer_uid(connection: socket.socket) -> int | None:
    """Say which user is at the other end; None where the system does not tell."""
    if sys.platform == "linux":
        # pid, uid, gid
        data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return int(struct.unpack("3i", data)[1])
    if sys.platform == "darwin":
        # struct xucred begins with a version and the uid; LOCAL_PEERCRED is 1.
        return int(struct.unpack("2I", connection.getsockopt(0, 1, 8))[1])
    return None


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode("ascii") + b"\n"


def _read(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Malformed("it is not JSON") from error
    if not isinstance(found, dict):
        raise Malformed("it is no JSON object")
    return found
