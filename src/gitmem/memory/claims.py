"""Find the layer that belongs to a project."""

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import NotFound, PathRefused
from gitmem.files.names import refusal
from gitmem.files.tree import Tree
from gitmem.memory.layout import PROJECT, Layer, is_layer_name
from gitmem.project.identity import Project
from gitmem.project.names import RESERVED, folded, layer_name
from gitmem.project.remote import normalise_claim, owner_name

CLAIM_LIMIT_BYTES: Final = 65_536


def layers(tree: Tree, *, shared_name: str | None) -> tuple[Layer, ...]:
    """List the layers that exist, the shared one first, then by name."""
    found = [_layer(tree, name, shared_name) for name in _folder_names(tree)]
    return tuple(sorted(found, key=lambda each: (not each.is_shared, _order(each))))


def shared_layer(tree: Tree, *, shared_name: str | None) -> Layer | None:
    """Give the shared layer, whether or not its folder exists; None without one."""
    if not shared_name:
        return None
    # Whose the other layers are is a file of each, and not asked here.
    same = [name for name in _folder_names(tree) if folded(name) == folded(shared_name)]
    shared = [Layer(name, PurePosixPath(name), is_shared=True) for name in same]
    return _named(shared, shared_name) or Layer(
        shared_name, PurePosixPath(shared_name), is_shared=True, exists=False
    )


def resolve(tree: Tree, project: Project, *, shared_name: str | None) -> Layer:
    """Give the project's layer, whether or not its folder exists; reads only."""
    candidates = [
        each
        for each in layers(tree, shared_name=shared_name)
        if not each.is_shared and folded(each.name) not in RESERVED
    ]
    return choose(candidates, project, shared_name=shared_name)


def choose(
    candidates: Sequence[Layer], project: Project, *, shared_name: str | None
) -> Layer:
    """Choose by claim, else by the project's name, else by its owner's; pure.

    A folder that nobody claims is taken over as it is. One that is claimed by other
    remotes only is never shared with a project of the same name.
    """
    reserved = (shared_name,) if shared_name else ()
    names = [layer_name(project.name, reserved=reserved)]
    if project.remote is None:
        return _named(candidates, names[0]) or _new(names[0])
    names += [
        layer_name(name, reserved=reserved) for name in _longer_names(project.remote)
    ]
    claimed = [each for each in candidates if project.remote in each.remotes]
    if claimed:
        return _preferred(claimed, names)
    for name in names:
        found = _named(candidates, name)
        if found is None:
            return _new(name)
        if not found.remotes:
            return found
    return _new(names[-1])


def rivals(found: Iterable[Layer]) -> dict[str, tuple[Layer, ...]]:
    """Give the remotes that more than one layer claims, with those layers."""
    by_remote: dict[str, list[Layer]] = {}
    for layer in found:
        for remote in layer.remotes:
            by_remote.setdefault(remote, []).append(layer)
    return {
        remote: tuple(sorted(claiming, key=_order))
        for remote, claiming in sorted(by_remote.items())
        if len(claiming) > 1
    }


def claimed_remotes(data: bytes) -> tuple[str, ...]:
    """Read the remotes that a PROJECT.md claims, each normalised and only once."""
    if not data:
        return ()
    from gitmem.memory.frontmatter.read import read  # rare, and heavy: 5 ms

    value = read(data).fields.get("remotes", ())
    written = [value] if isinstance(value, str) else value
    texts = (text for text in written if isinstance(text, str))
    named = (normalise_claim(text) for text in texts)
    return tuple(dict.fromkeys(remote for remote in named if remote))


def with_claim(data: bytes | None, name: str, remote: str, day: str) -> bytes:
    """Give the text of a PROJECT.md that claims a remote; None: a new one."""
    from gitmem.memory.frontmatter.edit import edit, render  # heavy: 5 ms

    if data is None:
        fields = {
            "description": f"Which project the layer {name} belongs to",
            "tags": ["project"],
            "remotes": [remote],
            "created": day,
            "updated": day,
        }
        return render(fields, f"# {name}\n")
    known = claimed_remotes(data)
    return edit(data, {"remotes": [*known, remote], "updated": day})


def _folder_names(tree: Tree) -> list[str]:
    try:
        with os.scandir(tree.root) as entries:
            return [
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False)
                and is_layer_name(entry.name)
                and not refusal(entry.name)
            ]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError as error:
        raise PathRefused(
            f"The memory repository at {tree.root} cannot be read: {error.strerror}.",
            "Check the owner and the permissions of the folder.",
        ) from error


def _layer(tree: Tree, name: str, shared_name: str | None) -> Layer:
    path = PurePosixPath(name)
    if shared_name and folded(name) == folded(shared_name):
        return Layer(name, path, is_shared=True)
    return Layer(name, path, remotes=claimed_remotes(_claim(tree, path)))


def _claim(tree: Tree, path: PurePosixPath) -> bytes:
    # Most layers have none, and a hook waits for a look at each.
    if not os.path.lexists(f"{tree.root}/{path}/{PROJECT}"):
        return b""
    try:
        return tree.read(path / PROJECT, limit_bytes=CLAIM_LIMIT_BYTES)
    except (NotFound, PathRefused, OSError):
        return b""


def _longer_names(remote: str) -> tuple[str, str]:
    """Give the names for a project whose own is taken; the second cannot be."""
    owner = owner_name(remote)
    return owner, f"{owner}-{sha256(remote.encode()).hexdigest()[:8]}"


def _named(candidates: Iterable[Layer], name: str) -> Layer | None:
    same = [each for each in candidates if folded(each.name) == folded(name)]
    exact = [each for each in same if each.name == name]
    return min(exact or same, key=_order, default=None)


def _preferred(claimed: Sequence[Layer], names: Sequence[str]) -> Layer:
    """Choose among several claims the same way on every machine."""
    by_name = (_named(claimed, name) for name in names)
    return next((each for each in by_name if each), None) or min(claimed, key=_order)


def _new(name: str) -> Layer:
    return Layer(name, PurePosixPath(name), exists=False)


def _order(layer: Layer) -> tuple[str, str]:
    return folded(layer.name), layer.name
