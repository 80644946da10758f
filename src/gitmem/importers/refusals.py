"""Say why an entry may not be written, by the lines of its own store; pure."""

from collections.abc import Iterator
from typing import Final

from gitmem.errors import GitmemError, SecretRefused
from gitmem.importers.source import Found
from gitmem.memory.conflicts import marker_line
from gitmem.secrets import find

_NAMED: Final = 5


def reason(found: Found, error: GitmemError) -> str:
    """Name the lines as whoever mends the store sees them, not as they would be here.

    What stands in no text of the entry, such as in its name, is said as it was raised.
    """
    data = found.body.encode() if found.document is None else found.document
    if isinstance(error, SecretRefused):
        lines = tuple(dict.fromkeys(_hidden(data)))
        return "; ".join(lines[:_NAMED]) or error.message
    if line := marker_line(data):
        return f"line {line} has the markers of an unsettled conflict"
    return error.message


def _hidden(data: bytes) -> Iterator[str]:
    for each in find(data):
        yield f"line {each.line} seems to hold a credential: {each.kind}"
