"""What this machine remembers of its last cycles: one small file, disposable."""

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.errors import ErrorClass, SyncError
from gitmem.files.atomic import private_folder, write
from gitmem.sync.freshness import NAME, Fetched, time_of


@dataclass(frozen=True, slots=True)
class Step:
    """The last success of one step, and its last failure since, if any."""

    at: datetime | None = None
    tip: str = ""
    failed_at: datetime | None = None
    error_class: ErrorClass | None = None
    message: str = ""
    hint: str = ""
    seconds: float | None = None

    def succeeded(
        self, tip: str, at: datetime, *, seconds: float | None = None
    ) -> "Step":
        """Note a success, and how long it took; it ends whatever failed before."""
        return Step(at=at, tip=tip, seconds=seconds)

    def failed(self, error: SyncError, at: datetime) -> "Step":
        """Note a failure beside the last success."""
        return replace(
            self,
            failed_at=at,
            error_class=error.error_class,
            message=error.message,
            hint=error.hint,
        )


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that was not committed, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """The last commit, fetch and push of one repository with one remote."""

    url: str = ""
    branch: str = ""
    commit: Step = field(default_factory=Step)
    fetch: Step = field(default_factory=Step)
    push: Step = field(default_factory=Step)
    refused: tuple[Refused, ...] = ()
    held: str = ""
    # What the person decided and a kill broke off: it must not be asked again.
    accepted: tuple[str, ...] = ()
    restoring: tuple[str, ...] = ()

    @property
    def fetched(self) -> Fetched:
        """Give what the throttle decides by."""
        return Fetched(self.url, self.branch, self.fetch.at, self.held)

    def about(self, url: str, branch: str) -> "Record":
        """Forget what was fetched from, or pushed to, another place."""
        if (self.url, self.branch) == (url, branch):
            return self
        return Record(
            url=url,
            branch=branch,
            commit=self.commit,
            refused=self.refused,
            accepted=self.accepted,
            restoring=self.restoring,
        )


def load(folder: Path) -> Record:
    """Read the record; a missing or damaged one is an empty one."""
    try:
        found = json.loads((folder / NAME).read_bytes())
        return Record(
            url=str(found["url"]),
            branch=str(found["branch"]),
            commit=_step(found["commit"]),
            fetch=_step(found["fetch"]),
            push=_step(found["push"]),
            refused=tuple(Refused(**item) for item in found["refused"]),
            held=str(found["held"]),
            accepted=tuple(map(str, found.get("accepted", ()))),
            restoring=tuple(map(str, found.get("restoring", ()))),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Record()


def save(folder: Path, record: Record) -> None:
    """Replace the record as a whole."""
    text = json.dumps(asdict(record), default=_plain, indent=1, ensure_ascii=False)
    write(private_folder(folder) / NAME, text.encode("utf-8", "backslashreplace"))


def _step(found: dict[str, Any]) -> Step:
    error_class = found["error_class"]
    return Step(
        at=time_of(found["at"]),
        tip=str(found["tip"]),
        failed_at=time_of(found["failed_at"]),
        error_class=ErrorClass(error_class) if error_class else None,
        message=str(found["message"]),
        hint=str(found.get("hint", "")),
        seconds=_number(found.get("seconds")),
    )


def _number(found: Any) -> float | None:  # noqa: ANN401  what a file said
    return float(found) if isinstance(found, int | float) else None


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
