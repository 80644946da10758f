"""Answer `gitmem path` from the last settings, before anything else is imported."""

import os

from gitmem.settings import snapshot


def answer(arguments: list[str]) -> str | None:
    """Give the answer, or None for what needs the whole program."""
    if arguments != ["path"]:
        return None
    # The table of variables without the 30 modules that `process` brings along.
    return snapshot.local_path(os.environ)  # noqa: TID251  the light path
