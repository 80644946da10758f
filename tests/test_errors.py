"""Each failure says what a person can do, and how the program ends."""

import inspect

import pytest

from gitmem import errors
from gitmem.errors import ErrorClass, GitmemError, SyncError, UsageError

CLASSES = [
    found
    for _, found in inspect.getmembers(errors, inspect.isclass)
    if issubclass(found, GitmemError)
]
KINDS = [found for found in CLASSES if issubclass(found, SyncError)]


@pytest.mark.parametrize("kind", CLASSES)
def test_the_drawing_in_the_docstring_has_every_class(kind):
    assert kind.__name__ in (errors.__doc__ or "")


@pytest.mark.parametrize("kind", CLASSES)
def test_a_wrong_command_line_alone_ends_with_status_2(kind):
    assert kind("what", "next").exit_status == (2 if kind is UsageError else 1)


def test_an_error_keeps_its_line_and_its_hint():
    error = GitmemError("what failed", "what to do")

    assert (str(error), error.message, error.hint) == (
        "what failed",
        "what failed",
        "what to do",
    )


def test_every_kind_of_trouble_has_a_class():
    assert {kind.error_class for kind in KINDS} == set(ErrorClass)
