"""Decide what each file of a host is to hold, with gitmem in it and without."""

import difflib
import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from gitmem.errors import SettingsError
from gitmem.files.names import shown
from gitmem.hosts import disk
from gitmem.hosts.disk import Change
from gitmem.hosts.edit import Edit, Whole
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
            whole = _whole(edits)
            is_ours = whole is not None and whole.has_marked(_text(path, base))
            entries.append(Entry(path, None if is_ours else base, after, edits))
        changes += _changes(path, before, after, base, edits)
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
        edits = wanted.get(path, entry.edits if entry else ())
        after = _reverted_data(before, entry, edits)
        left = after if entry is not None else None
        if (whole := _whole(edits)) and whole.has_marked(_text(path, after)):
            left, after = after, None  # it would go on running
        changes += _changes(path, before, after, left, edits)
    _require_writable(changes)
    return tuple(changes)


def _changes(
    path: Path,
    before: bytes | None,
    after: bytes | None,
    left: bytes | None,
    edits: Sequence[Edit],
) -> Iterator[Change]:
    """Say what becomes of a file, and of what a person made of one of gitmem's.

    `left` is what is in the file besides gitmem's.
    """
    whole = _whole(edits)
    if whole is None:
        yield Change(path, before, after)
        return
    is_edited = before is not None and left is not None
    yield Change(
        path, before, after, is_own=True, is_kept=is_edited and before == after
    )
    if before is not None and is_edited and before != after:
        kept = disk.aside(path, before)
        yield Change(kept, disk.read(kept), before, is_own=True, is_kept=True)


def _whole(edits: Sequence[Edit]) -> Whole | None:
    return next((each for each in edits if isinstance(each, Whole)), None)


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
    """Show a change; what looks like a credential beside it is masked.

    Of a file that is gitmem's own, its name is enough.
    """
    name = shown(str(change.path))
    if change.is_own:
        kind = "made" if change.before is None else "made anew"
        kind = "removed" if change.after is None else kind
        kind = "your edit of it is kept" if change.is_kept else kind
        return f"# {name}: {kind}\n"
    lines = difflib.unified_diff(
        _text(change.path, change.before).splitlines(keepends=True),
        _text(change.path, change.after).splitlines(keepends=True),
        "/dev/null" if change.before is None else name,
        "/dev/null" if change.after is None else name,
    )
    return mask("".join(f"{line.rstrip(chr(10) + chr(13))}\n" for line in lines))
