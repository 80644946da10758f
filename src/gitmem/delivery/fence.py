"""Make stored text unable to act as anything but data in front of a model; pure."""

import re
import unicodedata
from typing import Final

LINE_LIMIT: Final = 300
_CUT_MARK: Final = "…"

# Control, separator, bidirectional and invisible characters, unpaired surrogates,
# and every variation selector after the first (a row of them hides a message).
# The two zero-width joiners stay: Persian, Indic scripts and emoji need them.
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f\ud800-\udfff]"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_LINE_BREAKING: Final = re.compile("[\t\n]")
# The less-than sign, and the signs that pass for one at a glance.
_OPENER: Final = re.compile(
    "[<\u02c2\u1438\u2039\u2329\u276c\u276e\u27e8\u3008\ufe64\uff1c]"
)
# Our own tags, and the marks by which hosts and models tell who is speaking.
_STEMS: Final = (
    "memory",
    "instruction",
    "system",
    "developer",
    "assistant",
    "human",
    "function",
    "tool",
    "invoke",
    "antml",
    "persisted",
    "imstart",
    "imend",
    "endof",
    "startof",
)
_LONGEST_STEM: Final = max(map(len, _STEMS))
_LOOK_AHEAD: Final = 80


def text(value: str) -> str:
    """Fence a text of many lines: line ends and tabs stay, all else is shown."""
    return _shown(_without_marks(value.replace("\r\n", "\n")))


def line(value: str, limit: int = LINE_LIMIT) -> str:
    """Fence a value into one line that is cut at `limit` characters."""
    fenced = name(" ".join(value.split()))
    if len(fenced) <= limit:
        return fenced
    # The cut may take away the word that made a less-than sign harmless.
    return _without_marks(fenced[: limit - 1] + _CUT_MARK)


def name(value: str) -> str:
    """Fence a path, whole: it is of no use unless it is exact."""
    if _is_plain(value):
        return value
    return _LINE_BREAKING.sub(_escape, _shown(_without_marks(value)))


def attribute(value: str) -> str:
    """Fence a value that stands between double quotes in a tag."""
    fenced = name(value)
    return fenced.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _is_plain(value: str) -> bool:
    """Recognise the usual value quickly: a start lists thousands of them."""
    return value.isascii() and value.isprintable() and "<" not in value


def _shown(value: str) -> str:
    return _HIDDEN.sub(_escape, value)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004


def _without_marks(value: str) -> str:
    def escaped(match: re.Match[str]) -> str:
        after = value[match.end() : match.end() + _LOOK_AHEAD]
        return "&lt;" if _reads_as_mark(after) else match[0]

    return _OPENER.sub(escaped, value)


def _reads_as_mark(after: str) -> bool:
    """Say whether what follows a `<` could be read as one of the marks.

    Spelling, case, spaces, slashes, accents and other punctuation do not count. A
    name in another script may imitate any of them. Where no name follows, the next
    field could complete it.
    """
    plain = unicodedata.normalize("NFKD", after).casefold()
    word = "".join(c for c in plain if c.isalnum())[:_LONGEST_STEM]
    return not word or not word.isascii() or word.startswith(_STEMS)
