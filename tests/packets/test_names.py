"""How a packet's file is called."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gitmem.files.names import refusal
from gitmem.memory.layout import is_packet
from gitmem.packets.names import path, slug


def test_a_packet_is_named_after_its_moment_its_kind_and_its_topic(handoff):
    assert str(path(handoff)) == (
        "packets/2026/05/2026-05-05T05-47-04.250Z-handoff-auth-refactor.md"
    )


def test_where_a_name_is_taken_the_next_number_makes_another(handoff):
    assert path(handoff, 2).name.endswith("-auth-refactor-2.md")


def test_two_machines_never_name_one_file(handoff):
    oak, elm = path(handoff, machine="oak"), path(handoff, machine="elm")
    assert oak != elm
    assert oak == path(handoff, machine="oak")
    assert len(oak.name) == len(path(handoff).name) + 5


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("日本語", "日本語"),
        ("認証の リファクタ", "認証の-リファクタ"),
        ("हिन्दी में", "हिन्दी-में"),
        ("Über Straße", "über-strasse"),
        ("Cafe\u0301", "café"),
        ("a/b\\c: d?", "a-b-c-d"),
        ("../../etc", "etc"),
        ("🎉", "packet"),
        ("con", "con"),
    ],
)
def test_a_slug_keeps_every_script(topic, expected):
    assert slug(topic) == expected


@pytest.mark.parametrize("letter", ["w", "語", "𠮷", "é", "क\u093f"])
def test_a_long_topic_fits_into_a_file_name(handoff, letter):
    long = replace(handoff, told=replace(handoff.told, topic=letter * 160))
    name = path(long).name
    assert len(name.encode()) <= 200
    assert name.removesuffix(".md").endswith(letter)


@given(some.text(min_size=1, max_size=160))
def test_any_topic_makes_a_name_that_any_disk_can_hold(topic):
    name = f"2026-05-05T05-47-04.250Z-handoff-{slug(topic)}.md"
    assert refusal(name) == ""
    assert "/" not in name


def test_a_packet_is_known_by_its_place():
    assert is_packet(PurePosixPath("beacon/packets/2026/05/a.md"))
    assert not is_packet(PurePosixPath("beacon/notes/2026/05/a.md"))
    assert not is_packet(PurePosixPath("beacon/packets/a.md"))
