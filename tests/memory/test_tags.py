import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.tags import (
    LayerTags,
    canonical,
    check_free,
    check_strict,
    nearest,
    respelled,
    unique,
)


@pytest.mark.parametrize(
    "spelling",
    [
        "serialize-conversation",
        "serializeConversation",
        "Serialize Conversation",
        "SERIALIZE_CONVERSATION",
        "#serialize–conversation",
        "ｓｅｒｉａｌｉｚｅ conversation",
        "serialize\u200bconversation",
    ],
)
def test_spellings_of_one_tag_are_one(spelling):
    assert canonical(spelling) == "serializeconversation"


@pytest.mark.parametrize(
    ("one", "other"),
    [("c", "c++"), ("c#", "c++"), ("1.1", "11"), ("部署", "部")],
)
def test_different_tags_stay_apart(one, other):
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Straße", "STRASSE"), ("cafe\u0301", "CAFÉ"), ("ﬁle", "FILE"), ("ｶﾞ", "ガ")],
)
def test_scripts_have_spellings_too(one, other):
    assert canonical(one) == canonical(other)


@given(tag=st.text(max_size=8))
@settings(max_examples=200, deadline=None)
def test_key_of_a_key_is_the_key(tag):
    assert canonical(tag) == canonical(canonical(tag))


@given(tag=st.text(st.characters(max_codepoint=127), max_size=6))
@settings(max_examples=300, deadline=None)
def test_a_plain_tag_has_the_key_that_any_other_script_would_give_it(tag):
    # A space of no width is dropped, and takes the tag out of ASCII.
    assert canonical(tag) == canonical(f"{tag}\u200b")


def test_first_spelling_of_a_tag_is_kept():
    assert unique(["Deploy", "rsync", "deploy"]) == ("Deploy", "rsync")


def test_what_is_no_tag_is_not_dropped_before_somebody_says_so():
    assert unique(["!!!", "a", "", " ", "--", "!!!"]) == ("!!!", "a", "--")


@pytest.mark.parametrize("tag", ["!!!", "--", "#", "++", "\u20ac", "\ufe0f", ""])
def test_punctuation_alone_is_no_tag(tag):
    assert canonical(tag) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("\u26a0\ufe0f", "\u26a0"), ("\U0001f44d\U0001f3fd", "\U0001f44d")],
)
def test_an_emoji_is_a_tag_however_it_is_drawn(one, other):
    assert canonical(one) == canonical(other) != ""
    assert check_free([one]) == ()


def test_nearest_tags_are_offered_as_they_are_spelled():
    known = ["Deploy-Steps", "rsync", "sync"]

    assert nearest("deploysteps2", known) == ("Deploy-Steps",)
    assert nearest("synk", known) == ("sync", "rsync")
    assert nearest("zzz", known) == ()


@pytest.mark.parametrize(
    ("tags", "complaint"),
    [
        pytest.param(["-"], "write a word", id="empty"),
        pytest.param(["a,b"], "without a comma", id="comma"),
        pytest.param(["a b", "a-b"], "are the same tag", id="twice"),
        pytest.param(["a" * 101], "a few words on one line", id="long"),
        pytest.param(["a\nb"], "a few words on one line", id="two-lines"),
    ],
)
def test_neither_contract_takes_what_is_no_tag(tags, complaint):
    assert complaint in check_free(tags)[0]
    assert complaint in check_strict(tags)[0]


def test_free_contract_takes_any_number():
    assert check_free([f"tag {number}" for number in range(50)]) == ()


@pytest.mark.parametrize(
    "tags",
    [
        pytest.param(["a"], id="one"),
        pytest.param(["a", "b", "c"], id="three"),
        pytest.param(["one two three four five six seven eight"], id="eight-words"),
        pytest.param(["設備部署手順再起"], id="eight-characters"),
    ],
)
def test_strict_contract_is_kept(tags):
    assert check_strict(tags) == ()


@pytest.mark.parametrize(
    ("tags", "complaint"),
    [
        pytest.param([], "There are no tags", id="none"),
        pytest.param(["a", "b", "c", "d"], "keep at most 3", id="four"),
        pytest.param(["a b c d e f g h i"], "at most 8 words", id="nine-words"),
        pytest.param(["aB-cD-eF-gH-iJ"], "at most 8 words", id="humps"),
        pytest.param(["設備部署手順再起動"], "8 CJK characters", id="nine-characters"),
    ],
)
def test_strict_contract_is_broken(tags, complaint):
    complaints = check_strict(tags)

    assert len(complaints) == 1
    assert complaint in complaints[0]


def test_full_layer_takes_no_new_tag_but_every_known_one():
    layer = [f"tag-{number}" for number in range(200)]

    assert check_strict(["Tag 7"], layer) == ()
    assert (
        "use an existing tag, for example tag-7" in check_strict(["tag-7x"], layer)[0]
    )


def test_half_of_a_character_is_no_part_of_a_tag():
    assert canonical("de\ud800ploy") == "deploy"
    assert canonical("\udcff") == ""


@pytest.mark.parametrize(
    "tag",
    [
        pytest.param("हिन्दी भाषा की स्मृति", id="vowel-signs"),
        pytest.param("cafe\u0301 au lait", id="accents"),
        pytest.param("\u0e01\u0e33\u0e25\u0e31\u0e07", id="no-spaces"),
    ],
)
def test_accents_and_vowel_signs_are_no_words_of_their_own(tag):
    assert check_strict([tag]) == ()


def test_hangul_counts_the_same_however_it_is_composed():
    whole = "가나다라마바사아자"
    apart = unicodedata.normalize("NFD", whole)

    assert "8 CJK characters" in check_strict([whole])[0]
    assert "8 CJK characters" in check_strict([apart])[0]


def test_a_spelling_that_the_layer_does_not_have_is_told_with_the_one_it_has():
    layer = ("deploy-key", "Deploy Key", "rsync")

    assert respelled(["deployKey", "rsync", "new"], layer) == (
        "'deployKey' is spelled 'deploy-key' in this layer; it is one tag",
    )
    assert respelled(["Deploy Key"], layer) == ()


def test_what_a_memory_had_may_stay_in_a_layer_that_has_too_many():
    layer = [f"t{number}" for number in range(250)]

    assert check_strict(["own"], layer, ["Own"]) == ()
    assert check_strict(["own", "t1"], layer, ["own"]) == ()
    assert "'new' would be a new one" in check_strict(["own", "new"], layer, ["own"])[0]


LISTS = st.lists(
    st.lists(st.sampled_from(["a", "A", "b-c", "bC", "!", "", "d"]), max_size=4),
    max_size=6,
)


@given(memories=LISTS, gone=st.integers(0, 6))
@settings(max_examples=200, deadline=None)
def test_tags_of_a_layer_are_those_of_the_memories_that_are_there(memories, gone):
    kept = LayerTags(tag for tags in memories for tag in tags)

    kept.remove(tag for tags in memories[:gone] for tag in tags)

    left = [tag for tags in memories[gone:] for tag in tags]
    assert {canonical(tag) for tag in kept} == {canonical(tag) for tag in unique(left)}
    assert set(kept) <= set(left)
    assert len(kept) == len(unique(left))
    assert all(tag in kept for tag in unique(left))
