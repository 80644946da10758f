"""A session is told once that `activation.yaml` cannot be used."""

import pytest

from gitmem.service.answers import Visit

VISIT = Visit("claude-code", "s1", "startup")
NOTICE = "activation.yaml is not used (line 2: "


@pytest.fixture
def service(connected):
    """Give a memory whose rules are spoilt in their second line."""
    service = connected(GITMEM_DELIVERY__START="[]")
    service.init()
    root = service.rooms.root
    (root / "activation.yaml").write_text("invoice: finance\nreceipt\n", "utf-8")
    (root / "beacon").mkdir()
    (root / "beacon/a.md").write_text("---\ndomains: [finance]\n---\n", "utf-8")
    service.index()
    service.session.text(VISIT)
    return service


def test_spoilt_rules_are_told_of_once_and_bring_nothing_to_mind(service):
    first, second = (service.session.turn(VISIT, "an invoice").text for _ in "12")

    assert NOTICE in first
    assert "a.md" not in first
    assert second == ""


def test_a_notice_that_did_not_arrive_is_given_again(service):
    service.session.turn(VISIT, "an invoice")
    service.session.missed(VISIT)

    assert NOTICE in service.session.turn(VISIT, "an invoice").text


def test_another_session_is_told_of_it_too(service):
    other = Visit("claude-code", "s2", "startup")
    service.session.turn(VISIT, "an invoice")
    service.session.text(other)

    assert NOTICE in service.session.turn(other, "an invoice").text


def test_mended_rules_are_used_at_once(service):
    (service.rooms.root / "activation.yaml").write_text("invoice: finance\n", "utf-8")
    service.index()

    assert "rule for finance" in service.session.turn(VISIT, "an invoice").text


def test_the_check_names_the_line(service):
    (found,) = [
        each
        for each in service.check().checked.findings
        if each.code == "bad-activation"
    ]

    assert (str(found.path), found.line) == ("activation.yaml", 2)


def test_a_preview_says_that_the_rules_are_not_used_and_why(service):
    broken = service.rooms.root / "activation.yaml"
    broken.write_text("Rechnung: [finance\n", "utf-8")

    seen = service.session.preview(Visit("cli", ""), "eine Rechnung")

    [told] = seen.notices
    assert told == (
        "activation.yaml is not used (line 1: a bracket of this rule is never closed): "
        "run `gitmem check`."
    )


def test_the_doctor_names_the_line_of_a_broken_rule(service):
    found = [each for each in service.doctor() if each.what == "rules"]

    [told] = [each.message for each in found]
    assert told == (
        "activation.yaml:2: The rules of activation.yaml are not used. "
        "(this belongs to no rule)"
    )


def test_why_says_which_rule_it_was(service):
    (service.rooms.root / "activation.yaml").write_text("invoice: finance\n", "utf-8")
    seen = service.session.preview(Visit("cli", ""), "an invoice")

    reasons = [each.reason for each in seen.considered[0].signals]
    assert "rule for finance “invoice”" in reasons
