"""Remember what was written into the files of a host, so that it can be taken out."""

import base64
import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gitmem.files import atomic
from gitmem.hosts import edit as edits
from gitmem.hosts.edit import Edit
from gitmem.hosts.hookedit import Hook
from gitmem.hosts.place import Wishes
from gitmem.hosts.tomledit import Table

_FORMAT: Final = 1
_KINDS: Final = {
    kind.__name__: kind
    for kind in (
        edits.Member,
        edits.Element,
        Hook,
        Table,
        edits.Leftover,
        edits.Block,
        edits.Whole,
    )
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: what it held before (None: it was not there) and holds since."""

    path: Path
    original: bytes | None
    written: bytes
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """What one installation wrote, and by which gitmem."""

    version: str
    python: str
    wishes: Wishes
    entries: tuple[Entry, ...] = ()
    folders: tuple[Path, ...] = ()

    def entry(self, path: Path) -> Entry | None:
        """Find what was written into a file."""
        return next((each for each in self.entries if each.path == path), None)


def place(state: Path, name: str) -> Path:
    """Name the ledger of a host."""
    return state / "hosts" / f"{name}.json"


def load(path: Path) -> Ledger | None:
    """Read a ledger; None where there is none, or it cannot be understood."""
    try:
        found = json.loads(path.read_bytes())
        return _ledger(found) if found["format"] == _FORMAT else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def save(path: Path, ledger: Ledger) -> None:
    """Write a ledger down."""
    document = {
        "format": _FORMAT,
        "version": ledger.version,
        "python": ledger.python,
        "wishes": dataclasses.asdict(ledger.wishes),
        "folders": [str(folder) for folder in ledger.folders],
        "files": [_written(entry) for entry in ledger.entries],
    }
    atomic.private_folder(path.parent)
    atomic.write(path, json.dumps(document, indent=1).encode("ascii"))


def _written(entry: Entry) -> dict[str, Any]:
    return {
        "path": str(entry.path),
        "original": _packed(entry.original),
        "written": _packed(entry.written),
        "edits": [_edit_written(each) for each in entry.edits],
    }


def _edit_written(edit: Edit) -> dict[str, Any]:
    fields = dataclasses.asdict(edit)  # type: ignore[call-overload]
    return {"kind": type(edit).__name__, **fields, "path": str(edit.path)}


def _ledger(found: dict[str, Any]) -> Ledger:
    return Ledger(
        version=found["version"],
        python=found["python"],
        wishes=Wishes(**found["wishes"]),
        entries=tuple(_entry(each) for each in found["files"]),
        folders=tuple(Path(folder) for folder in found["folders"]),
    )


def _entry(found: dict[str, Any]) -> Entry:
    return Entry(
        path=Path(found["path"]),
        original=_unpacked(found["original"]),
        written=_unpacked(found["written"]) or b"",
        edits=tuple(_edit(each) for each in found["edits"]),
    )


def _edit(found: dict[str, Any]) -> Edit:
    kind = _KINDS[found["kind"]]
    # What an older gitmem wrote down besides is no longer asked for.
    named = [each.name for each in dataclasses.fields(kind)]
    fields = {name: _thawed(name, found[name]) for name in named}
    made: Edit = kind(**fields)
    return made


def _thawed(key: str, item: Any) -> Any:  # noqa: ANN401  a field of an edit
    if key == "path":
        return Path(item)
    return tuple(item) if key in {"keys", "frame"} else item


def _packed(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def _unpacked(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
