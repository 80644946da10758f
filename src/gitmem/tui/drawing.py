"""Pictures of the page, as SVG: bars by day, and keywords that are joined; pure."""

import math
from collections.abc import Iterator, Sequence
from datetime import date
from html import escape
from typing import Final

from gitmem.tui.relations import Keyword

_BAR_WIDTH: Final = 8
_BAR_HEIGHT: Final = 48
# More on one circle cannot be read.
_MOST_KEYWORDS: Final = 24
_WIDTH: Final = 720
_HEIGHT: Final = 480
_RADIUS: Final = 170
_LABEL_LIMIT: Final = 24


def bars(days: Sequence[tuple[date, int]]) -> Iterator[str]:
    """Draw how many anchors each day had."""
    if not days:
        return
    most = max(count for _, count in days)
    width = len(days) * _BAR_WIDTH
    told = f"Anchors by day, {days[0][0]} to {days[-1][0]}, {most} at most"
    yield f'<figure><svg class="days" role="img" viewBox="0 0 {width} {_BAR_HEIGHT}" '
    yield f'width="{width}" height="{_BAR_HEIGHT}" preserveAspectRatio="none" '
    yield f'aria-label="{told}">'
    for number, (day, count) in enumerate(days):
        height = math.ceil(count * _BAR_HEIGHT / most)
        x, y = number * _BAR_WIDTH, _BAR_HEIGHT - height
        yield f'<rect x="{x}" y="{y}" width="{_BAR_WIDTH - 2}" height="{height}">'
        yield f"<title>{day}: {count}</title></rect>"
    yield f"</svg><figcaption>{told}.</figcaption></figure>"


def graph(keywords: Sequence[Keyword]) -> Iterator[str]:
    """Draw keywords on a circle, and lines between those of one anchor."""
    shown = keywords[:_MOST_KEYWORDS]
    if not shown:
        return
    places = {each.word: _place(n, len(shown)) for n, each in enumerate(shown)}
    yield f'<figure><svg class="graph" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
    yield 'aria-label="Keywords, and which of them stand in one anchor">'
    yield from _joins(shown, places)
    most = shown[0].count
    for each in shown:
        x, y = places[each.word]
        radius = 4 + 10 * math.sqrt(each.count / most)
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}">'
        yield f"<title>{escape(_told(each))}</title></circle>"
        yield _label(each, x, y, radius)
    yield "</svg></figure><ul>"
    yield from (f"<li>{escape(_told(each))}</li>" for each in keywords)
    yield "</ul>"


def _joins(
    shown: Sequence[Keyword], places: dict[str, tuple[float, float]]
) -> Iterator[str]:
    pairs = {
        frozenset((each.word, word)): count
        for each in shown
        for word, count in each.related
        if word in places and word != each.word
    }
    most = max(pairs.values(), default=1)
    for pair, count in pairs.items():
        (x1, y1), (x2, y2) = (places[word] for word in sorted(pair))
        width = 1 + 4 * count / most
        yield f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" '
        yield f'stroke-width="{width:.1f}"/>'


def _label(each: Keyword, x: float, y: float, radius: float) -> str:
    is_right = x >= _WIDTH / 2
    anchor, beside = ("start", radius + 5) if is_right else ("end", -radius - 5)
    word = each.word
    short = word if len(word) <= _LABEL_LIMIT else f"{word[:_LABEL_LIMIT]}…"
    text = f"{escape(short)} {each.count}"
    return (
        f'<text x="{x + beside:.0f}" y="{y + 4:.0f}" text-anchor="{anchor}">'
        f"{text}</text>"
    )


def _told(each: Keyword) -> str:
    related = ", ".join(f"{word} {count}" for word, count in each.related)
    return f"{each.word} {each.count}" + (f", with {related}" if related else "")


def _place(number: int, count: int) -> tuple[float, float]:
    angle = 2 * math.pi * number / count - math.pi / 2
    x = _WIDTH / 2 + _RADIUS * 1.3 * math.cos(angle)
    return x, _HEIGHT / 2 + _RADIUS * 1.15 * math.sin(angle)
