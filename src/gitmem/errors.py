"""Every failure a person can do something about, one class each.

GitmemError                 exit status 1, one line and one next step
├── UsageError              the command line is wrong; exit status 2
├── SettingsError           a settings file or variable cannot be used at all
├── PathRefused             a path leads outside, through a link, or to a reserved name
├── NotFound                the memory, layer or revision named does not exist
├── InvalidMemory           the text to be written breaks the memory format
├── StaleWrite              the file changed since it was read
│   └── HeldOpen            or may still change: another program has it open to write
├── SecretRefused           the text holds something that looks like a credential
├── NotGranted              only the person may allow this, and has not
├── NoRepository            there is no memory repository yet
├── SearchRefused           a search pattern or option cannot be used
├── ToolMissing             a program that gitmem needs is not installed or too old
├── DeadlineExceeded        a program was stopped because it took too long
├── Stopped                 a program was ended because gitmem has to go on, or leave
├── NoDaemon                no daemon of this repository answers
└── SyncError               a step of a sync cycle failed; carries its ErrorClass
    ├── Offline             the remote cannot be reached
    ├── AuthRefused         the remote does not accept the credentials
    ├── PushRejected        somebody else pushed first
    ├── BranchProtected     the remote refuses this push by a rule of its own
    ├── TooLarge            the remote refuses the size
    ├── Diverged            the remote was rewritten, replaced or emptied
    ├── Conflicted          a merge could not be settled
    ├── DiskFull            this machine has no room
    ├── Corrupt             Git objects are damaged or malformed
    ├── Busy                another process holds the repository
    └── BadConfig           the repository is configured in a way gitmem will not follow
"""

from enum import StrEnum


class ErrorClass(StrEnum):
    """What kind of trouble a sync met; drives retries and wording."""

    OFFLINE = "offline"
    AUTH = "auth"
    REJECTED = "rejected"
    PROTECTED = "protected"
    TOO_LARGE = "too-large"
    DIVERGED = "diverged"
    CONFLICT = "conflict"
    DISK_FULL = "disk-full"
    CORRUPT = "corrupt"
    BUSY = "busy"
    CONFIG = "config"


class GitmemError(Exception):
    """Say in one line what failed, and in another what to do next."""

    exit_status = 1

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep `message` (one line) and `hint` (the next step, may be empty)."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(GitmemError):
    """The command line is wrong."""

    exit_status = 2


class SettingsError(GitmemError):
    """A settings file or variable cannot be used at all."""


class PathRefused(GitmemError):
    """A path leads outside, through a link, or to a reserved name."""


class NotFound(GitmemError):
    """What was named does not exist."""


class InvalidMemory(GitmemError):
    """The text to be written breaks the memory format."""


class StaleWrite(GitmemError):
    """The file changed since it was read."""


class HeldOpen(StaleWrite):
    """Another program has the file open and may still write to it."""


class SecretRefused(GitmemError):
    """The text holds something that looks like a credential."""


class NotGranted(GitmemError):
    """Only the person may allow this, and has not."""


class NoRepository(GitmemError):
    """There is no memory repository yet."""


class SearchRefused(GitmemError):
    """A search pattern or option cannot be used."""


class ToolMissing(GitmemError):
    """A program that gitmem needs is not installed or too old."""


class DeadlineExceeded(GitmemError):
    """A program was stopped because it took too long."""


class Stopped(GitmemError):
    """A program was ended because gitmem itself has to go on, or to leave."""


class NoDaemon(GitmemError):
    """No daemon of this repository answers."""


class SyncError(GitmemError):
    """A step of a sync cycle failed."""

    error_class = ErrorClass.CORRUPT


class Offline(SyncError):
    """The remote cannot be reached."""

    error_class = ErrorClass.OFFLINE


class AuthRefused(SyncError):
    """The remote does not accept the credentials."""

    error_class = ErrorClass.AUTH


class PushRejected(SyncError):
    """Somebody else pushed first."""

    error_class = ErrorClass.REJECTED


class BranchProtected(SyncError):
    """The remote refuses this push by a rule of its own."""

    error_class = ErrorClass.PROTECTED


class TooLarge(SyncError):
    """The remote refuses the size."""

    error_class = ErrorClass.TOO_LARGE


class Diverged(SyncError):
    """The remote was rewritten, replaced or emptied."""

    error_class = ErrorClass.DIVERGED


class Conflicted(SyncError):
    """A merge could not be settled."""

    error_class = ErrorClass.CONFLICT


class DiskFull(SyncError):
    """This machine has no room."""

    error_class = ErrorClass.DISK_FULL


class Corrupt(SyncError):
    """Git objects are damaged or malformed."""

    error_class = ErrorClass.CORRUPT


class Busy(SyncError):
    """Another process holds the repository."""

    error_class = ErrorClass.BUSY


class BadConfig(SyncError):
    """The repository is configured in a way that gitmem will not follow."""

    error_class = ErrorClass.CONFIG
