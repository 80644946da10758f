"""Say of a memory where it came from, so that no second run imports it again; pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gitmem.importers.source import Found

SOURCE: Final = "source"
IMPORT: Final = "import"
_FROM: Final = "imported_from"
_PATH: Final = "imported_path"
_ID: Final = "imported_id"
_DIGEST: Final = "imported_digest"
_SOURCE: Final = "imported_source"
# Tags of it that the contract of the layer has no room for.
TAGS: Final = "imported_tags"
FIELDS: Final = (_FROM, _PATH, _ID, _DIGEST, _SOURCE, TAGS)
# What a file that was imported has somewhere in its head.
TRACE: Final = f"\n{_DIGEST}:".encode()
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Origin:
    """One entry of one store: which kind, which file, which entry, which bytes.

    `path` begins with the store's name, and not with where it lies on this machine. An
    entry that has an id is known by that, wherever it lies.
    """

    kind: str
    path: str
    id: str
    digest: str

    @property
    def entry(self) -> tuple[str, str, str]:
        """Name the entry, whatever it says."""
        return self.kind, "" if self.id else self.path, self.id

    @property
    def content(self) -> tuple[str, str, str, str]:
        """Name what it says, whatever its store is called on a machine."""
        below = "" if self.id else self.path.partition("/")[2]
        return self.kind, below, self.id, self.digest


def origin_of(found: Found, kind: str, store: str) -> Origin:
    """Say where a find comes from."""
    path = f"{found.store or store}/{found.origin}"
    return Origin(kind, path, found.id, _digest(found))


def fields_of(origin: Origin, source: object) -> dict[str, object]:
    """Give the fields that say so; what `source` said before is kept beside them."""
    said = {
        SOURCE: IMPORT,
        _FROM: origin.kind,
        _PATH: origin.path,
        _ID: origin.id,
        _DIGEST: origin.digest,
        _SOURCE: source if source != IMPORT else "",
    }
    return {name: value for name, value in said.items() if value}


def read(fields: Mapping[str, Any]) -> Origin | None:
    """Read where a memory came from; None for one that was not imported."""
    values = [fields.get(name, "") for name in (_FROM, _PATH, _ID, _DIGEST)]
    if not all(isinstance(value, str) for value in values) or not values[3]:
        return None
    return Origin(*values)


def _digest(found: Found) -> str:
    import hashlib  # not for parsing

    said = [
        str(found.path),
        found.body,
        found.description,
        found.tags,
        found.created,
        found.updated,
        found.fields,
    ]
    text = json.dumps(said, default=str, sort_keys=True).encode()
    data = found.raw or found.document or text
    return hashlib.sha256(data).hexdigest()[:_DIGITS]
