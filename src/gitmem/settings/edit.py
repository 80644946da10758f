"""Change one setting in the person's file, and leave everything else as it stands.

The only importer of tomlkit.
"""

import tomllib
from pathlib import Path
from typing import Any

from gitmem.errors import SettingsError, UsageError
from gitmem.files import atomic
from gitmem.files.names import shown
from gitmem.settings import reading, spelling
from gitmem.settings.checks import Disallowed


def write_value(config: Path, key: str, value: object) -> None:
    """Set a key in the settings file `config`, or remove it with None.

    Comments, order and other keys stay. Creates the file and its folder when needed.
    Raises UsageError for an unknown key or a wrong value, and SettingsError when the
    file cannot be read or understood.
    """
    plain = str(value) if isinstance(value, Path) else value
    _check(key, plain)
    before = _read(config)
    after = _edited(before, key.split("."), plain)
    if after != before:
        # A link to a file among the person's dotfiles stays a link.
        target = config.resolve()
        atomic.private_folder(target.parent)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        atomic.write(target, after.encode(), mode=mode)


def _check(key: str, value: object) -> None:
    from gitmem.settings.cleaning import KEYS, checked  # pydantic: 100 ms

    if key not in KEYS:
        near = spelling.nearest(key)
        hint = f"Did you mean {near}?" if near else "See `gitmem settings`."
        raise UsageError(f"There is no setting {shown(key)}.", hint)
    if value is None:
        return
    try:
        checked(key, value, {})
    except Disallowed as error:
        raise UsageError(f"{key} must be {error}.") from error


def _read(config: Path) -> str:
    data, trouble = reading.read_config(str(config))
    if trouble:
        raise _unusable(config, trouble)
    try:
        text = (data or b"").decode("utf-8-sig")
        tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unusable(config, f"it is not valid TOML: {error}") from error
    return text


def _edited(before: str, path: list[str], value: object) -> str:
    import tomlkit  # heavy: 70 ms

    document = tomlkit.parse(before)
    table: Any = document
    *sections, name = path
    for section in sections:
        if section not in table and value is None:
            return before
        table = table.setdefault(section, tomlkit.table())
        if not isinstance(table, dict):
            message = f"{section} is not a section in your settings file."
            raise SettingsError(message, f"Write it as [{section}].")
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value
    return tomlkit.dumps(document)


def _unusable(config: Path, reason: str) -> SettingsError:
    message = f"{shown(str(config))} cannot be changed: {shown(reason)}."
    return SettingsError(message, "Mend the file by hand, then run the command again.")
