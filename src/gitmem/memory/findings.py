"""What `gitmem check` can say about a repository and its files, one code each."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.files.names import shown
from gitmem.memory.memory import Problem, Severity
from gitmem.memory.problems import PROBLEMS

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# Of the codes for the inside of a frontmatter, `problems` keeps the list.
FINDINGS: Final = {
    "unreadable": (_E, "This cannot be read."),
    "link": (_E, "This is a symbolic link; gitmem neither follows nor commits it."),
    "special-file": (_E, "This is neither a file nor a folder."),
    "ignored": (_W, "A .gitignore names this memory, so it is never committed."),
    "not-laid-out": (_W, "This came from the remote and stays out of the folder."),
    "nested-git": (_E, "This is a Git repository of its own; it is never committed."),
    "bad-name": (_E, "This name cannot be used on every machine."),
    "twin": (_W, "Two names differ only in case or accents; some machines see one."),
    "too-large": (_E, "The file is too large to be committed."),
    "too-long": (_W, "This is given whole at a session's start, and is too long."),
    "conflict-marker": (_E, "The markers of an unsettled conflict begin here."),
    "conflict-copy": (_W, "The other side of a conflict waits to be settled."),
    "secret": (_E, "This line seems to hold a credential."),
    "secret-name": (_E, "This name seems to hold a credential."),
    "claimed-twice": (_W, "Two layers claim one remote."),
    "bad-claim": (_W, "This remote is no address of a repository."),
    "bad-activation": (_W, "The rules of activation.yaml are not used."),
    "duplicate-tag": (_W, "Two spellings of one tag."),
    "bad-tags": (_W, "The tags break the contract that is set."),
    "dead-link": (_N, "This link leads nowhere."),
    "no-final-newline": (_N, "The last line does not end."),
    "no-layer": (_N, "This lies in no layer and is never delivered."),
    "shared-layer-off": (_N, "This folder is not delivered while it is not set."),
}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing that a person may want to mend, with where it is.

    `line` counts from 1 and is 0 where the whole file is meant.
    """

    path: PurePosixPath
    line: int
    code: str
    message: str
    severity: Severity


def finding(
    path: PurePosixPath, code: str, *, line: int = 0, detail: str = ""
) -> Finding:
    """Make the finding of that code, with what is special about this place."""
    severity, message = FINDINGS[code]
    text = f"{message} ({shown(detail)})" if detail else message
    return Finding(path, line, code, text, severity)


def of_problem(path: PurePosixPath, problem: Problem) -> Finding:
    """Say where a problem of a frontmatter is."""
    return Finding(path, problem.line, problem.code, problem.message, problem.severity)


def codes() -> dict[str, tuple[Severity, str]]:
    """List every code with its weight and meaning, as the reference shows them."""
    return dict(sorted({**PROBLEMS, **FINDINGS}.items()))
