"""Say of a memory where it came from, so that no second run imports it again; pure."""

import json
from typing import Final

from gitmem.importers.source import Found
from gitmem.memory.origins import DIGEST, FROM, ID, IMPORT, MORE, PATH, SOURCE, Origin

_SOURCE: Final = "imported_source"
# Tags of it that the contract of the layer has no room for.
TAGS: Final = "imported_tags"
FIELDS: Final = (FROM, PATH, ID, DIGEST, _SOURCE, TAGS, MORE)
# Those that name an entry, each true only together with the others.
NAMING: Final = (FROM, PATH, ID, DIGEST)
_DIGITS: Final = 16


def origin_of(found: Found, kind: str, store: str) -> Origin:
    """Say where a find comes from."""
    path = f"{found.store or store}/{found.origin}"
    return Origin(kind, path, found.id, _digest(found))


def fields_of(origin: Origin, source: object) -> dict[str, object]:
    """Give the fields that say so; what `source` said before is kept beside them.

    What a file of the store says of an import of its own is none of ours: None.
    """
    said: dict[str, object] = {
        SOURCE: IMPORT,
        FROM: origin.kind,
        PATH: origin.path,
        ID: origin.id or None,
        DIGEST: origin.digest,
        MORE: None,
    }
    return {**said, _SOURCE: source} if source and source != IMPORT else said


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
