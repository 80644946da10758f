"""Look at everything that `check` speaks of, and mend what is safe."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import NotFound, PathRefused
from gitmem.files.names import confine, is_too_long, refusal, shown
from gitmem.memory.check import Checked, check
from gitmem.memory.findings import Finding, finding
from gitmem.memory.layout import is_memory
from gitmem.memory.mend import Mended, fix
from gitmem.repo.status import GITLINK_MODE, PLAIN_MODES
from gitmem.service.answers import Health
from gitmem.service.rooms import Rooms

if TYPE_CHECKING:
    from gitmem.memory.layout import Access


def examine(rooms: Rooms, folder: str, *, may_fix: bool) -> Health:
    """Check the whole repository, or what is below one folder of it."""
    tree, rules, access = rooms.tree(), rooms.rules(), _access(rooms)
    shared_name = rooms.loaded.settings.memory_dir.global_memory
    under = _under(rooms, access, folder)
    checked = check(tree, rules, shared_name=shared_name, under=under)
    mended: tuple[Mended, ...] = ()
    if may_fix:
        mended = fix(tree, checked.findings)
        checked = check(tree, rules, shared_name=shared_name, under=under)
    return Health(
        root=tree.root,
        project_layer=access.project.name if access else "",
        shared_layer=access.shared.name if access and access.shared else None,
        checked=_with(checked, (*_not_laid_out(rooms), *_ignored(rooms)), under),
        mended=mended,
        standing=rooms.engine().status(),
        refused=rooms.loaded.refused,
        problems=rooms.loaded.problems,
    )


def _names(access: "Access | None") -> set[str]:
    layers = (access.project, access.shared) if access else ()
    return {each.name for each in layers if each is not None}


def _access(rooms: Rooms) -> "Access | None":
    """Say which layers are used from here; none where no project is."""
    try:
        return rooms.access()
    except NotFound:
        return None


def _with(
    checked: Checked, more: Iterable[Finding], under: PurePosixPath | None
) -> Checked:
    inside = {each for each in more if each.path.is_relative_to(under or "")}
    return replace(checked, findings=tuple(sorted({*checked.findings, *inside})))


def _not_laid_out(rooms: Rooms) -> Iterator[Finding]:
    """Say what others committed that a sync leaves in Git, and why."""
    repository = rooms.repository()
    hidden = repository.hidden()
    committed = repository.tree("HEAD") if hidden else {}
    for path in hidden:
        mode = committed[path].mode if path in committed else ""
        yield finding(path, "not-laid-out", detail=_reason(path, mode))


def _ignored(rooms: Rooms) -> Iterator[Finding]:
    """Say which memories a `.gitignore`, which others can write too, keeps here."""
    for path in rooms.repository().status().ignored:
        if is_memory(path):
            yield finding(path, "ignored")


def _reason(path: PurePosixPath, mode: str) -> str:
    if mode == GITLINK_MODE:
        return "it is a Git repository of its own"
    if mode not in PLAIN_MODES:
        return "it is a link"
    if reason := next(filter(None, map(refusal, path.parts)), ""):
        return reason
    too_long = "it lies too deep, or its name is too long"
    return too_long if is_too_long(str(path)) else "it is very large"


def _under(rooms: Rooms, access: "Access | None", folder: str) -> PurePosixPath | None:
    """Read a folder like the path of a memory: of this project's layer, or whole.

    An absolute path below the repository's root will do, in whichever layer.
    """
    folder = folder.removeprefix("./")
    if not folder or folder == ".":
        return None
    if not Path(folder).is_absolute():
        named = confine(folder)
        inside = access.project.path / named if access else named
        is_whole = named.parts[0] in _names(access) or not rooms.tree().exists(inside)
        return named if is_whole else inside
    root = rooms.root.resolve()
    path = Path(folder).resolve()
    if not path.is_relative_to(root):
        raise PathRefused(
            f"{shown(folder)} is outside the memory repository.",
            f"Name a folder below {root}.",
        )
    below = path.relative_to(root)
    return PurePosixPath(below.as_posix()) if below.parts else None
