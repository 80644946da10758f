"""What can be odd about a memory file, one code each."""

from typing import Final

from gitmem.memory.memory import Problem, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

PROBLEMS: Final = {
    "empty-file": (_N, "The file is empty."),
    "no-frontmatter": (_W, "The file has no frontmatter."),
    "unclosed-frontmatter": (_E, "The frontmatter has no closing --- line."),
    "long-frontmatter": (_E, "The frontmatter does not end within 64 KiB."),
    "late-frontmatter": (_N, "Blank lines stand above the frontmatter."),
    "byte-order-mark": (_N, "The file begins with a byte order mark."),
    "carriage-return": (_N, "A line of the frontmatter ends with a carriage return."),
    "tab": (_W, "A tab stands where YAML wants spaces."),
    "control-character": (
        _E,
        "The frontmatter has a control character or a foreign line end.",
    ),
    "not-utf8": (
        _E,
        "This is not UTF-8; what cannot be read is shown as \N{REPLACEMENT CHARACTER}.",
    ),
    "invalid-yaml": (_W, "This is not YAML and was read as plain text; quote it."),
    "unclosed-bracket": (_E, "A bracket of this field is never closed."),
    "not-a-mapping": (_E, "The frontmatter is not a list of `key: value` lines."),
    "stray-line": (_W, "This belongs to no field and was not read."),
    "duplicate-key": (_W, "This field is given twice; the last one counts."),
    "complex-key": (
        _W,
        "The name of a field is not text; this was read as plain text.",
    ),
    "custom-tag": (
        _W,
        "A YAML tag such as !name means nothing here; this was read as text.",
    ),
    "alias": (_W, "YAML anchors and aliases are not followed; this was read as text."),
    "too-deep": (_E, "The frontmatter is nested too deeply to be read."),
    "no-description": (_W, "There is no description; the first line stands in for it."),
    "long-description": (_N, "The description is too long to be listed whole."),
    "not-text": (_W, "This field should be one text."),
    "not-a-date": (_W, "This date is not written as YYYY-MM-DD."),
    "tags-not-a-list": (_W, "The tags are not a list; they were cut at the commas."),
    "nested-tags": (_W, "A tag is a list or mapping of its own; it was flattened."),
}


def problem(code: str, line: int, detail: str = "") -> Problem:
    """Make the problem of that code, with what is special about this place."""
    severity, message = PROBLEMS[code]
    return Problem(
        max(line, 1), code, f"{message} ({detail})" if detail else message, severity
    )
