"""Say back what somebody gave, in a line that refuses it; pure."""

from typing import Final

from gitmem import secrets
from gitmem.files.names import shown

_SHOWN: Final = 60


def quoted(text: str) -> str:
    """Spell a text so that it moves no cursor and tells no credential."""
    if secrets.find(text):
        return secrets.MASK.decode()
    return shown(text[:_SHOWN]) if text.strip() else f'"{shown(text[:_SHOWN])}"'
