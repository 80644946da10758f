"""The catalog's SQLite file: its tables, and how it is opened."""

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

# Raise it whenever the tables, or what is stored or indexed of a memory, change: a
# catalog of another version is replaced.
VERSION: Final = 8
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
    author TEXT NOT NULL,
    author_email TEXT NOT NULL,
    size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    is_unsettled INTEGER NOT NULL
);
CREATE TABLE tags (
    path TEXT NOT NULL,
    canonical TEXT NOT NULL,
    layer TEXT NOT NULL,
    written TEXT NOT NULL,
    PRIMARY KEY (path, canonical)
) WITHOUT ROWID;
CREATE TABLE marks (
    path TEXT NOT NULL,
    what TEXT NOT NULL,
    canonical TEXT NOT NULL,
    layer TEXT NOT NULL,
    PRIMARY KEY (path, what, canonical)
) WITHOUT ROWID;
CREATE TABLE activation (
    canonical TEXT NOT NULL,
    domain TEXT NOT NULL,
    said TEXT NOT NULL,
    PRIMARY KEY (canonical, domain)
) WITHOUT ROWID;
CREATE TABLE activation_file (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    fingerprint TEXT NOT NULL,
    problem TEXT NOT NULL
);
CREATE TABLE reads (
    path TEXT PRIMARY KEY,
    count REAL NOT NULL,
    day TEXT NOT NULL
) WITHOUT ROWID;
"""
# Made once the tables are filled: that is twice as fast as row by row. A packet's tags
# find it, and are no part of the table of a layer's tags.
_INDEXES: Final = """
CREATE INDEX memories_newest ON memories (layer, changed_at DESC, path);
CREATE INDEX memories_unsettled ON memories (path) WHERE is_unsettled <> 0;
CREATE INDEX tags_carried ON tags (canonical, layer);
CREATE INDEX marks_named ON marks (canonical, what);
CREATE TABLE tag_counts (
    layer TEXT NOT NULL,
    canonical TEXT NOT NULL,
    written TEXT NOT NULL,
    memories INTEGER NOT NULL,
    PRIMARY KEY (layer, canonical, written)
) WITHOUT ROWID;
INSERT INTO tag_counts
    SELECT layer, canonical, written, count(*) FROM tags
    WHERE substr(path, length(layer) + 2)
    NOT GLOB 'packets/[0-9][0-9][0-9][0-9]/[0-9][0-9]/*' GROUP BY 1, 2, 3;
CREATE TRIGGER tag_added AFTER INSERT ON tags
WHEN substr(new.path, length(new.layer) + 2)
    NOT GLOB 'packets/[0-9][0-9][0-9][0-9]/[0-9][0-9]/*' BEGIN
    INSERT INTO tag_counts VALUES (new.layer, new.canonical, new.written, 1)
    ON CONFLICT DO UPDATE SET memories = memories + 1;
END;
CREATE TRIGGER tag_dropped AFTER DELETE ON tags
WHEN substr(old.path, length(old.layer) + 2)
    NOT GLOB 'packets/[0-9][0-9][0-9][0-9]/[0-9][0-9]/*' BEGIN
    UPDATE tag_counts SET memories = memories - 1 WHERE layer = old.layer
        AND canonical = old.canonical AND written = old.written;
    DELETE FROM tag_counts WHERE layer = old.layer
        AND canonical = old.canonical AND written = old.written AND memories = 0;
END;
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
    """Make a filled catalog quick, and safe for readers beside a writer."""
    connection.executescript(_INDEXES)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA journal_mode = WAL")


def open_writer(path: Path) -> sqlite3.Connection:
    """Open an existing catalog for a change; raises sqlite3.Error if it is none."""
    connection = _connect(f"file:{quote(str(path))}?mode=rw")
    return _checked(connection, "PRAGMA synchronous = NORMAL")


def open_reader(path: Path) -> sqlite3.Connection:
    """Open an existing catalog for reading only."""
    connection = _connect(f"file:{quote(str(path))}?mode=ro")
    return _checked(connection, "PRAGMA query_only = ON")


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri,
        uri=True,
        timeout=BUSY_TIMEOUT_SECONDS,
        isolation_level=None,
        # A daemon answers each request on another thread, one at a time.
        check_same_thread=False,
    )


def _checked(connection: sqlite3.Connection, pragma: str) -> sqlite3.Connection:
    try:
        connection.execute(pragma)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            message = f"catalog version {version}, not {VERSION}"
            raise sqlite3.DatabaseError(message)
        connection.execute("SELECT generation FROM state").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection
