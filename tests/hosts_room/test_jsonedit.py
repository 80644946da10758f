"""What is added to a JSON text comes out again, and every other byte stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.hosts import jsonedit
from gitmem.hosts.jsontext import Unreadable

KEYS = ("hooks", "gitmem")
HOOK = {"command": "/opt/py", "args": ["/opt/gitmem/hook/client.py"]}
PLAIN = '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}\n'
SHAPES = {
    "empty": "{}",
    "empty in lines": "{\n}\n",
    "blank inside": "{ \t }\n",
    "one line": '{"a": 1}',
    "one line, compact": '{"a":1,"hooks":{}}',
    "lines": PLAIN,
    "four spaces": PLAIN.replace("  ", "    "),
    "tabs": PLAIN.replace("  ", "\t"),
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "no line end": PLAIN.rstrip(),
    "comments": '{\n  // mine\n  "a": 1, // one\n  "b": 2 /* two */ // end\n}\n',
    "comment only": "{\n  // nothing yet\n}\n",
    "comma at the end": '{\n  "a": [1, 2,],\n  "b": 2,\n}\n',
    "empty hooks": '{\n  "hooks": {},\n  "z": 1\n}\n',
    "empty hooks in lines": '{\n  "hooks": {\n  },\n  "z": 1\n}\n',
    "odd": '{"a"\n:\n1\n,"hooks" : { "x" :[ ] }   }   \n\n',
    "doubled key": '{"hooks": {"a": 1}, "hooks": {"b": 2}}',
    "comment above the end": '{\n  "a": 1\n  // more to come\n}\n',
}


def is_ours(found):
    return "/gitmem/hook/client.py" in json.dumps(found)


@pytest.fixture(params=list(SHAPES.values()), ids=list(SHAPES))
def shape(request):
    return request.param


def test_a_member_is_added_and_taken_out(shape):
    added = jsonedit.put(shape, KEYS, True)

    assert jsonedit.load(added)["hooks"]["gitmem"] is True
    assert jsonedit.drop(added, KEYS, shape) == shape


def test_an_element_is_added_and_taken_out(shape):
    added = jsonedit.put_element(shape, ("on", "SessionStart"), HOOK, is_ours)

    assert jsonedit.load(added)["on"]["SessionStart"] == [HOOK]
    out = jsonedit.drop_element(added, ("on", "SessionStart"), is_ours, shape)
    assert out == shape


def test_adding_again_changes_nothing(shape):
    once = jsonedit.put_element(
        jsonedit.put(shape, KEYS, HOOK), ("on", "Stop"), HOOK, is_ours
    )

    twice = jsonedit.put_element(
        jsonedit.put(once, KEYS, HOOK), ("on", "Stop"), HOOK, is_ours
    )

    assert twice == once


def test_a_value_that_was_there_comes_back_as_it_was_written():
    before = '{"hooks": {"gitmem": [ 1,2 ]}, "z": 1}'

    added = jsonedit.put(before, KEYS, [3])

    assert jsonedit.load(added)["hooks"]["gitmem"] == [3]
    assert jsonedit.drop(added, KEYS, before) == before


def test_an_element_of_the_persons_stays_before_and_behind_ours():
    before = '{\n  "Stop": [\n    {"command": "bell"}\n  ]\n}\n'
    added = jsonedit.put_element(before, ("Stop",), HOOK, is_ours)
    at = added.rindex("}", 0, added.rindex("]")) + 1
    edited = added[:at] + ',\n    {"command": "lamp"}' + added[at:]

    out = jsonedit.drop_element(edited, ("Stop",), is_ours, before)

    assert out == before.replace('"bell"}', '"bell"},\n    {"command": "lamp"}')


def test_an_older_element_of_ours_is_replaced_in_its_place():
    older = {"command": "/old/py", "args": ["/old/gitmem/hook/client.py"]}
    before = '{"Stop": [{"command": "a"}, {"command": "b"}]}'
    text = json.dumps({"Stop": [older, {"command": "b"}, older]})

    added = jsonedit.put_element(text, ("Stop",), HOOK, is_ours)

    assert jsonedit.load(added)["Stop"] == [HOOK, {"command": "b"}]
    out = jsonedit.drop_element(added, ("Stop",), is_ours, before)
    assert jsonedit.load(out)["Stop"] == [{"command": "b"}]


def test_what_the_person_wrote_into_our_object_keeps_it_alive():
    added = jsonedit.put("{}\n", KEYS, 1)
    edited = added.replace('"gitmem"', '"mine": 2, "gitmem"')

    out = jsonedit.drop(edited, KEYS, "{}\n")

    assert jsonedit.load(out) == {"hooks": {"mine": 2}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        '{"a" 1}',
        '{"a": 1 "b": 2}',
        "{'a': 1}",
        '{"a": 01x}',
        "{}{}",
        "[" * 1000,
        '{"a": "\n"}',
        '{"hooks": 3}',
        "[]",
        '{"a": 1,,}',
    ],
)
def test_what_cannot_take_it_is_refused(text):
    with pytest.raises(Unreadable):
        jsonedit.put(text, KEYS, 1)


@pytest.mark.parametrize("text", ['{"Stop": {}}', '{"Stop": 1}'])
def test_a_list_that_is_none_is_refused(text):
    with pytest.raises(Unreadable):
        jsonedit.put_element(text, ("Stop",), HOOK, is_ours)


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
NAMES = st.sampled_from(["hooks", "gitmem", "on", "a", "b", "é", 'q"'])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=4).filter(
    lambda found: (
        isinstance(found.get("hooks", {}), dict)
        and isinstance(found.get("on", []), list)
    )
)
LAYOUTS = st.sampled_from(
    [{"indent": 2}, {"indent": "\t"}, {"indent": 4}, {"separators": (",", ":")}, {}]
)
ENDS = st.sampled_from(["", "\n", "\n\n", " "])
NEWLINES = st.sampled_from(["\n", "\r\n"])


@given(DOCUMENTS, LAYOUTS, ENDS, NEWLINES, VALUES)
def test_any_document_comes_back(document, layout, end, newline, wanted):
    text = (json.dumps(document, **layout) + end).replace("\n", newline)

    one = jsonedit.put(text, KEYS, wanted)
    two = jsonedit.put_element(one, ("on",), HOOK, is_ours)
    back = jsonedit.drop(jsonedit.drop_element(two, ("on",), is_ours, text), KEYS, text)

    hooks = {**document.get("hooks", {}), "gitmem": wanted}
    on = [*document.get("on", []), HOOK]
    assert jsonedit.load(two) == {**document, "hooks": hooks, "on": on}
    assert back == text


@given(DOCUMENTS, LAYOUTS, NEWLINES, VALUES, VALUES)
def test_what_the_person_changed_beside_it_stays(document, layout, newline, old, new):
    before = json.dumps({"first": old, **document, "last": old}, **layout)
    before = before.replace("\n", newline)
    added = jsonedit.put(before, KEYS, 1)

    edited = jsonedit.put(jsonedit.put(added, ("first",), new), ("last",), new)

    expected = jsonedit.put(jsonedit.put(before, ("first",), new), ("last",), new)
    assert jsonedit.drop(edited, KEYS, before) == expected


@given(st.text(alphabet='{}[]:,"a1 \n\\/*', max_size=20))
def test_no_text_is_taken_for_something_else(text):
    try:
        read = jsonedit.load(text)
    except Unreadable:
        return
    assert json.dumps(read)
