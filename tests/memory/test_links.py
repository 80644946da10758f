from pathlib import PurePosixPath as P

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.links import Link, changed, find, resolve


def targets(text):
    return [(link.line, link.target, link.is_wiki) for link in find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("see [a](b.md)", [(1, "b.md", False)], id="inline"),
        pytest.param("![a](b.png)", [(1, "b.png", False)], id="image"),
        pytest.param("[a](<b c.md>)", [(1, "b c.md", False)], id="angled"),
        pytest.param('[a](b.md "title")', [(1, "b.md", False)], id="title"),
        pytest.param("[a](b%20c.md#d)", [(1, "b c.md", False)], id="encoded"),
        pytest.param("[a](b_(c).md)", [(1, "b_(c).md", False)], id="parentheses"),
        pytest.param("\n[a]: ../b.md", [(2, "../b.md", False)], id="definition"),
        pytest.param("[[b]] and [[c|C]]", [(1, "b", True), (1, "c", True)], id="wiki"),
        pytest.param("[[b#part]]", [(1, "b", True)], id="wiki-heading"),
        pytest.param("![[b]]", [(1, "b", True)], id="wiki-embed"),
        pytest.param("[a](https://b/c.md)", [], id="url"),
        pytest.param("[a](mailto:b@c)", [], id="mail"),
        pytest.param("[a](#part)", [], id="fragment"),
        pytest.param("[a](/etc/passwd)", [], id="absolute"),
        pytest.param("[a]()", [], id="empty"),
        pytest.param("`[a](b.md)`", [], id="code"),
        pytest.param("``a ` [[b]]`` [[c]]", [(1, "c", True)], id="two-backticks"),
        pytest.param("a ` [[b]]", [(1, "b", True)], id="lone-backtick"),
        pytest.param("[[ -f x ]]", [], id="shell"),
        pytest.param("```\n[a](b.md)\n```\n[[c]]", [(4, "c", True)], id="fence"),
        pytest.param(
            "~~~~\n~~~\n[[b]]\n~~~~\n[[c]]", [(5, "c", True)], id="long-fence"
        ),
        pytest.param("```sh\n[[b]]", [], id="open-fence"),
        pytest.param("``` a`b\n[[c]]", [(2, "c", True)], id="no-fence"),
        pytest.param("a\n\n    [[b]]\n\n[[c]]", [(5, "c", True)], id="indented"),
        pytest.param("a\n\n\t[[b]]\n[[c]]", [(4, "c", True)], id="tab"),
        pytest.param("a\n    [[b]]", [(2, "b", True)], id="paragraph-goes-on"),
        pytest.param("- a\n\n  b\n\n    [[c]]", [(5, "c", True)], id="in-item"),
        pytest.param("- a\n\n      [[b]]", [], id="indented-in-item"),
        pytest.param("1. a\n    - [[b]]", [(2, "b", True)], id="nested-item"),
        pytest.param("> ```\n> [[b]]\n> ```\n> [[c]]", [(4, "c", True)], id="quote"),
        pytest.param("> ```\n> [[b]]\n[[c]]", [(3, "c", True)], id="quote-ends"),
        pytest.param(
            "1.    ```\n      [[b]]\n      ```\n[[c]]", [(4, "c", True)], id="item"
        ),
        pytest.param(
            "1. a\n\n   ```\n   [[b]]\n\n   ```\n   [[c]]",
            [(7, "c", True)],
            id="under-item",
        ),
        pytest.param("`a\n[[b]]` [[c]]", [(2, "c", True)], id="code-of-lines"),
        pytest.param("a `b\n\n[[c]] `", [(3, "c", True)], id="two-paragraphs"),
        pytest.param("<pre>\n[[a]]\n\n[[b]]</pre>\n[[c]]", [(5, "c", True)], id="pre"),
        pytest.param("<!-- [[a]]\n\n[[b]] --> [[c]]", [(3, "c", True)], id="comment"),
        pytest.param("a <!-- [[b]] --> [[c]]", [(1, "c", True)], id="in-line"),
        pytest.param("[^1]: note.md", [], id="footnote"),
        pytest.param("[^1]: see [a](b.md)", [(1, "b.md", False)], id="in-footnote"),
    ],
)
def test_links_are_found_where_markdown_has_them(text, expected):
    assert expected == targets(text)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        pytest.param("b.md", P("alpha/core/b.md"), id="beside"),
        pytest.param("../notes/b.md", P("alpha/notes/b.md"), id="above"),
        pytest.param("./b.md", P("alpha/core/b.md"), id="here"),
        pytest.param("../../../b.md", None, id="outside"),
    ],
)
def test_a_link_never_leads_out_of_the_repository(target, expected):
    assert expected == resolve(Link(1, target, is_wiki=False), P("alpha/core/a.md"))


@given(st.text(alphabet="[]()`~|# \n<>ab:.", max_size=200))
def test_any_text_can_be_searched_for_links(text):
    last = text.count("\n") + 1
    assert all(1 <= link.line <= last for link in find(text))


@pytest.mark.parametrize("piece", ["[", "](", "`", "[[", "``` ", "[a](<", "` `` "])
def test_a_long_hostile_line_is_searched_quickly(piece):
    assert [] == list(find(piece * 50_000))


NEW = {"b.md": "c d(1).md", "b": "c", "b c.md": "x.md"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "[a](b.md) `[a](b.md)`", "[a](c%20d%281%29.md) `[a](b.md)`", id="in"
        ),
        pytest.param(
            "``x`` [[b]], [[b#p|b]] [[z]]", "``x`` [[c]], [[c#p|b]] [[z]]", id="wiki"
        ),
        pytest.param(
            "[a](<b c.md#d> 'T') [a](b%20c.md?q)",
            "[a](<x.md#d> 'T') [a](x.md?q)",
            id="behind",
        ),
        pytest.param("x\r\n[a]: b.md\r\n", "x\r\n[a]: c%20d%281%29.md\r\n", id="def"),
        pytest.param("```\n[a](b.md)\n```\n", "```\n[a](b.md)\n```\n", id="code"),
        pytest.param("[[b ]] [[b |x]]", "[[c ]] [[c |x]]", id="blank"),
        pytest.param(
            "> `x\n> [a](b c.md)` [[b]]", "> `x\n> [a](b c.md)` [[c]]", id="quoted"
        ),
    ],
)
def test_links_get_another_target_and_nothing_else_changes(text, expected):
    assert expected == changed(text, lambda link: NEW.get(link.target))


@given(st.text(alphabet="[]()<>`~|:#! \n\r\\ab.md\u3042"))
def test_a_text_whose_links_stay_keeps_every_sign(text):
    assert text == changed(text, lambda _: None)


CODE = "```\n[[b]]\n\n[a](b.md)\n```"
HOLDERS = {"> ": "> ", "- ": "  ", "10. ": "    ", "": ""}


@given(st.lists(st.sampled_from(sorted(HOLDERS)), max_size=5))
def test_code_is_code_however_deep_in_quotes_and_items_it_stands(holders):
    first, then = "".join(holders), "".join(HOLDERS[each] for each in holders)
    text = first + CODE.replace("\n", f"\n{then}") + "\n\n[[b]]\n"
    expected = text.removesuffix("[[b]]\n") + "[[c]]\n"
    assert expected == changed(text, lambda link: NEW.get(link.target))
