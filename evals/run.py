"""Play scenarios against a memory of their own, and say what was told wrongly."""

import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from gitmem.app import Caller, connect
from gitmem.service.answers import Visit
from gitmem.service.service import Service

SCENARIOS: Final = Path(__file__).with_name("scenarios")
NOW: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOST: Final = "claude-code"
AT_MOST: Final = 2_000
ALL_SECTIONS: Final = ("profile", "daily", "index", "files", "tags")


@dataclass(frozen=True)
class Outcome:
    """What became of a scenario: recall, what must not be, and how much was said."""

    name: str
    needed: int
    told: int
    violations: tuple[str, ...]
    noise: tuple[str, ...]
    characters: tuple[int, ...]


@dataclass(frozen=True)
class Telling:
    """The text of a turn, taken apart again."""

    text: str
    cues: tuple[str, ...]
    whole: tuple[str, ...]
    counts: tuple[str, ...]


def main() -> int:
    """Print a table; fail where something was told wrongly."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = [
            play(path, Path(folder) / path.stem)
            for path in sorted(SCENARIOS.glob("*.toml"))
        ]
    for each in outcomes:
        most = max(each.characters, default=0)
        sys.stdout.write(
            f"{each.name}: {each.told} of {each.needed} needed,"
            f" {len(each.noise)} noise, at most {most} characters a turn\n"
        )
        for said in each.violations:
            sys.stdout.write(f"  VIOLATION {said}\n")
    told, needed = sum(o.told for o in outcomes), sum(o.needed for o in outcomes)
    sys.stdout.write(f"cue recall: {told} of {needed}\n")
    return int(any(each.violations for each in outcomes))


def play(path: Path, folder: Path) -> Outcome:
    """Play one scenario in an empty folder."""
    scenario = tomllib.loads(path.read_text("utf-8"))
    service = _service(folder)
    for place, text in scenario["memories"].items():
        file = service.rooms.root / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.lstrip("\n"), "utf-8")
    service.index()
    violations: list[str] = []
    noise: list[str] = []
    sizes = []
    needed = told = 0
    if start := scenario.get("start"):
        violations += [f"start: {each}" for each in _wrong_start(start, folder)]
    for number, turn in enumerate(scenario.get("turns", ()), 1):
        telling = _turn(service, folder, turn)
        violations += [f"turn {number}: {each}" for each in _wrong(turn, telling)]
        wanted = set(turn.get("needs", ()))
        found = {*telling.cues, *telling.whole}
        needed, told = needed + len(wanted), told + len(wanted & found)
        noise += sorted(found - wanted)
        sizes.append(len(telling.text))
    return Outcome(
        path.stem, needed, told, tuple(violations), tuple(noise), tuple(sizes)
    )


def _service(folder: Path) -> Service:
    (folder / "beacon").mkdir(parents=True)
    # What is to be told at a turn must not have been told at the start.
    service = _connected(folder, "[]")
    service.init()
    return service


def _connected(folder: Path, sections: str) -> Service:
    environment = {
        "HOME": str(folder),
        "GITMEM_HOME": str(folder / "gitmem"),
        "GITMEM_SYNC__MACHINE_ID": "oak",
        "GITMEM_DELIVERY__START": sections,
    }
    return connect(folder / "beacon", environment=environment, now=lambda: NOW)


def _wrong_start(start: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Name every violation of the text that a session starts with."""
    service = _connected(folder, json.dumps(ALL_SECTIONS))
    text = service.context(host=HOST).text
    if text != service.context(host=HOST).text:
        yield "not the same twice"
    for needed in start.get("needs", ()):
        if needed not in text:
            yield f"needed and never named: {needed}"
    for leaked in start.get("never", ()):
        if leaked in text:
            yield f"forbidden: {leaked}"


def _turn(service: Service, folder: Path, turn: Mapping[str, Any]) -> Telling:
    transcript = folder / "transcript.jsonl"
    transcript.write_text("".join(_entries(turn.get("earlier", ()))), "utf-8")
    visit = Visit(HOST, turn.get("session", "s1"))
    service = Service(replace(service.rooms, caller=Caller(HOST, visit.id)))
    text = service.session.turn(visit, turn["prompt"], str(transcript)).text
    for path in turn.get("reads", ()):
        service.read(path)
    root = f"{service.rooms.root}/"
    cues = re.findall(r"^  path: (.*)$", text, re.MULTILINE)
    whole = re.findall(r'^<memory_critical path="([^"]*)"', text, re.MULTILINE)
    counts = re.findall(r"^\d+ about .*$", text, re.MULTILINE)
    return Telling(
        # Where the memory lies is no part of what is said.
        text.replace(root, ""),
        tuple(each.removeprefix(root) for each in cues),
        tuple(each.removeprefix(root) for each in whole),
        tuple(counts),
    )


def _entries(earlier: Iterable[str]) -> Iterator[str]:
    for number, said in enumerate(earlier):
        role = "assistant" if number % 2 else "user"
        entry = {"type": role, "message": {"role": role, "content": said}}
        yield f"{json.dumps(entry)}\n"


def _wrong(turn: Mapping[str, Any], telling: Telling) -> Iterator[str]:
    """Name every violation of a turn."""
    found = {*telling.cues, *telling.whole}
    whole, needs = set(turn.get("whole", ())), set(turn.get("needs", ()))
    first = turn.get("first")
    checks = {
        "needed and never named": sorted(needs - found),
        "binds and was only cued": sorted(whole & set(telling.cues)),
        "forbidden": sorted(found & set(turn.get("never", ()))),
        "stale and told as current": sorted(found & set(turn.get("stale", ()))),
        "not first": [first] if first and telling.cues[:1] != (first,) else [],
        "not counted": sorted(set(turn.get("counts", ())) - set(telling.counts)),
        "not quiet": [telling.text] if turn.get("is_quiet") and telling.text else [],
    }
    yield from (f"{what}: {each}" for what, all_ in checks.items() for each in all_)
    if len(telling.text) > turn.get("at_most", AT_MOST):
        yield f"too long: {len(telling.text)} characters"


if __name__ == "__main__":
    sys.exit(main())
