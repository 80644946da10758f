"""The page holds everything, needs nothing, and runs nothing of what it shows."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from tests.tui.conftest import NOW, anchor, model

from gitmem.service.reviewing import Reviewed
from gitmem.tape.threads import Node, Thread
from gitmem.tui.model import Model
from gitmem.tui.page import page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\x1b[31m"
OURS = {"html", "head", "meta", "title", "style", "body", "header", "h1", "p", "nav"}
OURS |= {"a", "main", "section", "h2", "h3", "label", "input", "output", "ol", "li"}
OURS |= {"ul", "time", "div", "span", "strong", "small", "i", "b", "em", "script"}
OURS |= {"figure", "figcaption", "svg", "rect", "circle", "line", "text"}


class Read(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.names = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}


def hostile():
    node = Node("n", HOSTILE, NOW, summary=HOSTILE, state="done")
    thread = Thread(HOSTILE, HOSTILE, NOW, NOW, (node,), ("n",))
    made = anchor(
        1,
        HOSTILE,
        summary=HOSTILE,
        purpose=HOSTILE,
        trigger=HOSTILE,
        keywords=(HOSTILE,),
    )
    return Model(Reviewed(HOSTILE, (made,), (thread,)))


def test_nothing_that_is_stored_becomes_part_of_the_page():
    made = hostile()

    read = Read(page(made.project, made.view(), "written now"))

    assert set(read.tags) <= OURS
    assert read.tags.count("script") == 1
    assert [name for name in read.names if name.startswith("on")] == []


def test_no_control_character_is_written():
    made = hostile()

    text = page(made.project, made.view(), "written now")

    assert [c for c in text if not c.isprintable() and c != "\n"] == []


@pytest.mark.parametrize("tag", ["script", "style"])
def test_the_policy_allows_what_is_the_pages_own_and_no_more(tag):
    text = page("beacon", model(anchor()).view(), "written now")

    [own] = re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert "default-src 'none'" in policy
    assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_page_names_nothing_that_lies_elsewhere():
    text = page("beacon", model(anchor(keywords=("a", "b"))).view(), "written now")

    assert re.findall(r"https?:|src=|url\(|@import", text) == []


def test_every_anchor_is_on_the_page_whatever_the_limit():
    made = model(*(anchor(number) for number in range(7)), limit=2)

    assert page("beacon", made.view(), "now").count('<li class="handoff">') == 7


def test_an_empty_tape_makes_a_page():
    text = page("beacon", model().view(), "written now")

    assert "There is no anchor yet." in text
    assert "<svg" not in text
