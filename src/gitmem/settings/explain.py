"""Say for every setting what it is, what it means, and where it came from."""

from dataclasses import dataclass
from pathlib import PurePath

from gitmem.settings import spelling, trust
from gitmem.settings.checks import allowed, duration_text
from gitmem.settings.inert import is_inert
from gitmem.settings.model import Key, keys
from gitmem.settings.record import flattened
from gitmem.settings.report import Loaded, Origin, Refusal, masked, safe


@dataclass(frozen=True)
class Explained:
    """One setting as it stands; values and texts are safe to print.

    `value` is fit for JSON, `text` for a person. `refused` is what the project asked
    for this key in vain; what it asked under no known key is only in `Loaded.refused`.
    What `is_inert` changes nothing, for what it sets is not there yet.
    """

    key: str
    value: object
    text: str
    origin: Origin
    doc: str
    allowed: str
    project: str
    refused: tuple[Refusal, ...]
    is_inert: bool


def explain(loaded: Loaded) -> tuple[Explained, ...]:
    """List every setting in the order of the reference."""
    values = flattened(loaded.settings)
    return tuple(
        Explained(
            key=key.dotted,
            value=_for_json(values[key.dotted]),
            text=_text(key, values[key.dotted]),
            origin=loaded.origins[key.dotted],
            doc=key.knob.doc,
            allowed=allowed(key),
            project=trust.wish(key.dotted),
            refused=tuple(
                refusal
                for refusal in loaded.refused
                if spelling.meant(refusal.key) == key.dotted
            ),
            is_inert=is_inert(key.dotted),
        )
        for key in keys()
    )


def _text(key: Key, value: object) -> str:
    if value is None:
        return key.knob.default_text or "unset"
    if key.knob.kind == "duration" and isinstance(value, float):
        return f'"{duration_text(value)}"'
    return safe(value)


def _for_json(value: object) -> object:
    if isinstance(value, str | PurePath):
        return masked(str(value))
    return [_for_json(item) for item in value] if isinstance(value, tuple) else value
