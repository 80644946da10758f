"""What `gitmem settings --explain` has to say."""

import json

from gitmem.settings.explain import explain
from gitmem.settings.model import keys
from gitmem.settings.report import Origin, OriginKind


def explained(loaded):
    return {entry.key: entry for entry in explain(loaded)}


def test_every_setting_is_explained_in_the_order_of_the_reference(desk):
    entries = explain(desk.load())

    assert [entry.key for entry in entries] == [key.dotted for key in keys()]
    assert [entry.key for entry in entries if not (entry.doc and entry.allowed)] == []


def test_a_setting_tells_its_value_its_origin_and_what_was_refused(desk):
    desk.variables = {"GITMEM_SYNC__BRANCH": "trunk"}
    desk.wish("[sync]\nbranch = 'theirs'\n")

    entry = explained(desk.load())["sync.branch"]

    assert (entry.value, entry.text, entry.project) == ("trunk", '"trunk"', "never")
    assert entry.origin == Origin(OriginKind.ENVIRONMENT, "GITMEM_SYNC__BRANCH")
    assert [refusal.value for refusal in entry.refused] == ['"theirs"']


def test_values_are_fit_for_json(desk):
    entries = explain(desk.load())

    assert json.dumps([entry.value for entry in entries])


def test_an_unset_value_says_so(desk):
    entries = explained(desk.load())

    assert entries["search.semantic"].text == "unset"
    assert "as `gitmem remote` prints it" in entries["memory_dir.repo_url"].text


def test_a_duration_is_spelled_as_the_reference_spells_it(desk):
    desk.variables = {"GITMEM_SYNC__TIMEOUT": "1.5"}

    entries = explained(desk.load())

    assert entries["sync.fetch_ttl"].text == '"12 h"'
    assert entries["sync.interval"].text == '"15 min"'
    assert entries["sync.timeout"].text == '"1.5s"'


def test_a_setting_of_what_is_not_there_yet_says_so(desk):
    desk.variables = {"GITMEM_DREAM__ENABLED": "true"}

    loaded = desk.load()

    [told] = map(str, loaded.inert)
    assert told == (
        "GITMEM_DREAM__ENABLED: dream.enabled: what this sets is not there yet, so it "
        "changes nothing."
    )
    assert loaded.mistakes == ()
    assert explained(loaded)["dream.enabled"].is_inert
    assert not explained(loaded)["sync.timeout"].is_inert


def test_a_credential_is_not_shown(desk):
    desk.configure("memory_dir.repo_url = 'https://me:hunter2@example.com/m.git'")

    entry = explained(desk.load())["memory_dir.repo_url"]

    assert entry.value == "https://***@example.com/m.git"
    assert entry.text == '"https://***@example.com/m.git"'
