"""Keep the rules of `activation.yaml` beside the rows: a turn opens no file for them.

The file is read again when it changed; one that cannot be read as a whole says why.
"""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem.memory.tags import canonical

if TYPE_CHECKING:
    from gitmem.memory.activation import Activation

NOTHING: Final = "nothing"


@dataclass(frozen=True, slots=True)
class Fired:
    """A domain that a rule brings into play, and what was said for it."""

    domain: str
    said: str


def update(rows: sqlite3.Connection, root: Path) -> None:
    """Take the rules over from the file, if it is not as it was."""
    from gitmem.catalog.scan import Reader  # not for turns
    from gitmem.memory.activation import PATH, Activation, parse

    known = rows.execute("SELECT fingerprint FROM activation_file").fetchone()
    with Reader(root) as reader:
        try:
            seen = reader.look(str(PATH))
            fingerprint = seen.fingerprint if seen else NOTHING
            if known == (fingerprint,):
                return
            found = reader.read(str(PATH)) if seen else None
        except OSError as error:
            _store(rows, "", Activation(problem=error.strerror or str(error)))
            return
    _store(rows, fingerprint, parse(found[1]) if found else Activation())


def fired(rows: sqlite3.Connection, keys: Collection[str]) -> dict[str, Fired]:
    """Give the domains that these words and phrases mean, by canonical key."""
    said = frozenset(keys)
    return {
        canonical(domain): Fired(domain, word)
        for key, domain, word in rows.execute(
            "SELECT canonical, domain, said FROM activation"
        )
        if key in said
    }


def problem(rows: sqlite3.Connection) -> str:
    """Say why the file is not used; nothing where it is, or where there is none."""
    found = rows.execute("SELECT problem FROM activation_file").fetchone()
    return str(found[0]) if found else ""


def _store(rows: sqlite3.Connection, fingerprint: str, read: "Activation") -> None:
    said = f"line {read.line}: {read.problem}" if read.line else read.problem
    rows.execute("BEGIN IMMEDIATE")
    try:
        rows.execute("DELETE FROM activation")
        rows.executemany(
            "INSERT OR REPLACE INTO activation VALUES (?, ?, ?)",
            [(canonical(rule.said), rule.domain, rule.said) for rule in read.rules],
        )
        rows.execute(
            "INSERT OR REPLACE INTO activation_file VALUES (1, ?, ?)",
            (fingerprint, said),
        )
        rows.execute("COMMIT")
    except BaseException:
        rows.execute("ROLLBACK")
        raise
