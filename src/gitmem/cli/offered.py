"""What a shell is offered for an argument that names something in the memory.

Whoever presses the tab key is told of no trouble: then nothing is offered.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gitmem.errors import GitmemError

if TYPE_CHECKING:
    from gitmem.service.service import Service

MOST: Final = 500
# A shell puts a name into the line as it is, and may then run what is in it.
_HARMLESS: Final = frozenset("-_./+@,")


def layers(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Offer the layers that there are, and the words for those of the project."""
    return _offered(_layers, context, begun)


def tags(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Offer the tags of the layer that was typed before, or of those in use."""
    return _offered(_tags, context, begun)


def old_and_new_tags(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[str]:
    """Offer tags where one is renamed, and nothing to the other verbs of tags."""
    is_renamed = context.params.get("action") == "rename"
    return tags(context, parameter, begun) if is_renamed else []


def packet_tags(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Offer the tags of packets, each behind a comma if there is one already."""
    before, comma, last = begun.rpartition(",")
    return [before + comma + name for name in _offered(_packet_tags, context, last)]


def memories(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Offer the memories that the project may use; its own also without the layer."""
    return _offered(_memories, context, begun)


def packets(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Offer the packets of the project, the newest first."""
    return _offered(_packets, context, begun)


def _offered(
    find: "Callable[[Service, click.Context], Iterator[str]]",
    context: click.Context,
    begun: str,
) -> list[str]:
    from gitmem.app import connect  # not for parsing
    from gitmem.secrets import conceal

    try:
        names = find(connect(Path(context.params.get("cwd") or ".")), context)
        fit = (name for name in names if name.startswith(begun) and _is_harmless(name))
        return [each for each in islice(fit, MOST) if conceal(each) == each]
    except (GitmemError, OSError):
        return []


def _is_harmless(name: str) -> bool:
    is_plain = all(sign.isalnum() or sign in _HARMLESS for sign in name)
    return is_plain and not name.startswith("-")


def _layers(service: "Service", _: click.Context) -> Iterator[str]:
    from gitmem.memory.claims import layers as known  # not for parsing

    shared = service.rooms.access().shared
    yield from ("project", "global") if shared else ("project",)
    name = shared.name if shared else None
    there = known(service.rooms.tree(), shared_name=name)
    yield from (each.name for each in there if each.name != "global")


def _tags(service: "Service", context: click.Context) -> Iterator[str]:
    tables = service.tags.show(context.params.get("layer")).layers
    lines = (line.tag for table in tables for line in table.tags)
    yield from dict.fromkeys(lines)


def _packet_tags(service: "Service", _: click.Context) -> Iterator[str]:
    from gitmem.service.packet_answers import Wanted  # not for parsing

    found = service.packets.list(Wanted(limit=MOST))
    yield from dict.fromkeys(tag for each in found for tag in each.packet.told.tags)


def _memories(service: "Service", _context: click.Context) -> Iterator[str]:
    from gitmem.memory.layout import is_memory  # not for parsing

    access = service.rooms.access()
    used = [each.name for each in (access.project, access.shared) if each]
    for path in sorted(service.rooms.tree().walk()):
        layer, _, inside = str(path).partition("/")
        if layer in used and is_memory(path):
            yield str(path)
            yield from [inside] if layer == access.project.name else []


def _packets(service: "Service", _: click.Context) -> Iterator[str]:
    from gitmem.service.packet_answers import Wanted  # not for parsing

    for each in service.packets.list(Wanted(limit=MOST)):
        yield str(each.path)
