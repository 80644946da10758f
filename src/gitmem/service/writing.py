"""Write one memory from a document, from fields and a text, or from both."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.errors import InvalidMemory
from gitmem.files.names import shown
from gitmem.memory.draft import Draft, of_document
from gitmem.service import naming
from gitmem.service.rooms import Rooms

if TYPE_CHECKING:
    from gitmem.memory.store import Proposed, Stored


def write(
    rooms: Rooms,
    path: str,
    document: bytes | None,
    fields: Mapping[str, object],
    expected_hash: str | None,
) -> "Stored":
    """Write it; fields alone change a memory that is there, and make no new one."""
    store, named = rooms.store(), naming.within(rooms, path)
    given = Draft() if document is None else of_document(document)
    if not (given.body or "").strip() and not exists(rooms, path):
        raise InvalidMemory(
            f"There is no text to write to {shown(path)}.",
            "Give the memory's text on standard input; without one, only the fields of "
            "a memory that is there can be changed.",
        )
    if document is not None and not fields:
        return store.write_document(named, document, expected_hash=expected_hash)
    draft = replace(given, fields={**given.fields, **fields})
    return store.write(named, draft, expected_hash=expected_hash)


def propose(
    rooms: Rooms, path: str, draft: Draft, expected_hash: str | None
) -> "Proposed":
    """Say what writing a draft would do, and write nothing."""
    named = naming.within(rooms, path)
    if not (draft.body or "").strip() and not exists(rooms, path):
        raise InvalidMemory(
            f"There is no text to write to {shown(path)}.",
            "Give the memory's text; without one, only the fields of a memory that is "
            "there can be changed.",
        )
    return rooms.store().propose(named, draft, expected_hash=expected_hash)


def carry_out(rooms: Rooms, draft: Draft, proposed: "Proposed") -> "Stored":
    """Write what was proposed, over what was there then and nothing else."""
    return rooms.store().write(
        str(proposed.path), draft, expected_hash=proposed.expected_hash
    )


def exists(rooms: Rooms, path: str) -> bool:
    """Say whether a memory is there."""
    return rooms.tree().exists(naming.found(rooms, path))
