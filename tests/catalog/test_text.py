"""The full-text engine finds what it should, and takes any query."""

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.catalog.analysis import BREAK, folded
from gitmem.catalog.builds import BrokenText
from gitmem.catalog.query import parse
from gitmem.catalog.text import Fields, TextIndex

SYNTAX = [
    "pre-edit", "GB/s", "don't", "C++", '"', "a AND", "NEAR(", "*", "", "title:x",
    "+a -b", "a^2", "a~1", "[a TO b]", "{a}", "/x/", "\\", "IN [a b]", "a:b:c", "(((",
    "body: (", "* OR *", "AND OR NOT", "''", "{1", "\0", "\ud800", "\U0010ffff", "%s",
    "a" * 5000, "😀", "\u202e", "-", "_", ".", "𐨀", "設" * 500, "x y " * 900,
]  # fmt: skip
CJK = {
    "1": "设备索引。回滚数据库",
    "2": "数据。库的备份",
    "3": "しりとり遊び、データベース",
    "4": "백업 서버를 설정하다",
    "5": "回滚\n索引 サーバーの設定ファイル",
    "6": "ﾃﾞｰﾀ と 전각 ＡＢＣ",
    "7": "นโยบายสำรองข้อมูล",
}
CJK_QUERIES = [
    "设", "备", "库", "の", "り", "ー", "백", "정", "设备", "回滚", "数据", "数据库",
    "索引", "引回", "备索", "库的", "滚索", "しり", "しりとり", "とり遊", "遊び",
    "びデ", "データ", "データベース", "サーバー", "設定", "定ファ", "ファイル",
    "백업", "업서",    "서버", "버를", "설정하", "不在", "ข้อมูล", "สำรอง",
]  # fmt: skip


def index_of(folder, bodies):
    index = TextIndex(folder / "text", create=True)
    with index.writing(is_build=True) as writer:
        for path, body in bodies.items():
            writer.add(path, "layer", Fields("", "", "", "", body))
        writer.commit(3)
    index.reload()
    return index


@pytest.fixture(scope="module")
def cjk(tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("cjk"), CJK)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    bodies = {
        "words": "Deploying with rsync to the server",
        "camel": "see getUserName in HTTPServer",
        "snake": "see get_user_name and max_retry",
        "accent": "un café naïve, Ωμέγα",
        "decomposed": "cafe\u0301",
        "signs": "written in C++ at 5 GB/s, pre-edit; don't",
        "stop": "to be or not to be",
    }
    return index_of(tmp_path_factory.mktemp("small"), bodies)


def found(index, query, **options):
    return {hit.path for hit in index.search(parse(query, **options), None, 10)}


@pytest.mark.parametrize("query", CJK_QUERIES)
def test_unspaced_query_finds_exactly_the_substrings(cjk, query):
    truth = {path for path, body in CJK.items() if query in body}
    assert truth == found(cjk, query)


SCRIPTS = {
    "chinese": "设备索引回滚数据库备份服务器部署缓存连接超时配置文件权限日志",
    "kana": "データベースの索引をロールバックするしりとりファイル",
    "hangul": "백업서버배포설정파일색인복구연결시간초과",
    # Without signs of tone, which are folded like accents.
    "thai": "สำรองขอมูลเซิรฟเวอรทุกคืนกอนปรับใชระบบ",
}


def memories_of(script, count=120):
    """Write memories of pieces of a script, among other words and signs."""
    source = random.Random(script)  # noqa: S311  no secret
    signs = ["", "。", " ", "\n", "、", " word ", "API", "（", "12"]
    return {
        str(number): "".join(
            script[at : at + source.randint(1, 9)] + source.choice(signs)
            for at in source.choices(range(len(script)), k=4)
        )
        for number in range(count)
    }


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_no_count_differs_from_that_of_the_substrings(tmp_path, script):
    bodies = memories_of(script)
    index = index_of(tmp_path, bodies)
    # One character, two, words across boundaries, and what stands nowhere.
    places = range(len(script))
    queries = {script[at : at + length] for length in (1, 2, 3, 5) for at in places}
    queries |= {script[at] + script[at - 7] for at in places}
    letters = [query for query in queries if any(map(str.isalnum, query))]

    truth = {query: sum(query in text for text in bodies.values()) for query in letters}
    counts = {query: index.count(parse(query), ["layer"]) for query in letters}

    assert counts == truth
    assert 0 in truth.values()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("deployed servers", {"words", "camel"}, id="stems"),
        pytest.param("getUserName", {"camel", "snake"}, id="camel finds both"),
        pytest.param("get_user_name", {"camel", "snake"}, id="snake finds both"),
        pytest.param("getusername", {"camel"}, id="whole identifier"),
        pytest.param("http", {"camel"}, id="part of an identifier"),
        pytest.param("retry", {"snake"}, id="part of a snake"),
        pytest.param("cafe", {"accent", "decomposed"}, id="without accent"),
        pytest.param("CAFÉ", {"accent", "decomposed"}, id="with accent"),
        pytest.param("ωμεγα", {"accent"}, id="greek without accent"),
        pytest.param("C++", {"signs"}, id="C++"),
        pytest.param("GB/s", {"signs"}, id="unit"),
        pytest.param("pre-edit", {"signs"}, id="hyphen"),
        pytest.param("not be", {"stop"}, id="stop words alone"),
        pytest.param("rsync zebra", {"words"}, id="any word may match"),
    ],
)
def test_word_finds_its_spellings(small, query, expected):
    assert expected == found(small, query)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("rsy", {"words"}), ("deployi", {"words"}), ("max_r", {"snake"})],
)
def test_unfinished_last_word_finds_what_begins_with_it(small, typed, expected):
    assert expected == found(small, typed, is_prefix=True)


@pytest.mark.parametrize("query", SYNTAX, ids=range(len(SYNTAX)))
def test_no_syntax_is_an_error(small, query):
    assert isinstance(found(small, query, is_prefix=True), set)


@settings(max_examples=150)
@given(st.one_of(st.binary(max_size=80).map(lambda b: b.decode("latin-1")), st.text()))
def test_any_text_can_be_searched(small, query):
    assert small.count(parse(query, is_loose=True), ["layer"]) >= 0


@settings(max_examples=50)
@given(st.binary(max_size=80))
def test_any_bytes_can_be_searched(small, data):
    assert isinstance(found(small, data.decode("utf-8", "surrogateescape")), set)


def test_tags_count_more_than_description_and_that_more_than_body(tmp_path):
    index = TextIndex(tmp_path / "text", create=True)
    with index.writing(is_build=False) as writer:
        writer.add("body", "a", Fields("red", "blue", "", "", "deploy"))
        writer.add("description", "a", Fields("red", "deploy", "", "", "blue"))
        writer.add("tags", "a", Fields("deploy", "blue", "", "", "red"))
        writer.commit(1)
    index.reload()
    ranked = [hit.path for hit in index.search(parse("deploy"), None, 10)]
    assert ranked == ["tags", "description", "body"]


def test_only_the_layers_asked_for_are_searched(tmp_path):
    index = TextIndex(tmp_path / "text", create=True)
    with index.writing(is_build=False) as writer:
        writer.add("a/x.md", "a", Fields("", "", "", "", "deploy"))
        writer.add("b/x.md", "b", Fields("", "", "", "", "deploy"))
        writer.commit(1)
    index.reload()
    hits = index.search(parse("deploy"), ["b"], 10)
    assert [hit.path for hit in hits] == ["b/x.md"]
    assert index.count(parse("deploy"), ["a"]) == 1


def test_change_is_seen_after_a_reload_and_the_generation_with_it(tmp_path):
    index = index_of(tmp_path, {"a": "old words"})
    with index.writing(is_build=False) as writer:
        writer.remove("a")
        writer.add("a", "layer", Fields("", "", "", "", "new things"))
        writer.commit(4)
    index.reload()
    assert (set(), {"a"}) == (found(index, "old"), found(index, "new"))
    assert index.generation() == 4


def test_what_was_not_committed_is_forgotten(tmp_path):
    index = index_of(tmp_path, {"a": "words"})
    with contextlib.suppress(KeyError), index.writing(is_build=False) as writer:
        writer.remove("a")
        raise KeyError
    index.reload()
    assert {"a"} == found(index, "words")


def test_folder_without_an_index_is_reported(tmp_path):
    with pytest.raises(BrokenText):
        TextIndex(tmp_path)


LETTERS = [chr(n) for n in range(0xC0, 0x180) if chr(n).isalpha()]


def test_letters_are_folded_as_the_engine_folds_them(small):
    expected = {letter: small.tokens(f"{letter}x") for letter in LETTERS}
    ours = {letter: [f"{folded(letter).lower()}x"] for letter in LETTERS}
    assert expected == {letter: [*each, BREAK] for letter, each in ours.items()}
