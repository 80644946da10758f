"""Say of a memory which entries of which foreign stores are in it; pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

SOURCE: Final = "source"
IMPORT: Final = "import"
FROM: Final = "imported_from"
PATH: Final = "imported_path"
ID: Final = "imported_id"
DIGEST: Final = "imported_digest"
# Entries that went into the memory beside its own, one text each.
MORE: Final = "imported_more"
# What a file that holds an entry has somewhere in its head.
TRACES: Final = tuple(f"\n{name}:".encode() for name in (DIGEST, MORE))
_LEAST: Final = 3
_ESCAPES: Final = (("%", "%25"), (" ", "%20"))


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
        """Name what it says, whatever its store is called or was taken for."""
        if self.id:
            return self.kind, "", self.id, self.digest
        return "", self.path.partition("/")[2], "", self.digest


def is_about_an_import(line: str) -> bool:
    """Say whether a line of a head names a file of a foreign store."""
    return line.startswith((f"{PATH}:", f"{MORE}:"))


def origins(fields: Mapping[str, Any]) -> tuple[Origin, ...]:
    """Read which entries are in a memory, its own first."""
    own = own_origin(fields)
    return (*([own] if own else []), *_more(fields))


def own_origin(fields: Mapping[str, Any]) -> Origin | None:
    """Read which entry a memory was made of; None for one that was not imported."""
    values = [fields.get(name, "") for name in (FROM, PATH, ID, DIGEST)]
    if not all(isinstance(value, str) for value in values) or not values[3]:
        return None
    return Origin(*values)


def joined(
    kept: Mapping[str, Any], others: Iterable[Mapping[str, Any]]
) -> dict[str, object]:
    """Give the field that keeps the entries of memories which go into another one."""
    have = [*_told(kept)]
    for other in others:
        own = own_origin(other)
        have += [*([_written(own)] if own else []), *_told(other)]
    own = own_origin(kept)
    texts = [text for text in dict.fromkeys(have) if not own or text != _written(own)]
    return {MORE: texts} if texts != [*_told(kept)] else {}


def _more(fields: Mapping[str, Any]) -> Iterator[Origin]:
    return (origin for text in _told(fields) if (origin := _read(text)))


def _told(fields: Mapping[str, Any]) -> Iterator[str]:
    said = fields.get(MORE) or ()
    texts = said if isinstance(said, list) else [said]
    return (text for text in texts if isinstance(text, str))


def _written(origin: Origin) -> str:
    words = (origin.kind, origin.digest, origin.path, origin.id)
    return " ".join(_escaped(word) for word in words if word)


def _read(text: str) -> Origin | None:
    kind, digest, path, own_id, *rest = (*map(_plain, text.split(" ")), "", "", "")
    is_whole = len(text.split(" ")) >= _LEAST and not any(rest)
    return Origin(kind, path, own_id, digest) if is_whole else None


def _escaped(word: str) -> str:
    for sign, escape in _ESCAPES:
        word = word.replace(sign, escape)
    return word


def _plain(word: str) -> str:
    for sign, escape in reversed(_ESCAPES):
        word = word.replace(escape, sign)
    return word
