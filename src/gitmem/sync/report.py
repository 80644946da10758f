"""What a pull, a push or a cycle did, for a person to read."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from gitmem.sync.record import Refused


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a pull, a push or a cycle.

    `settled` names what others had left half-done. `warned` files were committed
    although something is odd; `deleted` ones were committed as deletions; `kept` ones
    were deleted here and brought back on the person's word. Of what was `applied`, the
    `gone` are deletions. `undone` is the commit that was taken back, `stayed` are files
    that it made and that were edited since. `skipped` says why nothing was fetched;
    `held` what waits for the person, and how it is settled.
    """

    committed: str | None = None
    refused: tuple[Refused, ...] = ()
    warned: tuple[Refused, ...] = ()
    deleted: tuple[PurePosixPath, ...] = ()
    kept: tuple[PurePosixPath, ...] = ()
    fetched: bool = False
    merged: bool = False
    pushed: bool = False
    applied: tuple[PurePosixPath, ...] = ()
    gone: tuple[PurePosixPath, ...] = ()
    copies: tuple[PurePosixPath, ...] = ()
    settled: tuple[str, ...] = ()
    undone: str = ""
    stayed: tuple[PurePosixPath, ...] = ()
    skipped: str = ""
    held: str = ""
