"""The review as one HTML page that needs nothing else, and lets nothing in; pure.

Every stored text is escaped. Were one not, the policy in the head still runs no script
but the page's own, and loads nothing from anywhere.
"""

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from typing import Final

from gitmem.service.notices import counted
from gitmem.tape.threads import Thread
from gitmem.tui import days, tree
from gitmem.tui.drawing import bars, graph
from gitmem.tui.model import View
from gitmem.tui.rows import GLYPHS, Row
from gitmem.tui.style import SCRIPT, STYLE
from gitmem.tui.text import clean

_DAYS: Final = 90


def page(project: str, view: View, written: str) -> str:
    """Write the whole page; `written` says when, in words."""
    return "\n".join((*_head(project), *_body(project, view, written), ""))


def _head(project: str) -> Iterator[str]:
    policy = (
        f"default-src 'none'; script-src {_hash(SCRIPT)}; style-src {_hash(STYLE)}; "
        "base-uri 'none'; form-action 'none'"
    )
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>Review of {escape(project)}</title>"
    yield f"<style>{STYLE}</style>"
    yield "</head>"


def _body(project: str, view: View, written: str) -> Iterator[str]:
    filtered = f" · filtered by {escape(clean(view.query))}" if view.query else ""
    yield "<body>"
    yield f"<header><h1>Review of {escape(project)}</h1>"
    yield f"<p>{escape(view.summary)}{filtered} · {escape(written)}</p></header>"
    yield '<nav><a href="#timeline">Timeline</a> <a href="#threads">Threads</a> '
    yield '<a href="#keywords">Keywords</a></nav>'
    yield from bars(days.run(view.counts, _DAYS))
    yield '<main><section id="timeline"><h2>Timeline</h2>'
    yield '<p class="filter"><label>Filter <input id="filter" type="search" '
    yield 'autocomplete="off"></label> <output id="found"></output></p>'
    yield "<ol>" if view.rows else "<p>There is no anchor yet.</p>"
    yield from map(_anchor, view.rows)
    yield "</ol>" if view.rows else ""
    yield '</section><section id="threads"><h2>Threads</h2>'
    yield from (each for thread in view.threads for each in _thread(thread))
    yield "" if view.threads else "<p>There is no thread yet.</p>"
    yield '</section><section id="keywords"><h2>Keywords</h2>'
    yield from graph(view.keywords)
    yield "" if view.keywords else "<p>No anchor has a keyword yet.</p>"
    yield "</section></main>"
    yield f"<script>{SCRIPT}</script>"
    yield "</body></html>"


def _anchor(row: Row) -> str:
    kind = row.type if row.type in GLYPHS else "other"
    labels = filter(None, (row.purpose, row.trigger))
    said = "".join(f" <i>{escape(each)}</i>" for each in labels)
    words = "".join(f" <b>#{escape(each)}</b>" for each in row.keywords)
    summary = f"<p>{escape(row.summary)}</p>" if row.summary else ""
    ids = (
        ("id", row.id),
        ("session", row.anchor.session),
        ("entry", row.anchor.entry),
    )
    known = " · ".join(f"{name} {escape(clean(text))}" for name, text in ids if text)
    return (
        f'<li class="{kind}"><time datetime="{row.at.isoformat()}">{row.moment}</time>'
        f'<div><span class="glyph" title="{escape(row.type)}">'
        f"{GLYPHS.get(row.type, '·')}</span> <strong>{escape(row.name)}</strong>"
        f"{said}{words}{summary}<small>{known}</small></div></li>"
    )


def _thread(thread: Thread) -> Iterator[str]:
    archived = " · archived" if thread.is_archived else ""
    count = counted(len(thread.nodes), "node")
    yield f"<h3>{escape(clean(thread.title))}</h3>"
    yield f"<p><small>{count}{archived} · id {escape(clean(thread.id))}</small></p>"
    if asked := tree.split(thread):
        yield f"<p>{asked}: check out one.</p>"
    yield '<ul class="tree">'
    for place in tree.places(thread):
        node = place.node
        marks = escape(tree.marks(thread, node))
        told = escape(clean(node.summary or node.purpose))
        drawn = f'<span class="rule" aria-hidden="true">{place.first}</span>'
        level = f'<span class="aside">level {place.depth + 1}: </span>'
        glyph = f'<span class="glyph">{tree.STATES.get(node.state, "●")}</span>'
        yield (
            f"<li>{drawn}{level}{glyph} <strong>{escape(clean(node.name))}</strong> "
            f"<em>{marks}</em> {told}</li>"
        )
    yield "</ul>"


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
