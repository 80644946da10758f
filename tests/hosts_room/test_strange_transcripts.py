"""No transcript, however strange, breaks its reader."""

import importlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.hosts import registry, workfile
from gitmem.hosts.entry import EPOCH, Entry, Session, branch, moment
from gitmem.hosts.lines import lines
from gitmem.hosts.transcripts import follow, last_entry

HOSTS = {
    "pi": "gitmem.hosts.pi.transcript",
    "claude-code": "gitmem.hosts.claude_code.transcript",
    "codex": "gitmem.hosts.codex.rollout",
}
WORDS = (
    *("type", "id", "uuid", "parentId", "parentUuid", "timestamp", "message", "role"),
    *("content", "text", "user", "assistant", "toolResult", "toolCall", "tool_use"),
    *("tool_result", "arguments", "input", "name", "path", "file_path", "edit", "read"),
    *("details", "diff", "toolUseResult", "structuredPatch", "newStart", "lines"),
    *("payload", "item", "item_completed", "UserMessage", "response_item", "output"),
    *("function_call", "custom_tool_call", "compacted", "session", "compaction"),
    *("offset", "limit", "cwd", "isMeta", "session_meta", "2026-03-02T09:00:00Z"),
)
words = st.sampled_from(WORDS)
plain = words | st.none() | st.booleans() | st.integers() | st.floats() | st.text()
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=5)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("host", HOSTS)
@given(line=st.dictionaries(words, values, max_size=8))
def test_any_object_is_an_entry_or_none(host, line):
    found = importlib.import_module(HOSTS[host]).parse(line, "s", 7)

    assert found is None or isinstance(found, Entry)


@pytest.mark.parametrize("host", HOSTS)
@given(line=st.dictionaries(words, values, max_size=8))
def test_any_object_says_a_text_or_nothing(host, line):
    said = registry.said(host)

    assert said is not None
    assert isinstance(said(line), str)


@pytest.mark.parametrize("host", HOSTS)
@given(
    data=st.lists(
        st.binary(max_size=60)
        | st.dictionaries(words, values, max_size=6).map(
            lambda each: json.dumps(each).encode()
        ),
        max_size=6,
    ).map(b"\n".join)
)
def test_any_bytes_are_read_to_their_end(host, data, tmp_path_factory):
    path = tmp_path_factory.mktemp("strange") / "s.jsonl"
    path.write_bytes(data)
    session = Session(host, "s", str(path), "/x", EPOCH)
    found = [each.entry for each in follow(session)]

    importlib.import_module(HOSTS[host]).header(str(path))
    last_entry(host, "s", str(path))
    branch(each for each in found if each is not None)
    assert len(found) == len(list(lines(str(path)))) == data.count(b"\n")


@given(text=values)
def test_any_value_is_a_time_in_utc(text):
    assert moment(text).utcoffset() == EPOCH.utcoffset()


@given(
    data=st.binary(max_size=200) | values.map(lambda each: json.dumps(each).encode())
)
def test_whatever_was_kept_is_read_or_nothing(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "work.json"
    path.write_bytes(data)

    assert workfile.load(path) == {}
