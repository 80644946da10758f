"""Let links of a store lead to the same files here, whatever those are called; pure."""

import os
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from gitmem.files.names import shown
from gitmem.memory import links
from gitmem.memory.frontmatter.split import join, split
from gitmem.memory.layout import SUFFIX
from gitmem.memory.links import Link
from gitmem.project.names import folded

_MARKS: Final = (b"](", b"[[", b"]:")
_TOLD: Final = 3
_TOP: Final = PurePosixPath("_")
# Says what of the person's own stands at a path.
Own = Callable[[PurePosixPath], PurePosixPath | None]


@dataclass(slots=True)
class Places:
    """Where the files of a store are here: nowhere, at one path, or at several."""

    paths: dict[str, tuple[PurePosixPath, ...]] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    has_links: bool = False

    def add(self, origin: str, path: PurePosixPath | None) -> None:
        """Take in what became of a file, or of an entry of it."""
        key = unicodedata.normalize("NFC", origin)
        if key not in self.paths:
            name = _name(key)
            self.names[name] = (*self.names.get(name, ()), key)
        have = self.paths.get(key, ())
        self.paths[key] = have if path is None or path in have else (*have, path)

    def see(self, data: bytes) -> None:
        """Take note of whether any text has what may be a link."""
        self.has_links = self.has_links or any(mark in data for mark in _MARKS)


@dataclass(slots=True)
class _Text:
    """A text on its way from its place in a store to its path here."""

    origin: PurePosixPath
    path: PurePosixPath
    places: Places
    own: Own
    led: dict[str, str] = field(default_factory=dict)
    doubts: dict[str, str] = field(default_factory=dict)

    def target(self, link: Link) -> str | None:
        """Say how a link is written here; None for as it is."""
        new = self._named(link) if link.is_wiki else self._placed(link)
        if new is not None:
            self.led[link.target] = new
        return new

    def _placed(self, link: Link) -> str | None:
        for base in _bases(self.origin):
            found = self.places.paths.get(_key(links.resolve(link, base)), ())
            if len(found) == 1:
                is_right = self._leads(link, found[0], is_beside=base == self.origin)
                return None if is_right else self._to(found[0])
            if found:
                self.doubts[link.target] = "is several memories here"
                return None
        leads = links.resolve(link, self.path)
        if leads and (own := self.own(leads)):
            self.doubts[link.target] = f"leads to your {shown(str(own))}"
        return None

    def _leads(self, link: Link, target: PurePosixPath, *, is_beside: bool) -> bool:
        """Say whether a link leads there as it is, before anything of the person's."""
        for base in [self.path] if is_beside else _bases(self.path):
            leads = links.resolve(link, base)
            if leads == target or (leads and self.own(leads)):
                return leads == target
        return False

    def _to(self, target: PurePosixPath) -> str:
        return os.path.relpath(target, self.path.parent)

    def _named(self, link: Link) -> str | None:
        origins = self.places.names.get(_name(link.target), ())
        found = {path for origin in origins for path in self.places.paths[origin]}
        if all(_name(str(path)) == _name(link.target) for path in found):
            return None
        if len(found) > 1:
            self.doubts[link.target] = "may lead to another memory here"
            return None
        count = len(PurePosixPath(link.target).parts)
        path = found.pop()
        name = "/".join(path.with_suffix("").parts[-count:])
        if not links.can_name(name):
            self.doubts[link.target] = f"cannot name {shown(str(path))}"
            return None
        return name + (SUFFIX if link.target.endswith(SUFFIX) else "")


def relinked(
    data: bytes, origin: str, path: PurePosixPath, places: Places, own: Own
) -> tuple[bytes, tuple[str, ...]]:
    """Change the links of a memory that would lead elsewhere, and say which.

    Those that cannot be decided on stay as they are, and are told.
    """
    if not any(mark in data for mark in _MARKS):
        return data, ()
    text = _Text(PurePosixPath(origin), path, places, own)
    parts = split(data)
    body = links.changed(parts.body.decode("utf-8", "surrogateescape"), text.target)
    changed = data
    if text.led:
        new = body.encode("utf-8", "surrogateescape")
        changed = join(replace(parts, body=new))
    return changed, tuple(_said(text))


def _said(text: _Text) -> Iterator[str]:
    if text.led:
        told = [f"{shown(a)} -> {shown(b)}" for a, b in text.led.items()]
        more = f" and {len(told) - _TOLD} more" if len(told) > _TOLD else ""
        yield f"links lead to the new names: {', '.join(told[:_TOLD])}{more}"
    for target, doubt in text.doubts.items():
        yield f"its link {shown(target)} {doubt}"


def _bases(path: PurePosixPath) -> tuple[PurePosixPath, ...]:
    """Say from where a link may be meant: its file, its layer, the root."""
    return path, PurePosixPath(path.parts[0]) / _TOP, _TOP


def _key(path: PurePosixPath | None) -> str:
    return unicodedata.normalize("NFC", str(path)) if path else ""


def _name(path: str) -> str:
    """Give the name by which a wiki link finds a file."""
    return folded(PurePosixPath(path).name).removesuffix(SUFFIX)
