"""Walk the memory repository, following nothing and keeping account of what is odd."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from gitmem.files.atomic import TEMPORARY_PREFIX
from gitmem.files.names import refusal, shown
from gitmem.files.tree import Tree
from gitmem.memory.findings import Finding, finding
from gitmem.project.names import folded


@dataclass(frozen=True, slots=True)
class Survey:
    """Every plain file with its size, every folder, and what is no such thing."""

    sizes: dict[PurePosixPath, int]
    folders: frozenset[PurePosixPath]
    findings: tuple[Finding, ...]


def survey(tree: Tree) -> Survey:
    """Look at every name below the root; hidden ones are nobody's business here."""
    sizes: dict[PurePosixPath, int] = {}
    folders: set[PurePosixPath] = set()
    findings: list[Finding] = []
    waiting = [PurePosixPath()]
    while waiting:
        folder = waiting.pop()
        try:
            entries = _entries(tree, folder)
        except OSError as error:
            findings.append(_unreadable(folder, error))
            continue
        findings += _twins(folder, (entry.name for entry in entries))
        for path, entry in _worth_a_look(folder, entries):
            findings += _name_findings(path)
            if entry.is_dir(follow_symlinks=False):
                folders.add(path)
                waiting.append(path)
            elif entry.is_file(follow_symlinks=False):
                sizes[path] = _size(entry)
            else:
                kind = "link" if entry.is_symlink() else "special-file"
                findings.append(finding(path, kind))
        findings += _nested_git(folder, (entry.name for entry in entries))
    return Survey(sizes, frozenset(folders), tuple(findings))


def nested_repository(tree: Tree, path: PurePosixPath) -> PurePosixPath | None:
    """Give the folder above a path that is a Git repository of its own, if any is."""
    for folder in path.parents[:-1]:
        names = os.listdir(tree.root / folder)
        if any(True for _ in _nested_git(folder, names)):
            return folder
    return None


def _entries(tree: Tree, folder: PurePosixPath) -> list[os.DirEntry[str]]:
    with os.scandir(tree.root / folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _worth_a_look(
    folder: PurePosixPath, entries: Iterable[os.DirEntry[str]]
) -> Iterator[tuple[PurePosixPath, os.DirEntry[str]]]:
    for entry in entries:
        is_hidden = entry.name.startswith((".", TEMPORARY_PREFIX))
        if not is_hidden or (entry.is_symlink() and entry.name != ".git"):
            yield folder / entry.name, entry


def _name_findings(path: PurePosixPath) -> Iterator[Finding]:
    if reason := refusal(path.name):
        yield finding(path, "bad-name", detail=reason)


def _twins(folder: PurePosixPath, names: Iterable[str]) -> Iterator[Finding]:
    """Report each spelling of a name but the first."""
    spelled: dict[str, list[str]] = defaultdict(list)
    for name in names:
        spelled[folded(name)].append(name)
    for first, *others in spelled.values():
        for other in others:
            yield finding(folder / other, "twin", detail=f"beside {folder / first}")


def _nested_git(folder: PurePosixPath, names: Iterable[str]) -> Iterator[Finding]:
    for name in names:
        if folded(name) == ".git" and (folder.parts or name != ".git"):
            yield finding(folder / name, "nested-git")


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def _unreadable(folder: PurePosixPath, error: OSError) -> Finding:
    return finding(folder, "unreadable", detail=shown(error.strerror or ""))
