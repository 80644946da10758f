"""What speaks for a memory adds up, each thing with its reason."""

import pytest

from gitmem.attention import weights


def signals(judged):
    return {each.name: each.points for each in judged.signals}


def test_a_trigger_is_exact_by_its_canonical_form(weighed):
    judged = weighed("please book_it now", triggers=["Book it"])

    assert signals(judged)["trigger"] == weights.TRIGGER.points
    assert judged.reason == "trigger “book_it”"
    assert judged.is_triggered


def test_a_trigger_that_was_not_said_is_nothing(weighed):
    assert weighed("booking items", triggers=["book it"]).relevance == 0


def test_rare_words_in_the_description_count(weighed):
    one = weighed("yaml spring", words=["yaml"])
    two = weighed("yaml spring", words=["yaml", "spring"])

    assert 0 < one.relevance < two.relevance <= weights.WORDS.points
    assert two.reason == "words “yaml”, “spring”"


def test_everyday_words_count_little(weighed):
    everyday = weighed("test", words=["test"]).relevance

    assert everyday < weighed("yaml", words=["yaml"]).relevance / 2


def test_a_tag_and_a_subject_are_heard_alike(weighed):
    tag = weighed("ask sam", tags=["Sam"])
    subject = weighed("ask sam", subjects=["person:sam"])

    assert signals(tag)["tag"] == signals(subject)["tag"] > 0


def test_a_long_prompt_finds_less_by_accident(weighed):
    long = " ".join(f"word{number}" for number in range(60))

    assert (
        weighed(f"yaml {long}", words=["yaml"], score=5.0).relevance
        < weighed("yaml", words=["yaml"], score=5.0).relevance
    )


def test_what_was_said_before_counts_less(weighed):
    now = weighed("hotel oslo", words=["hotel", "oslo"])
    before = weighed("yes", "hotel oslo", words=["hotel", "oslo"])

    assert 0 < before.relevance < now.relevance
    assert before.relevance_now < before.relevance
    assert before.reason == "before: words “hotel”, “oslo”"


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"attention": "open-loop"}, "open loop"),
        ({"attention": "ambient"}, "ambient"),
        ({"priority": "critical"}, "critical"),
        ({"priority": "high"}, "high"),
        ({"pinned": "true"}, "high"),
        ({"priority": "low"}, "low"),
    ],
)
def test_what_a_memory_is_counts_whatever_is_said(weighed, fields, name):
    points = {weight.name: weight.points for weight in weights.TABLE}

    judged = weighed("yaml", words=["yaml"], **fields)

    assert signals(judged)[name] == points[name]
    assert judged.score != judged.relevance


def test_newer_counts_more(weighed):
    old, new = (weighed("yaml", words=["yaml"], day=day) for day in (1, 2))

    assert old.score < new.score


@pytest.mark.parametrize(
    ("fields", "is_whole"),
    [
        ({"kind": "constraint"}, True),
        ({"kind": "Policy"}, True),
        ({"priority": "critical"}, True),
        ({"kind": "fact", "priority": "high"}, False),
        ({}, False),
    ],
)
def test_what_binds_is_given_whole(weighed, fields, is_whole):
    assert weighed("yaml", words=["yaml"], **fields).is_whole is is_whole


def test_a_rule_speaks_for_what_carries_its_domain(weighed):
    fired = {"finance": "invoice"}
    judged = weighed("an invoice", fired=fired, domains=["topic:finance"])

    assert signals(judged)["rule"] == weights.RULE.points >= weights.FLOOR
    assert judged.reason == "rule for finance “invoice”"
    assert judged.is_triggered
    assert weighed("an invoice", fired=fired, domains=["travel"]).relevance == 0


def test_what_was_read_after_a_cue_comes_a_little_earlier(weighed):
    never, once, often = (
        weighed("yaml", words=["yaml"], reads=count) for count in (0, 1, 1_000_000)
    )

    assert never.score < once.score < often.score
    assert never.relevance == often.relevance
    assert often.score - never.score <= weights.READ.points


def test_no_number_of_reads_outweighs_a_word_that_was_said(weighed):
    read = weighed("yaml", score=1.0, reads=1_000_000)
    said = weighed("yaml", score=1.0, words=["yaml"])

    assert read.score < said.score
