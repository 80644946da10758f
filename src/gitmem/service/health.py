"""Look at everything that `check` speaks of, and mend what is safe."""

from pathlib import Path, PurePosixPath

from gitmem.errors import PathRefused
from gitmem.files.names import confine, shown
from gitmem.memory.check import check
from gitmem.memory.mend import Mended, fix
from gitmem.service.answers import Health
from gitmem.service.rooms import Rooms


def examine(rooms: Rooms, folder: str, *, may_fix: bool) -> Health:
    """Check the whole repository, or what is below one folder of it."""
    tree, rules, access = rooms.tree(), rooms.rules(), rooms.access()
    shared_name = rooms.loaded.settings.memory_dir.global_memory
    under = _under(rooms, folder)
    checked = check(tree, rules, shared_name=shared_name, under=under)
    mended: tuple[Mended, ...] = ()
    if may_fix:
        mended = fix(tree, checked.findings)
        checked = check(tree, rules, shared_name=shared_name, under=under)
    return Health(
        root=tree.root,
        project_layer=access.project.name,
        shared_layer=access.shared.name if access.shared else None,
        checked=checked,
        mended=mended,
        standing=rooms.engine().status(),
        refused=rooms.loaded.refused,
        problems=rooms.loaded.problems,
    )


def _under(rooms: Rooms, folder: str) -> PurePosixPath | None:
    """Read a folder as one of the repository; a full path below its root will do."""
    if not folder or folder == ".":
        return None
    if not Path(folder).is_absolute():
        return confine(folder)
    root = rooms.root.resolve()
    path = Path(folder).resolve()
    if not path.is_relative_to(root):
        raise PathRefused(
            f"{shown(folder)} is outside the memory repository.",
            f"Name a folder below {root}.",
        )
    inside = path.relative_to(root)
    return PurePosixPath(inside.as_posix()) if inside.parts else None
