"""Tell from what Git said which error a failed command is; pure."""

import re
import signal
from typing import Final

from gitmem.errors import (
    AuthRefused,
    BadConfig,
    BranchProtected,
    Busy,
    Corrupt,
    DiskFull,
    Offline,
    PushRejected,
    SyncError,
    TooLarge,
)
from gitmem.files.names import shown
from gitmem.secrets import mask

LONGEST_MESSAGE: Final = 300

# The first pattern found decides; a more telling one stands above a vaguer one.
_KINDS: Final[tuple[tuple[str, type[SyncError], str], ...]] = (
    (
        (
            r"(?m)^(?:error|fatal): (?:object file \S+ is empty|"
            r"loose object \S+ .*is corrupt)"
        ),
        Corrupt,
        "Run `gitmem sync`, which mends what it can; the files are untouched.",
    ),
    (
        (
            r"\.lock'?: Permission denied|Read-only file system|"
            r"insufficient permission for adding|"
            r"(?:unable|failed) to (?:create|write|append|open|unlink).*: "
            r"Permission denied"
        ),
        BadConfig,
        "Give yourself the right to write there, and run `gitmem sync` again.",
    ),
    (
        r"fsck error|invalid index-pack output",
        Corrupt,
        (
            "Nothing of it was taken in, and everything is kept here. Take it out of "
            "the remote's history on a machine that you trust."
        ),
    ),
    (
        r"returned error: 30\d",
        BadConfig,
        (
            "The remote sends on to another address, which gitmem does not follow. If "
            "it moved, give the new one: gitmem remote URL."
        ),
    ),
    (
        (
            r"No space left on device|Disk quota exceeded|File too large|"
            rf"[Oo]ut of disk|died of signal {int(signal.SIGXFSZ)}\b"
        ),
        DiskFull,
        (
            "Free some space, here or on the remote, and run `gitmem sync` again; "
            "nothing was lost."
        ),
    ),
    (
        r"unable to resolve reference .*reference broken",
        Corrupt,
        "Run `gitmem sync`, which mends what it can; the files are untouched.",
    ),
    (
        (
            r"Unable to create '.*\.lock'|cannot lock ref|unable to lock|"
            r"could not lock|Another git process"
        ),
        Busy,
        "Another Git process is at work here; the next sync does what is left.",
    ),
    (
        r"gpg failed|failed to sign|signing failed|user\.signing[Kk]ey",
        BadConfig,
        "Repair the signing key, or set sync.sign to false.",
    ),
    (
        r"dubious ownership",
        BadConfig,
        "The memory repository belongs to another user; make it yours with chown.",
    ),
    (
        (
            r"transport '.*' not allowed|protocol '.*' is not supported|"
            r"unable to find remote helper|Unknown URL scheme|"
            r"strange (?:pathname|hostname)"
        ),
        BadConfig,
        "Use an https, ssh or local address: gitmem remote URL.",
    ),
    (
        (
            r"exceeds GitHub's file size limit|GH001|maximum allowed size|"
            r"returned error: 413|pack exceeds|unpacker error|remote unpack failed"
        ),
        TooLarge,
        "Find the large file with `gitmem check`, and take it out of the memory.",
    ),
    (
        (
            r"Authentication failed|could not read (?:Username|Password)|"
            r"terminal prompts disabled|Permission denied|Host key verification failed|"
            r"returned error: 40[13]|[Ii]nvalid credentials|Access denied|"
            r"[Rr]epository not found|HTTP Basic: Access denied"
        ),
        AuthRefused,
        (
            "Renew the credentials (try `git ls-remote` on the address); what is "
            "waiting goes out by itself then."
        ),
    ),
    (
        r"ref updates aborted by hook",
        BranchProtected,
        "A hook at the remote forbids it; ask whoever keeps the remote.",
    ),
    (
        (
            r"Could not resolve host|[Ff]ailed to connect|Connection (?:refused|"
            r"timed out|reset|closed)|Network is unreachable|No route to host|"
            r"[Tt]imed? ?out|"
            r"too slow|early EOF|hung up unexpectedly|RPC failed|unexpected disconnect|"
            r"outstanding read data|returned error: (?:5\d\d|404|429)|"
            r"Could not read from remote|does not appear to be a git repository|"
            r"[Cc]ouldn't connect|"
            r"repository '.*' (?:not found|does not exist)|Empty reply|gnutls|SSL|"
            r"redirect"
        ),
        Offline,
        (
            "Nothing is lost. Once the remote answers, a daemon goes on by itself; "
            "without one, run this again then. `gitmem doctor` looks at the address."
        ),
    ),
    (
        (
            r"fetch first|non-fast-forward|stale info|incorrect old value|"
            r"failed to update ref|reference already exists"
        ),
        PushRejected,
        "Run `gitmem sync` again.",
    ),
    (
        (
            r"hook declined|protected branch|GH006|GH013|remote rejected|"
            r"refusing to update|prohibited|denied"
        ),
        BranchProtected,
        "Allow this machine to push to the branch, or set sync.branch to another.",
    ),
    (
        (
            r"object file .* is empty|corrupt|bad object|missing (?:blob|tree|commit)|"
            r"fsck|bad tree|unable to read|invalid sha1|bad signature|"
            r"not a valid object|"
            r"[Ii]nvalid path|unpack-objects|index-pack"
        ),
        Corrupt,
        "Run `gitmem doctor`; the files themselves are untouched.",
    ),
    (
        r"bad config line|bad (?:boolean|numeric) config value|bad config variable",
        BadConfig,
        (
            "Mend that line; or move the file away, and `gitmem sync` writes it anew "
            "with what it knows."
        ),
    ),
    (
        r"not a git repository|bad config|invalid key|unknown repository extension",
        BadConfig,
        "Run `gitmem doctor`.",
    ),
)


# `!` begins a ref that a push did not move: from:to, then why.
_TELLING: Final = re.compile(
    r"(?:(?:fatal|error|remote|ssh): *|!\t[^\t]*\t)(?!failed to push some refs)(.+)"
)
# What ssh says has no such prefix, and what Git says after it tells less.
_SSH: Final = re.compile(
    r"(?:\S+: )?(?:Permission denied \(|Host key verification failed|Connection closed)"
)
_VAGUE: Final = re.compile(r"Could not read from remote repository\.?")
# A remote's lines are told by a prefix only where they begin, not where it redraws one.
_PROGRESS: Final = re.compile(r"(?:remote: *)?(?:\w+ing (?:\w+ )?objects:|Total \d)")


def explain(verb: str, stderr: bytes, *, status: int = 1) -> SyncError:
    """Make the error for a failed `git <verb>` that wrote `stderr`."""
    text = stderr.decode("utf-8", "replace")
    if status == -signal.SIGXFSZ:
        # Killed where a file may grow no more, Git says nothing.
        text = f"{text}fatal: File too large"
    said = words(text)
    for pattern, kind, hint in _KINDS:
        if re.search(pattern, text):
            return kind(f"git {verb}: {said}", hint)
    return Corrupt(f"git {verb}: {said}", "Run `gitmem doctor`.")


def words(text: str) -> str:
    """Git's own words on one line: what went wrong, without advice or secrets."""
    lines = [line.strip() for line in text.replace("\r", "\n").splitlines()]
    lines = [line for line in lines if not _PROGRESS.match(line)]
    telling = [told for line in lines if (told := _told(line))]
    precise = [line for line in telling if not _VAGUE.fullmatch(line)]
    chosen = list(dict.fromkeys(filter(None, precise or telling or lines)))
    said = "; ".join(chosen[:3]) or "it failed and said nothing"
    return shown(mask(said))[:LONGEST_MESSAGE]


def _told(line: str) -> str:
    if _SSH.match(line):
        return line
    found = _TELLING.match(line)
    return found[1] if found else ""
