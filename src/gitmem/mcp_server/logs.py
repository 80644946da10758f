"""Send what libraries log to gitmem's log: on stdout it would break the protocol."""

import logging
from datetime import UTC, datetime
from pathlib import Path

from gitmem.log import record


class Handler(logging.Handler):
    """Writes one entry for each record, secrets masked."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder of the log."""
        super().__init__(logging.WARNING)
        self._folder = folder

    def emit(self, entry: logging.LogRecord) -> None:
        """Write it down."""
        text = f"mcp: {self.format(entry)}"
        record(self._folder, text, now=datetime.now(UTC))


def begin(folder: Path) -> None:
    """Take every logger over, before the first library sets one up."""
    root = logging.getLogger()
    root.handlers[:] = [Handler(folder)]
    root.setLevel(logging.WARNING)
