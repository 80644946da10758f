"""The verbs of tags: show the table, rename a tag, tidy by a plan, make it anew."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.errors import DiskFull, NotFound, NotGranted, PathRefused, UsageError
from gitmem.files.names import shown
from gitmem.memory import tags as tag_rules
from gitmem.memory.layout import is_memory
from gitmem.memory.plans import Plan, Rename
from gitmem.service import naming, shelf, watermark
from gitmem.service.notices import counted
from gitmem.service.tag_answers import Rewrite, Tables, TagLine, TagTable, Tidying

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.memory.renaming import Ground
    from gitmem.memory.tidying import Tidied
    from gitmem.service.rooms import Rooms

UNCOMMITTED: Final = "it is not committed: `gitmem sync` says why"


class TagVerbs:
    """What may be done with the tags of the layers that a project uses."""

    def __init__(self, rooms: "Rooms") -> None:
        """Remember the rooms; none is opened yet."""
        self.rooms = rooms

    def show(self, layer: str | None = None) -> Tables:
        """Give the table of each layer; it is derived from the memories themselves."""
        with shelf.fresh(self.rooms) as catalog:
            return _tables(self.rooms, catalog, layer)

    def rebuild(self, layer: str | None = None) -> Tables:
        """Forget all that was derived of the memories, read them anew, and show."""
        from gitmem.catalog.refresh import rebuild

        rooms = self.rooms
        with rooms.catalog() as catalog:
            rebuild(
                catalog,
                rooms.tree(),
                repository=rooms.repository(),
                progress=rooms.watch.indexing,
            )
            return _tables(rooms, catalog, layer)

    def rename(
        self, old: str, new: str, *, layer: str | None = None, is_dry: bool = False
    ) -> Tidying:
        """Give a tag another name wherever it stands, as one commit.

        Raises NotFound where no memory has it, UsageError where the name is none.
        """
        plan = Plan((), (Rename(old, new),))
        layers = _writable(self.rooms, layer)
        found = _tidied(self.rooms, plan, layers, is_dry=is_dry)
        if not found.renamed:
            raise _not_renamed(found.said, old, self.show(layer))
        first = found.renamed[0]
        subject = f"rename the tag {shown(first.old)} to {shown(first.new)}"
        return _done(self.rooms, found, subject, is_dry=is_dry)

    def compact(
        self,
        plan: Plan,
        *,
        layer: str | None = None,
        is_dry: bool = False,
        may_remove: bool = False,
    ) -> Tidying:
        """Do what can be done of a plan, as one commit, and note that it is tidied.

        Raises NotGranted where more than a fifth of a layer would go, and nobody has
        said that it may.
        """
        layers = _writable(self.rooms, layer)
        found = _tidied(self.rooms, plan, layers, is_dry=is_dry)
        large = [each for each in found.removals if each.is_large]
        if large and not may_remove and not is_dry:
            told = " and ".join(
                f"{each.removed} of {counted(each.total, 'memory', 'memories')} of "
                f"{shown(each.layer)}"
                for each in large
            )
            raise NotGranted(
                f"The plan would remove {told}: more than a fifth.",
                "Look at it with --dry-run; if that is meant, say it with --yes.",
            )
        done = _done(self.rooms, found, _subject(found), is_dry=is_dry)
        if is_dry:
            return done
        try:
            watermark.set_marks(self.rooms, layers)
        except DiskFull as error:
            note = f"there is no room to note that it is tidied: {error.message}"
            return replace(done, said=(*done.said, note))
        return done


def _tables(rooms: "Rooms", catalog: "Catalog", layer: str | None) -> Tables:
    from gitmem.catalog import rows

    chosen = naming.layers(rooms, layer, rows.layer_names(catalog))
    entries = [e for e in rows.entries(catalog, chosen) if watermark.is_counted(e.path)]
    added = watermark.added(rooms, [each.path for each in entries], chosen)
    marks, wish = watermark.marks(rooms), rooms.loaded.settings.tags
    tables = []
    for name in chosen:
        here = [each for each in entries if each.layer == name]
        mark = marks.get(name)
        table = TagTable(
            layer=name,
            memories=len(here),
            untagged=sum(not each.tags for each in here),
            tags=_lines(rows.spellings(catalog, name)),
            added=added[name],
            tidied_at=mark.moment if mark else None,
            is_due=added[name] >= wish.consolidate_every,
        )
        tables.append(table)
    most = tag_rules.TAGS_PER_LAYER if wish.contract == "strict" else 0
    return Tables(wish.contract, most, wish.consolidate_every, tuple(tables))


def _lines(spellings: Iterable[tuple[str, str, int]]) -> tuple[TagLine, ...]:
    """Gather the spellings of each tag, given the most used first."""
    found: dict[str, list[tuple[str, int]]] = {}
    for key, written, memories in spellings:
        found.setdefault(key, []).append((written, memories))
    lines = [
        TagLine(
            tag=spelled[0][0],
            memories=sum(memories for _, memories in spelled),
            others=tuple(written for written, _ in spelled[1:]),
        )
        for spelled in found.values()
    ]
    return tuple(sorted(lines, key=lambda each: (-each.memories, each.tag)))


def _writable(rooms: "Rooms", layer: str | None) -> tuple[str, ...]:
    """Choose the layers to change: only those that this project may write."""
    access = rooms.access()
    both = (access.project, access.shared)
    mine = tuple(each.name for each in both if each is not None)
    if layer is None:
        return mine
    chosen = naming.layers(rooms, layer, mine)
    if layer == naming.EVERY_LAYER or not set(chosen) <= set(mine):
        raise UsageError(
            f"The tags of {shown(layer)} cannot be changed from here.",
            f"Choose one of: {', '.join(map(shown, mine))}.",
        )
    return chosen


def _tidied(
    rooms: "Rooms", plan: Plan, layers: Sequence[str], *, is_dry: bool
) -> "Tidied":
    from gitmem.memory.tidying import tidy

    if not is_dry:
        rooms.engine().commit()
    renames = tuple(
        replace(wish, layer=_meant(rooms, wish.layer)) for wish in plan.renames
    )
    ground = _ground(rooms, layers, is_dry=is_dry)
    return tidy(replace(plan, renames=renames), ground)


def _meant(rooms: "Rooms", layer: str) -> str:
    """Name a layer by its own name, as `--layer` would take it; any other is left."""
    with suppress(UsageError):
        return "".join(naming.layers(rooms, layer, ()))
    return layer


def _ground(rooms: "Rooms", layers: Sequence[str], *, is_dry: bool) -> "Ground":
    from gitmem.memory.renaming import Ground

    pages = _pages(rooms, layers)
    return Ground(
        pages,
        rooms.access().project.name,
        rooms.rules(),
        rooms.now().date().isoformat(),
        {} if is_dry else _held(rooms, pages),
        tuple(layers),
    )


def _pages(rooms: "Rooms", layers: Sequence[str]) -> dict[PurePosixPath, bytes]:
    tree, limit = rooms.tree(), rooms.rules().max_file_bytes
    pages: dict[PurePosixPath, bytes] = {}
    for path in tree.walk():
        if is_memory(path) and path.parts[0] in layers:
            with suppress(NotFound, PathRefused):
                data = tree.read(path, limit_bytes=limit + 1)
                if len(data) <= limit:
                    pages[path] = data
    return pages


def _held(
    rooms: "Rooms", pages: dict[PurePosixPath, bytes]
) -> dict[PurePosixPath, str]:
    """Find what no commit has, so that nothing could bring it back."""
    from gitmem.sync.apply import blob_oid

    repository = rooms.repository()
    committed = repository.tree("HEAD") if repository.head() else {}
    return {
        path: UNCOMMITTED
        for path, data in pages.items()
        if path not in committed or committed[path].oid != blob_oid(data)
    }


def _done(
    rooms: "Rooms",
    found: "Tidied",
    subject: str,
    *,
    is_dry: bool,
) -> Tidying:
    from gitmem.sync.together import Edit

    committed = ""
    if found.changes and not is_dry:
        edits = [Edit(each.path, each.before, each.after) for each in found.changes]
        touched = {each.path.parts[0] for each in found.changes}
        where = touched.pop() if len(touched) == 1 else "*"
        report = rooms.engine().together(f"memory({where}): {subject}", edits)
        committed = report.committed or ""
        shelf.take_in(rooms, *(each.path for each in found.changes))
    return Tidying(
        is_dry,
        found.merged,
        found.renamed,
        found.removals,
        tuple(
            Rewrite(each.path, None if each.after is None else each.after.decode())
            for each in found.changes
        ),
        found.said,
        committed,
    )


def _subject(found: "Tidied") -> str:
    gone = sum(each.removed for each in found.removals)
    merged = f"merge {counted(gone, 'memory', 'memories')}" if gone else ""
    tags = len(found.renamed)
    renamed = f"rename {counted(tags, 'tag')}" if tags else ""
    return " and ".join(filter(None, (merged, renamed))) or "tidy"


def _not_renamed(said: Sequence[str], old: str, tables: Tables) -> Exception:
    known = [line.tag for table in tables.layers for line in table.tags]
    keys = {tag_rules.canonical(tag) for tag in known}
    message = said[0] if said else f"{shown(old)} is called that already"
    if tag_rules.canonical(old) in keys:
        return UsageError(f"{message}.", "`gitmem tags` lists the tags that there are.")
    near = ", ".join(tag_rules.nearest(old, known))
    hint = f"Tags like it: {near}." if near else "`gitmem tags` lists all."
    return NotFound(f"{message}.", hint)
