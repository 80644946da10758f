"""Render the reference page of the settings from the model."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import PurePath
from typing import Final

from gitmem.settings.checks import allowed, duration_text
from gitmem.settings.inert import is_inert
from gitmem.settings.model import Key, keys
from gitmem.settings.trust import wish

_INTRODUCTION: Final = """\
# Settings

Every setting has a default, and gitmem works without any settings file.
`gitmem settings` prints what holds now.
`gitmem settings --explain` adds where each value came from, and what a project was refused.

## Where settings are written

From the weakest to the strongest:

1. The defaults below.
2. Your file `config.toml` in gitmem's configuration folder: `~/.config/gitmem` on Linux, `~/Library/Application Support/gitmem` on macOS.
3. A project's file `.gitmem.toml` at the project's root, for the few keys that a project may set.
4. Variables of your environment: `GITMEM_`, the section, two underscores, the key, for example `GITMEM_SYNC__TIMEOUT=20s`.
5. The command line.

`GITMEM_HOME` moves all of gitmem's own folders under one folder.
The `XDG_*_HOME` variables move them one by one.
gitmem reads no `.env` file and runs nothing that a project names.

```toml
# config.toml
[memory_dir]
repo_url = "git@example.com:me/memory.git"
global_memory = "global"

[sync]
fetch_ttl = "6h"
```

## How values are written

A duration is a number of seconds, or a text such as `"30s"`, `"15 min"` or `"12h"`.
A list in a variable is JSON or words between commas, for example `GITMEM_DELIVERY__START=profile,index`.
A path may begin with `~/`.
A wrong value is reported with its file, its key and what is allowed; the other keys still work.
An unknown key is reported with the key that you may have meant.
Every command says on stderr that there are such mistakes; `gitmem settings --explain` lists them.
A file that cannot be read at all, or is no TOML, stops every command but `settings`, `doctor` and the help: without it your memory would go another way than you said.

## What a project may set

A project is a folder that somebody else may have written.
Its `.gitmem.toml` can make gitmem do less, and choose among what your settings allow.
The last column of each table says how.
What a project asks for beyond that is ignored and reported.
The file is refused as a whole when it is a link, belongs to another user, is larger than 64 KiB, or is not a regular file.

```toml
# .gitmem.toml
[delivery.budget]
start = 4000

[tape.context]
blacklist = ["dist"]
```
"""  # noqa: E501  Markdown has one sentence a line
_OLD_SPELLINGS: Final = """\
## Old spellings

These are understood and reported.
The current spelling wins where both are written.

| old | current |
| --- | --- |
| `injection`, or `delivery` as a text | `delivery.mode` |
| `autoSync.onSessionStart` | `hooks.session_start` |
| `repoUrl`, `localPath`, `globalMemory` outside a section | the same in `memory_dir` |
| `tape.context.alwaysInclude` | `tape.context.whitelist` |
| any key in camelCase | the same with underscores |
"""
_INERT: Final = "**Not there yet.**"
_CHECKED: Final = (
    "These settings are read and checked, and change nothing: no part of gitmem looks"
    " at them. Whoever sets one is told so by `gitmem settings` and `gitmem doctor`."
)
_HEAD: Final = """\
| key | default | allowed | meaning | a project may set it |
| --- | --- | --- | --- | --- |
"""


def render() -> str:
    """Render the whole page."""
    by_section = groupby(keys(), key=lambda key: key.dotted.partition(".")[0])
    sections = [_section(name, list(rows)) for name, rows in by_section]
    return "\n".join([_INTRODUCTION, *sections, _OLD_SPELLINGS])


def _section(name: str, rows: Sequence[Key]) -> str:
    is_whole = all(is_inert(key.dotted) for key in rows)
    note = f"{_INERT} {_CHECKED}\n\n" if is_whole else ""
    return f"## `{name}`\n\n{note}{_HEAD}" + "".join(_row(key) for key in rows)


def _row(key: Key) -> str:
    cells = (
        f"`{key.dotted}`",
        key.knob.default_text or _default(key),
        allowed(key),
        f"{_INERT} {key.knob.doc}" if is_inert(key.dotted) else key.knob.doc,
        wish(key.dotted),
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _default(key: Key) -> str:
    value = key.default
    if value is None:
        return "unset"
    if isinstance(value, tuple):
        return f"`[{', '.join(_plain(item) for item in value)}]`"
    if key.knob.kind == "duration" and isinstance(value, float):
        return f'`"{duration_text(value)}"`'
    return f"`{_plain(value)}`"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str | PurePath) else f"{value}"
