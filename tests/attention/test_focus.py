"""Where in a file the work was is said in a few ranges."""

from gitmem.attention.focus import Focus, focus
from gitmem.hosts.work import Access


def at(second, kind, *lines):
    return Access(float(second), "a", kind, "s", second, lines)


def test_the_newest_comes_first():
    assert focus([at(1, "read", (10, 20)), at(2, "edit", (50, 51))]) == (
        Focus("edit", 50, 51),
        Focus("read", 10, 20),
    )


def test_ranges_that_meet_are_one_where_the_newest_stands():
    several = [
        at(1, "read", (1, 10)),
        at(2, "read", (40, 50)),
        at(3, "read", (11, 20)),
        at(4, "read", (60, 70)),
    ]

    assert focus(several) == (
        Focus("read", 60, 70),
        Focus("read", 1, 20),
        Focus("read", 40, 50),
    )


def test_a_range_can_join_two_others():
    several = [at(1, "read", (1, 10)), at(2, "read", (20, 30)), at(3, "read", (5, 25))]

    assert focus(several) == (Focus("read", 1, 30),)


def test_what_was_read_and_what_was_changed_stay_apart():
    assert focus([at(1, "read", (1, 10)), at(2, "edit", (5, 6))]) == (
        Focus("edit", 5, 6),
        Focus("read", 1, 10),
    )


def test_only_five_are_given():
    several = [at(each, "edit", (each * 10, each * 10)) for each in range(9)]

    assert [each.first for each in focus(several)] == [80, 70, 60, 50, 40]


def test_what_names_no_lines_says_nothing():
    assert focus([at(1, "read"), at(2, "write", (1, 2)), at(3, "edit")]) == ()
