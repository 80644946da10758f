"""A plain folder of Markdown: every file becomes a memory at the same path."""

from collections.abc import Iterator
from typing import Final

from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Found, Item, left

ABOUT: Final = "a folder of Markdown files"


def looks(store: Foreign) -> bool:
    """Say whether there is any Markdown at all."""
    return any(file.path.name.lower().endswith(".md") for file in store.files())


def read(store: Foreign) -> Iterator[Item]:
    """Take each file as it is; its date, where it says none, is that of its file."""
    for file, data in store.markdown():
        origin = str(file.path)
        if file.trouble:
            yield left(file, origin)
        else:
            yield Found(
                origin,
                file.path,
                document=data,
                raw=data,
                created=file.day,
                updated=file.day,
            )
