"""Decide what each file of a host is to hold, with gitmem in it and without."""

import difflib
import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from gitmem.errors import SettingsError
from gitmem.files.names import shown
from gitmem.hosts import disk
from gitmem.hosts.disk import Change
from gitmem.hosts.edit import Edit
from gitmem.hosts.hookedit import Hook
from gitmem.hosts.ledger import Entry, Ledger
from gitmem.hosts.place import Plan
from gitmem.hosts.tomledit import Table
from gitmem.secrets import mask

_BOM: Final = b"\xef\xbb\xbf"


def installed(
    plan: Plan, known: Ledger | None
) -> tuple[tuple[Entry, ...], tuple[Change, ...]]:
    """Decide what every file is to hold."""
    entries: list[Entry] = []
    changes: list[Change] = []
    wanted = _by_file(plan.edits)
    for path, edits in wanted.items():
        before = disk.read(path)
        entry = known.entry(path) if known else None
        base = _reverted_data(before, entry, edits)
        after = _applied(path, before, edits)
        if after != before:  # else it is all there, whatever its place
            after = _applied(path, _start(before, entry, edits), edits)
        if after is not None:
            entries.append(Entry(path, base, after, edits))
        changes.append(Change(path, before, after))
    for entry in known.entries if known else ():
        if entry.path not in wanted:
            before = disk.read(entry.path)
            after = _reverted_data(before, entry, ())
            changes.append(Change(entry.path, before, after))
    _require_writable(changes)
    return tuple(entries), tuple(changes)


def uninstalled(plan: Plan, known: Ledger | None) -> tuple[Change, ...]:
    """Decide what every file is to hold without gitmem."""
    changes: list[Change] = []
    wanted = _by_file(plan.edits)
    written = known.entries if known else ()
    for path in dict.fromkeys([*wanted, *(entry.path for entry in written)]):
        before = disk.read(path)
        entry = known.entry(path) if known else None
        after = _reverted_data(before, entry, wanted.get(path, ()))
        changes.append(Change(path, before, after))
    _require_writable(changes)
    return tuple(changes)


def _by_file(edits: Sequence[Edit]) -> dict[Path, tuple[Edit, ...]]:
    found: dict[Path, tuple[Edit, ...]] = {}
    for edit in edits:
        path = disk.resolved(edit.path)
        found[path] = (*found.get(path, ()), edit)
    return found


def _applied(path: Path, data: bytes | None, edits: Sequence[Edit]) -> bytes | None:
    text = before = _text(path, data)
    for edit in edits:
        text = _done(path, edit.apply, text)
    return data if text == before else _bytes(text, data)


def _reverted_data(
    data: bytes | None, entry: Entry | None, edits: Sequence[Edit]
) -> bytes | None:
    """Take everything of gitmem's out of what a file holds."""
    written = entry.edits if entry else ()
    # The plan's own, too: they know what an older gitmem left in other words.
    more = [each for each in edits if each not in written]
    return _revoked(data, entry, [*more, *written])


def _start(
    data: bytes | None, entry: Entry | None, edits: Sequence[Edit]
) -> bytes | None:
    """Take out what the edits do not bring up to date in its place."""
    written = entry.edits if entry else ()
    known = {_renewing(each) for each in edits}
    return _revoked(
        data, entry, [each for each in written if _renewing(each) not in known]
    )


def _renewing(edit: Edit) -> object:
    """Name what an edit brings up to date in its place, or the edit if it does not."""
    return (edit.path, edit.keys) if isinstance(edit, Hook | Table) else id(edit)


def _revoked(
    data: bytes | None, entry: Entry | None, edits: Sequence[Edit]
) -> bytes | None:
    if data is None:
        return None
    if entry is not None and data == entry.written:
        return entry.original
    original = None if entry is None else _text(entry.path, entry.original)
    text = before = _text(edits[0].path, data) if edits else ""
    for edit in reversed(edits):
        act = functools.partial(edit.revoke, original=original)
        text = _done(edit.path, act, text)
    if text == before:
        return data
    was_absent = entry is None or entry.original is None
    return None if was_absent and not text.strip() else _bytes(text, data)


def _done(path: Path, act: Callable[[str], str], text: str) -> str:
    try:
        return act(text)
    except ValueError as error:
        raise SettingsError(
            f"{shown(str(path))} cannot be changed: {error}.",
            "Mend the file by hand, then run the command again.",
        ) from error


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"{shown(str(path))} cannot be changed: it is not UTF-8.",
            "Save it as UTF-8, then run the command again.",
        ) from error


def _bytes(text: str, former: bytes | None) -> bytes:
    has_bom = former is not None and former.startswith(_BOM)
    return (_BOM if has_bom else b"") + text.encode("utf-8")


def _require_writable(changes: Sequence[Change]) -> None:
    for change in changes:
        if change.is_needed:
            disk.require_writable(change)


def diff(change: Change) -> str:
    """Show a change; what looks like a credential beside it is masked."""
    name = shown(str(change.path))
    lines = difflib.unified_diff(
        _text(change.path, change.before).splitlines(keepends=True),
        _text(change.path, change.after).splitlines(keepends=True),
        "/dev/null" if change.before is None else name,
        "/dev/null" if change.after is None else name,
    )
    return mask("".join(f"{line.rstrip(chr(10) + chr(13))}\n" for line in lines))
