"""Read the dates that other stores write, in whatever form they do; pure."""

import re
from datetime import UTC, date, datetime
from typing import Final

_NUMBERS: Final = re.compile(
    r"(\d{4})(?:(\d\d)(\d\d)|([-/.年])(\d{1,2})(?:\4|月)(\d{1,2})日?)(?!\d)"
)
_WORDS: Final = ("%d %B %Y", "%B %d, %Y", "%B %d %Y", "%d %b %Y", "%b %d, %Y")
_LONGEST: Final = 64
_SECONDS: Final = range(10**9, 10**10)
_MILLISECONDS: Final = range(10**12, 10**13)


def day(text: str) -> str:
    """Give the day of a date or moment as YYYY-MM-DD; empty where it says none."""
    plain = text.strip()[:_LONGEST]
    if at := clock(plain):
        return at.date().isoformat()
    if found := _NUMBERS.match(plain):
        year, month, number, _, other_month, other_number = found.groups()
        return _of(int(year), int(month or other_month), int(number or other_number))
    return next(filter(None, (_worded(plain, form) for form in _WORDS)), "")


def spelled(text: str) -> str:
    """Give a date in gitmem's form, with its time if it has one; else nothing."""
    found = _NUMBERS.match(text.strip())
    rest = text.strip()[found.end() :] if found else ""
    return day(text) + (rest if day(text) and rest[:1] in {"T", " "} else "")


def clock(text: str) -> datetime | None:
    """Read a count of seconds or milliseconds, as computers keep time."""
    plain = text.strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) <= _LONGEST):
        return None
    number = int(plain)
    if number in _MILLISECONDS:
        return datetime.fromtimestamp(number / 1000, UTC)
    return datetime.fromtimestamp(number, UTC) if number in _SECONDS else None


def _of(year: int, month: int, number: int) -> str:
    try:
        return date(year, month, number).isoformat()
    except ValueError:
        return ""


def _worded(text: str, form: str) -> str:
    try:
        return datetime.strptime(text, form).replace(tzinfo=UTC).date().isoformat()
    except ValueError:
        return ""
