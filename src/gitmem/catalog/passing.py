"""A catalog for one command, where nothing can be kept between two."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from gitmem.catalog.catalog import Catalog
from gitmem.errors import PathRefused


class Passing(Catalog):
    """Lies in a private temporary folder, and is gone when its `with` ends."""

    is_kept = False

    def __init__(self) -> None:
        """Make nothing yet."""
        super().__init__(Path(os.devnull))
        self._place: TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        """Make the folder. Raises PathRefused where there is no place for one."""
        try:
            self._place = TemporaryDirectory(
                prefix="gitmem-catalog-", ignore_cleanup_errors=True
            )
        except OSError as error:
            raise PathRefused(
                "Neither the cache folder nor a temporary folder can be written.",
                "Let GITMEM_HOME or TMPDIR name a folder of your own.",
            ) from error
        self.folder = Path(self._place.name)
        return self

    def __exit__(self, *_: object) -> None:
        """Remove all of it."""
        self.close()
        if self._place is not None:
            self._place.cleanup()
        self.folder, self._place = Path(os.devnull), None
