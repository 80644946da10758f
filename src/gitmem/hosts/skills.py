"""The skills that every host is offered, as they ship with gitmem."""

from pathlib import Path, PurePosixPath

from gitmem.errors import NotFound
from gitmem.hosts.edit import Whole


def folder(package: Path) -> Path:
    """Name the folder of the skills: in the wheel, or beside the sources.

    Raises NotFound where there is none.
    """
    for place in (package / "_skills", package.parents[1] / "skills"):
        if place.is_dir():
            return place
    raise NotFound("gitmem's skills are not there.", "Install gitmem anew.")


def files(package: Path) -> dict[PurePosixPath, bytes]:
    """Read every file of every skill, by its place below their folder."""
    root = folder(package)
    return {
        PurePosixPath(path.relative_to(root).as_posix()): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def wholes(place: Path, package: Path) -> tuple[Whole, ...]:
    """Copy the skills into a folder of the host's.

    A skill of the person's that has the same name stays, and one that they edited is
    theirs from then on.
    """
    return tuple(
        Whole(place / name, data.decode(), yields=True)
        for name, data in files(package).items()
    )
