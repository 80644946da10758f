"""Look through a build for damage that a question may not come upon."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gitmem.catalog import builds, schema
from gitmem.catalog.builds import BrokenText


def fault(folder: Path) -> str:
    """Say what is wrong with the current build; nothing where it is whole, or none."""
    from gitmem.catalog.text import TextIndex  # brings in tantivy

    build = builds.current(folder)
    if build is None:
        return ""
    try:
        with closing(schema.open_reader(build / builds.ROWS)) as rows:
            (said,) = rows.execute("PRAGMA quick_check(1)").fetchone()
            (generation,) = rows.execute("SELECT generation FROM state").fetchone()
        if said != "ok":
            return str(said)
        if TextIndex(build / builds.TEXT).generation() != generation:
            return "its full text is not that of its rows"
    except (sqlite3.DatabaseError, BrokenText) as error:
        return str(error)
    return ""
