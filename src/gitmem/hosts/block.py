"""Keep one block of lines between markers in a text of a person's; pure."""

import re
from typing import Final

BEGIN: Final = "gitmem:begin"
END: Final = "gitmem:end"
_EXPLAINED: Final = "(written by `gitmem host install`; change nothing in between)"


def put(text: str, lines: str, frame: tuple[str, str]) -> str:
    """Have the block in the text, in place of an older one or at the end.

    `frame` is what opens and closes a comment.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    opening, closing = frame
    whole = newline.join(
        [
            f"{opening}{BEGIN} {_EXPLAINED}{closing}",
            *lines.rstrip("\n").split("\n"),
            f"{opening}{END}{closing}",
            "",
        ]
    )
    found = _find(text)
    if found:
        return text[: found.start()] + whole + text[found.end() :]
    return text + _gap(text, newline) + whole


def drop(text: str, original: str | None) -> str:
    """Take the block out, with the lines that were put in to set it apart."""
    found = _find(text)
    if found is None:
        return text
    before, after = text[: found.start()], text[found.end() :]
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = newline if original is None else _gap(original, newline)
    if gap and before.endswith(gap):
        kept = before[: -len(gap)]
        # What the person wrote behind the block must not join their last line.
        before = kept + newline if after and kept and not kept.endswith("\n") else kept
    return before + after


def _gap(text: str, newline: str) -> str:
    """Give what sets the block apart from the text above it."""
    if not text:
        return ""
    return newline if text.endswith("\n") else newline * 2


def _find(text: str) -> re.Match[str] | None:
    pattern = rf"^[^\n]*{BEGIN}(?:(?!{BEGIN}).)*?^[^\n]*{END}[^\n]*(?:\n|\Z)"
    return re.search(pattern, text, re.DOTALL | re.MULTILINE)
