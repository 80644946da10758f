"""Find the skills that come with gitmem, and read them for prompts."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import gitmem
from gitmem.memory.frontmatter.read import read

_FILE: Final = "SKILL.md"


@dataclass(frozen=True, slots=True)
class Skill:
    """What an agent is taught: when, and how."""

    name: str
    description: str
    text: str
    folder: Path


def skills() -> tuple[Skill, ...]:
    """Read all of them, in the order of their names."""
    return tuple(_read(path) for path in sorted(_files()))


def _files() -> Iterator[Path]:
    """List the files of the wheel, or of a checkout."""
    package = Path(gitmem.__file__).parent
    for folder in (package / "_skills", package.parents[1] / "skills"):
        if folder.is_dir():
            return folder.glob(f"*/{_FILE}")
    return iter(())


def _read(path: Path) -> Skill:
    found = read(path.read_bytes())
    description = str(found.fields.get("description", ""))
    return Skill(path.parent.name, description, found.body_text.strip(), path.parent)
