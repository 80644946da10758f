"""Say which layer is meant by somebody who stands in the memory repository itself."""

from pathlib import Path

from gitmem.errors import NotFound
from gitmem.files.names import shown
from gitmem.files.tree import Tree
from gitmem.memory.claims import layers
from gitmem.memory.layout import Layer
from gitmem.project.identity import Project
from gitmem.project.names import RESERVED, folded


def is_inside(tree: Tree, project: Project, cwd: Path) -> bool:
    """Tell the memory repository from a project that merely lies below its folder."""
    root = tree.root.resolve()
    is_own = project.root == root or not project.is_git
    return is_own and cwd.resolve().is_relative_to(root)


def stood_in(tree: Tree, cwd: Path, shared: Layer | None) -> Layer:
    """Give the layer whose folder holds `cwd`, else the shared one.

    The repository is no project: a layer is never made for it. Raises NotFound where
    there is neither.
    """
    found = layers(tree, shared_name=shared.name if shared else None)
    known = [
        each for each in found if each.is_shared or folded(each.name) not in RESERVED
    ]
    parts = cwd.resolve().relative_to(tree.root.resolve()).parts
    for layer in known:
        if layer.path.parts == parts[:1]:
            return layer
    if shared is not None:
        return shared
    names = ", ".join(shown(each.name) for each in known)
    raise NotFound(
        f"{shown(str(cwd))} is the memory repository itself, not a project.",
        f"Change to a project's folder, or to one of its layers: {names or 'none yet'}",
    )
