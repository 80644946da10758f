"""Which lines of all files stand: each once, and none in the place of another; pure."""

from collections.abc import Iterable, Iterator

from gitmem.tape.record import Draft, Record, made, written


def once(found: Iterable[tuple[str, Record]]) -> tuple[Record, ...]:
    """Put the lines of machines' files in the one order that all machines see.

    Of lines with one id, the one stands whose id follows from the machine in whose
    file it is; where that is none, all that differ do.
    """
    groups: dict[str, list[tuple[str, Record]]] = {}
    for machine, record in found:
        groups.setdefault(record.id, []).append((machine, record))
    standing = (each for group in groups.values() for each in _standing(group))
    return tuple(sorted(standing, key=lambda each: (each.at, each.id)))


def _standing(group: list[tuple[str, Record]]) -> Iterator[Record]:
    if len(group) == 1:
        yield group[0][1]
        return
    genuine = [each for each in group if _is_of(*each)]
    differing = {written(record): record for _, record in genuine or group}
    yield from (record for _, record in sorted(differing.items(), key=lambda it: it[0]))


def _is_of(machine: str, record: Record) -> bool:
    """Say whether a machine made a line: nobody else's file has it by chance."""
    draft = Draft(record.name, record.type, entry=record.entry)
    return made(draft, record.at, machine).id == record.id
