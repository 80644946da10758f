"""Every word of a store's texts stands in a memory afterwards, or its file is named."""

import re
from pathlib import Path

import pytest
from tests.importers.conftest import memories
from tests.importers.test_round_trip import PLACES

from gitmem.service.service import Service

WORD = re.compile(r"\w{3,}")
# What is said otherwise: names of fields, labels of a template, dates in other forms.
OTHERWISE = {
    "morten-olsen": "recordedAt reviewAfter confirmedAt endedAt June",
    "pi-memory-auto": "mid tags src",
    "pi-warm-memory": (
        "Packet Thread Parent Timestamp Repo Repository CWD Topic Goal Decisions Made "
        "Files Touched Commands Run Blockers Open Questions Next Recommended Step Tags "
        "Compact Summary Current Task What Changed Since Last Checkpoint Risk Pending "
        "Immediate Brief Handoff none None"
    ),
}


def words(text: str) -> set[str]:
    return set(WORD.findall(text))


@pytest.mark.parametrize(
    ("kind", "place"), [*PLACES.items(), ("pi-memory-auto", "pi-memory-auto/global")]
)
def test_every_word_is_kept(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    done = service.imports.carry_out(stores / place)
    named = {each.origin for each in done.steps if not each.path}
    texts = {
        str(path.relative_to(stores / place)): path.read_text("utf-8", "replace")
        for path in (stores / place).rglob("*.md")
    }
    written = {
        word
        for name, text in texts.items()
        if not any(name.endswith(each) for each in named)
        for word in words(text)
    }
    reasons = " ".join(each.reason for each in done.steps)
    kept = words(" ".join([*memories(service).values(), reasons]))

    assert written - kept - words(OTHERWISE.get(kind, "")) == set()
