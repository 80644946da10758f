"""The catalog's SQLite file: its tables, and how it is opened."""

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

# Raise it whenever the tables, or what is stored or indexed of a memory, change: a
# catalog of another version is replaced.
VERSION: Final = 1
BUSY_TIMEOUT_SECONDS: Final = 5.0

_TABLES: Final = """
CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    generation INTEGER NOT NULL,
    head TEXT
);
INSERT INTO state VALUES (1, 0, NULL);
CREATE TABLE memories (
    path TEXT PRIMARY KEY,
    layer TEXT NOT NULL,
    description TEXT NOT NULL,
    title TEXT NOT NULL,
    tags TEXT NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    fields TEXT NOT NULL,
    problems TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    is_unsettled INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX memories_newest ON memories (layer, changed_at DESC, path);
CREATE INDEX memories_unsettled ON memories (path) WHERE is_unsettled <> 0;
CREATE TABLE tags (
    canonical TEXT NOT NULL,
    layer TEXT NOT NULL,
    path TEXT NOT NULL,
    written TEXT NOT NULL,
    PRIMARY KEY (canonical, layer, path)
) WITHOUT ROWID;
CREATE INDEX tags_of ON tags (path);
"""


def create(path: Path) -> sqlite3.Connection:
    """Lay a new catalog, tuned for filling it: nobody reads it until it is whole."""
    connection = _connect(f"file:{quote(str(path))}?mode=rwc")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(_TABLES)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    return connection


def settle(connection: sqlite3.Connection) -> None:
    """Make a filled catalog safe for readers beside a writer."""
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA journal_mode = WAL")


def open_writer(path: Path) -> sqlite3.Connection:
    """Open an existing catalog for a change; raises sqlite3.Error if it is none."""
    connection = _connect(f"file:{quote(str(path))}?mode=rw")
    connection.execute("PRAGMA synchronous = NORMAL")
    return _checked(connection)


def open_reader(path: Path) -> sqlite3.Connection:
    """Open an existing catalog for reading only."""
    connection = _connect(f"file:{quote(str(path))}?mode=ro")
    connection.execute("PRAGMA query_only = ON")
    return _checked(connection)


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri,
        uri=True,
        timeout=BUSY_TIMEOUT_SECONDS,
        isolation_level=None,
        # A daemon answers each request on another thread, one at a time.
        check_same_thread=False,
    )


def _checked(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            message = f"catalog version {version}, not {VERSION}"
            raise sqlite3.DatabaseError(message)
        connection.execute("SELECT generation FROM state").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection
