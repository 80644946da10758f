"""What comes of a plan: what can be done of it, and a word on what cannot."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory import combining
from gitmem.memory import tags as tag_rules
from gitmem.memory.frontmatter.read import read
from gitmem.memory.hashes import hash_of
from gitmem.memory.load import tags_of
from gitmem.memory.plans import Merge, Plan, Rename
from gitmem.memory.renaming import Ground, Renamed
from gitmem.memory.rules import Rules
from gitmem.memory.tidying import Merged, Removal, Tidied, tidy

P = PurePosixPath
DAY = "2026-03-02"
FREE, STRICT = Rules(), Rules(tag_contract="strict")


def page(description: str, tags: str, body: str = "", more: str = "") -> bytes:
    head = f"description: {description}\ntags: [{tags}]\n{more}"
    return f"---\n{head}---\n\n{body}".encode()


def pages(**texts: bytes) -> dict[PurePosixPath, bytes]:
    return {P("alpha", f"{name}.md"): data for name, data in texts.items()}


THREE = pages(
    a=page("a", "deploy, # kept\n  rsync", "# A\n\nOne.\n"),
    b=page("b", "deploys", "# A\n\nTwo.\n"),
    c=page("c", "other", "Three.\n"),
)
OTHER = {P("global/g.md"): page("g", "deploy", "Four.\n")}


def tidied(plan: Plan, found=None, rules: Rules = FREE, **more) -> Tidied:
    return tidy(
        plan,
        Ground(THREE | OTHER if found is None else found, "alpha", rules, DAY, **more),
    )


def after(done: Tidied) -> dict[str, str | None]:
    return {
        str(each.path): None if each.after is None else each.after.decode()
        for each in done.changes
    }


def test_memories_that_are_merged_keep_every_line_of_each():
    done = tidied(Plan((Merge("a.md", ("b.md",)),)))

    assert after(done) == {
        "alpha/a.md": (
            "---\ndescription: a\ntags: [deploy, rsync, deploys] # kept\n"
            f'updated: "{DAY}"\n---\n\n# A\n\nOne.\n\nb\n\nTwo.\n'
        ),
        "alpha/b.md": None,
    }
    assert done.merged == (Merged(P("alpha/a.md"), (P("alpha/b.md"),)),)
    assert done.removals == (Removal("alpha", 1, 3),)
    assert done.said == ()


def test_a_text_of_its_own_takes_the_place_of_all_and_says_what_it_leaves_out():
    merge = Merge("a.md", ("b.md",), "# A\n\nOne and two.\n", "both", ("deploy",))

    done = tidied(Plan((merge,)))

    assert after(done)["alpha/a.md"] == (
        f'---\ndescription: both\ntags: [deploy] # kept\nupdated: "{DAY}"\n---\n\n'
        "# A\n\nOne and two.\n"
    )
    assert done.said == (
        "alpha/a.md: the new text replaces 2 lines, which the history keeps",
    )


def test_an_empty_text_says_what_it_leaves_out_as_any_other_does():
    done = tidied(Plan((Merge("a.md", ("b.md",), ""),)))

    assert (after(done)["alpha/a.md"] or "").endswith('"\n---\n')
    assert done.said == (
        "alpha/a.md: the new text replaces 3 lines, which the history keeps",
    )


def test_an_empty_description_takes_no_description_away():
    done = tidied(Plan((Merge("a.md", ("b.md",), description=" "),)))

    assert "description: a\n" in (after(done)["alpha/a.md"] or "")
    assert done.said == ("alpha/a.md: the plan's description is empty, and not used",)


@pytest.mark.parametrize(
    ("merge", "said"),
    [
        pytest.param(Merge("x.md", ("b.md",)), "no memory x.md", id="unknown to keep"),
        pytest.param(Merge("a.md", ("x.md",)), "no such memory", id="unknown to drop"),
        pytest.param(Merge("a.md", ("a.md",)), "it is that memory", id="itself"),
        pytest.param(Merge("a.md", ()), "names nothing", id="nothing"),
        pytest.param(
            Merge("a.md", ("global/g.md",)), "in another layer", id="another layer"
        ),
        pytest.param(
            Merge("a.md", ("b.md",), "half \ud800\n"), "no Unicode", id="half a sign"
        ),
        pytest.param(
            Merge("a.md", ("b.md",), description="two\nlines"),
            "not one line",
            id="a description of two lines",
        ),
        pytest.param(
            Merge("a.md", ("b.md",), "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
            "seem",
            id="a credential",
        ),
    ],
)
def test_a_merge_that_cannot_be_is_left_out_and_said(merge, said):
    done = tidied(Plan((merge,)))

    assert done.changes == ()
    assert said in " ".join(done.said)


def test_the_rest_of_a_merge_is_done():
    done = tidied(
        Plan((Merge("a.md", ("x.md", "a.md", "b.md", "b.md", "global/g.md")),))
    )

    assert after(done)["alpha/b.md"] is None
    assert after(done).keys() == {"alpha/a.md", "alpha/b.md"}
    assert len(done.said) == 3


def test_two_that_go_into_each_other_are_one_the_first_named():
    done = tidied(Plan((Merge("a.md", ("b.md",)), Merge("b.md", ("a.md",)))))

    assert done.merged == (Merged(P("alpha/a.md"), (P("alpha/b.md"),)),)
    assert "it is that memory, or holds it by now" in " ".join(done.said)


def test_what_goes_into_one_that_goes_on_goes_there_too():
    first = Plan((Merge("b.md", ("c.md",)), Merge("a.md", ("b.md",))))
    last = Plan((Merge("a.md", ("b.md",)), Merge("b.md", ("c.md",), "only this\n")))

    for_first, for_last = tidied(first), tidied(last)

    both = (P("alpha/c.md"), P("alpha/b.md"))
    assert for_first.merged == (Merged(P("alpha/a.md"), both),)
    assert for_last.merged == (Merged(P("alpha/a.md"), both[::-1]),)
    assert "One.\n" in (after(for_last)["alpha/a.md"] or "")
    assert "Three.\n" in (after(for_first)["alpha/a.md"] or "")
    assert "only this" not in (after(for_last)["alpha/a.md"] or "")


def test_a_name_is_taken_as_it_is_before_any_that_looks_like_it():
    found = pages(a=page("a", "x", "One.\n"), A=page("A", "x", "Two.\n"))

    for_small = tidied(Plan((Merge("A.md", ("./a.md",)),)), found)
    for_none = tidied(Plan((Merge("a.MD", ("alpha/A.md",)),)), found)

    assert for_small.merged == (Merged(P("alpha/A.md"), (P("alpha/a.md"),)),)
    assert for_none.merged == (Merged(P("alpha/a.md"), (P("alpha/A.md"),)),)


def test_one_that_went_already_goes_nowhere_else():
    done = tidied(Plan((Merge("a.md", ("b.md",)), Merge("c.md", ("b.md",)))))

    assert done.merged == (Merged(P("alpha/a.md"), (P("alpha/b.md"),)),)
    assert "it went into alpha/a.md already" in " ".join(done.said)


@pytest.mark.parametrize("named", [(), ("!!!",), ("a,b",), ("x", "X")])
def test_tags_that_are_none_are_not_used(named):
    done = tidied(Plan((Merge("a.md", ("b.md",), tags=named),)))

    kept = (after(done)["alpha/a.md"] or "").encode()
    assert {"deploy", "x"} & set(tags_of(read(kept).fields))


def test_the_strict_contract_holds_for_what_is_merged():
    found = pages(a=page("a", "one, two"), b=page("b", "three, four"))
    many = Merge("a.md", ("b.md",), tags=("1", "2", "3", "4"))

    done = tidied(Plan((many,)), found, STRICT)

    assert tags_of(read((after(done)["alpha/a.md"] or "").encode()).fields) == (
        "one",
        "two",
        "three",
    )
    assert done.said == (
        "alpha/a.md: the plan's tags are not used: There are 4 tags: keep at most 3",
        "alpha/a.md: has no room for the tags four",
    )


def tagged_apart(count: int) -> dict[PurePosixPath, bytes]:
    """Make memories that have one tag each, which no other has."""
    names = [f"n{number:04}" for number in range(count)]
    return pages(**{name: page(name, f"t-{name}", f"{name}.\n") for name in names})


def pairs(count: int, **more) -> Plan:
    """Merge each second memory into the one before it."""
    names = [f"n{number:04}.md" for number in range(count)]
    return Plan(
        tuple(
            Merge(kept, (gone,), **more)
            for kept, gone in zip(names[::2], names[1::2], strict=True)
        )
    )


def star(count: int) -> Plan:
    """Merge every memory into the first one, in a merge of its own."""
    return Plan(tuple(Merge("n0000.md", (f"n{n:04}.md",)) for n in range(1, count)))


def chain(count: int) -> Plan:
    """Merge every memory into the next one."""
    return Plan(
        tuple(Merge(f"n{n:04}.md", (f"n{n - 1:04}.md",)) for n in range(1, count))
    )


def test_a_layer_with_too_many_tags_is_tidied_under_the_strict_contract():
    done = tidied(pairs(300), tagged_apart(300), STRICT)

    assert len(done.merged) == 150
    assert done.said == ()


def test_a_plan_may_name_the_tags_of_a_layer_that_has_too_many_and_no_new_one():
    found = tagged_apart(300)

    old = tidied(pairs(2, tags=("t-n0009",)), found, STRICT)
    new = tidied(pairs(2, tags=("new",)), found, STRICT)

    assert "tags: [t-n0009]" in (after(old)["alpha/n0000.md"] or "")
    assert old.said == ()
    assert "The layer has 298 of 200 tags, 'new' would be a new one" in new.said[0]


def test_the_tags_of_memories_that_go_make_room_for_new_ones():
    found = tagged_apart(200)

    done = tidied(pairs(4, tags=("new", "newer")), found, STRICT)

    assert done.said == ()


def keys_made(plan: Plan, found, monkeypatch) -> int:
    """Count how often a tag is looked at while a plan is worked out."""
    real, seen = tag_rules.canonical, []

    def counted(tag: str) -> str:
        seen.append(tag)
        return real(tag)

    with monkeypatch.context() as patch:
        patch.setattr(tag_rules, "canonical", counted)
        tidied(plan, found, STRICT)
    return len(seen)


@pytest.mark.parametrize(
    "more", [{}, {"tags": ("t-n0000",)}, {"tags": ("new",)}], ids=["none", "old", "new"]
)
def test_a_merge_does_not_look_at_the_tags_of_a_whole_layer(monkeypatch, more):
    small = keys_made(pairs(100, **more), tagged_apart(500), monkeypatch)
    wide = keys_made(pairs(100, **more), tagged_apart(1500), monkeypatch)

    # Each memory's tags are looked at when the layer is gathered, and for renames.
    assert wide - small <= 1000 * 3


def wholes(plan: Plan, found, monkeypatch) -> tuple[Tidied, int]:
    """Work a plan out, and count the bytes that were put together."""
    real, sizes = combining.combined, []

    def counted(kept, parts, *more):
        sizes.append(len(kept) + sum(len(part.data) for part in parts))
        return real(kept, parts, *more)

    with monkeypatch.context() as patch:
        patch.setattr(combining, "combined", counted)
        return tidied(plan, found), sum(sizes)


@pytest.mark.parametrize("plan", [star(300), chain(300)], ids=["one", "chain"])
def test_what_many_merges_bring_together_is_put_together_once(monkeypatch, plan):
    found = tagged_apart(300)

    done, moved = wholes(plan, found, monkeypatch)

    assert moved == sum(map(len, found.values()))
    assert len(done.merged[0].dropped) == 299


def test_a_chain_comes_to_the_same_as_one_merge_of_all():
    found = tagged_apart(9)
    names = tuple(f"n{number:04}.md" for number in range(7, -1, -1))

    assert after(tidied(chain(9), found)) == after(
        tidied(Plan((Merge("n0008.md", names),)), found)
    )


def test_one_that_cannot_be_among_many_merges_is_left_out_alone(monkeypatch):
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    found = tagged_apart(64) | pages(n0037=page("n0037", "x", f"{secret}\n"))

    done, moved = wholes(star(64), found, monkeypatch)

    assert len(done.merged[0].dropped) == 62
    assert P("alpha/n0037.md") not in done.merged[0].dropped
    assert [each[:36] for each in done.said] == ["nothing goes into alpha/n0000.md: al"]
    assert moved < 8 * sum(map(len, found.values()))


def test_what_was_to_go_with_a_merge_that_cannot_be_may_go_elsewhere():
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    found = THREE | pages(s=page("s", "x", f"{secret}\n"))
    plan = Plan((Merge("s.md", ("b.md",)), Merge("a.md", ("b.md",))))

    done = tidied(plan, found)

    assert done.merged == (Merged(P("alpha/a.md"), (P("alpha/b.md"),)),)


def test_tags_without_room_are_named_up_to_a_bound():
    done = tidied(star(50), tagged_apart(50), STRICT)

    assert len(done.said) == 1
    assert done.said[0].endswith("t-n0022 and 27 more")


def test_memories_without_tags_stay_apart_under_the_strict_contract():
    found = pages(a=page("a", ""), b=page("b", ""))

    done = tidied(Plan((Merge("a.md", ("b.md",)),)), found, STRICT)

    assert done.changes == ()
    assert "There are no tags" in done.said[0]


def test_a_memory_that_changed_since_the_plan_was_made_is_left_alone():
    hashes = {"a.md": hash_of(b"other"), "c.md": hash_of(THREE[P("alpha/c.md")])}
    plan = Plan((Merge("a.md", ("b.md",)), Merge("c.md", ("a.md", "b.md"))), (), hashes)

    done = tidied(plan)

    assert done.merged == (Merged(P("alpha/c.md"), (P("alpha/b.md"),)),)
    assert len([each for each in done.said if "changed since" in each]) == 2


def test_a_hash_of_no_memory_leaves_alone_what_has_none():
    done = tidied(Plan((Merge("a.md", ("b.md",)),), (), {"aa.md": hash_of(b"other")}))

    assert done.changes == ()
    assert done.said == (
        "no memory aa.md: its hash guards nothing",
        "alpha/a.md keeps as it is: the plan has no hash of it, and one of no memory",
    )


@pytest.mark.parametrize(
    "path",
    [
        "alpha/PROJECT.md",
        "alpha/packets/2026/03/x.md",
        "alpha/x.conflict-0123456789ab.md",
    ],
)
def test_what_is_no_memory_to_be_merged_stays(path):
    found = {**THREE, P(path): page("x", "deploy", "x\n")}

    done = tidied(Plan((Merge("a.md", (path,)), Merge(path, ("a.md",)))), found)

    assert done.changes == ()


@pytest.mark.parametrize(
    "data", [b"---\ntags: [a]\n---\n\xff\n", b"---\ntags: [b\nx: 1\n"]
)
def test_what_cannot_be_read_whole_stays(data):
    found = {**THREE, P("alpha/x.md"): data}

    done = tidied(Plan((Merge("a.md", ("x.md",)),), (Rename("b", "c"),)), found)

    assert done.changes == ()


def test_what_is_held_stays_and_the_reason_is_said():
    held = {P("alpha/b.md"): "it is not committed"}

    done = tidied(
        Plan((Merge("a.md", ("b.md",)),), (Rename("deploys", "deploy"),)), held=held
    )

    assert done.changes == ()
    assert "alpha/b.md keeps its tags: it is not committed" in done.said


def test_fields_of_lists_are_joined_and_the_strictest_wish_holds():
    found = pages(
        a=page("a", "x", more="subjects: [one]\ncreated: 2026-02-02\n"),
        b=page(
            "b",
            "x",
            more="subjects: [two]\ncreated: 2026-01-01\nkey: k\n"
            "sensitivity: sensitive\n",
        ),
    )

    done = tidied(Plan((Merge("a.md", ("b.md",)),)), found)

    fields = read((after(done)["alpha/a.md"] or "").encode()).fields
    assert fields["subjects"] == ["one", "two"]
    assert (fields["created"], fields["sensitivity"]) == ("2026-01-01", "sensitive")
    assert done.said == ("alpha/a.md: of alpha/b.md only the history keeps: key",)


def test_a_block_of_code_goes_along_whole():
    code = "```\nfirst\n\nOne.\n```\n"
    found = pages(a=page("a", "x", "One.\n"), b=page("a", "x", f"One.\n\n{code}"))

    done = tidied(Plan((Merge("a.md", ("b.md",)),)), found)

    assert (after(done)["alpha/a.md"] or "").endswith(f"---\n\nOne.\n\n{code}")


def test_a_tag_is_renamed_where_it_stands_and_nothing_else_changes():
    done = tidied(Plan((), (Rename("Other", "new-name"),)))

    assert after(done) == {"alpha/c.md": page("c", "new-name", "Three.\n").decode()}
    assert done.renamed == (Renamed("alpha", "other", "new-name", 1),)


def test_a_name_that_is_there_makes_the_two_one_tag():
    done = tidied(Plan((), (Rename("deploys", "Deploy"),)))

    assert after(done) == {"alpha/b.md": page("b", "deploy", "# A\n\nTwo.\n").decode()}
    assert done.renamed == (Renamed("alpha", "deploys", "deploy", 1, is_joined=True),)


def test_a_tag_is_renamed_in_every_layer_or_in_one():
    every = tidied(Plan((), (Rename("deploy", "ship"),)))
    one = tidied(Plan((), (Rename("deploy", "ship", "global"),)))

    assert after(every).keys() == {"alpha/a.md", "global/g.md"}
    assert after(one).keys() == {"global/g.md"}


def test_a_tag_is_spelled_anew_in_all_memories():
    found = pages(a=page("a", "Deploy Key"), b=page("b", "deploy-key, x"))

    done = tidied(Plan((), (Rename("deployKey", "deploy-key"),)), found)

    assert after(done) == {"alpha/a.md": page("a", "deploy-key").decode()}


@pytest.mark.parametrize(
    ("renames", "said"),
    [
        pytest.param((Rename("nothing", "x"),), "no memory has the tag", id="unknown"),
        pytest.param(
            (Rename("deploy", "x", "../.."),),
            "deploy is not renamed: ../.. is no layer to be changed here: those are"
            " alpha, global",
            id="in no layer",
        ),
        pytest.param((Rename("deploy", ""),), "is no tag", id="to nothing"),
        pytest.param((Rename("deploy", "!!"),), "is no tag", id="to no tag"),
        pytest.param((Rename("deploy", "a, b"),), "more than one tag", id="to two"),
    ],
)
def test_a_rename_that_cannot_be_is_left_out_and_said(renames, said):
    done = tidied(Plan((), renames))

    assert done.changes == ()
    assert said in " ".join(done.said)


def test_two_tags_change_names_with_each_other():
    swap = (Rename("deploy", "other"), Rename("other", "Deploy"))

    done = tidied(Plan((), swap))

    assert after(done) == {
        "alpha/a.md": (
            "---\ndescription: a\ntags: [other, rsync] # kept\n---\n\n# A\n\nOne.\n"
        ),
        "alpha/c.md": page("c", "Deploy", "Three.\n").decode(),
        "global/g.md": page("g", "other", "Four.\n").decode(),
    }
    assert done.renamed == (
        Renamed("alpha", "deploy", "other", 1),
        Renamed("alpha", "other", "Deploy", 1),
        Renamed("global", "deploy", "other", 1),
    )
    assert done.said == ()


def test_the_renames_of_a_plan_are_done_at_once_in_whatever_order():
    chain = (Rename("deploys", "deploy", "alpha"), Rename("deploy", "ship", "alpha"))

    done, other = tidied(Plan((), chain)), tidied(Plan((), chain[::-1]))

    assert done.changes == other.changes
    assert set(done.renamed) == {
        Renamed("alpha", "deploys", "deploy", 1),
        Renamed("alpha", "deploy", "ship", 1),
    }


def test_two_tags_that_get_one_name_are_one_in_the_first_spelling():
    pair = (Rename("deploys", "Go-Live"), Rename("other", "golive"))

    done = tidied(Plan((), pair))

    assert [each.new for each in done.renamed] == ["Go-Live", "Go-Live"]


def test_a_tag_that_is_renamed_twice_has_the_first_name():
    done = tidied(Plan((), (Rename("other", "one"), Rename("other", "two"))))

    assert "tags: [one]" in (after(done)["alpha/c.md"] or "")
    assert "the first name counts" in done.said[0]


def test_every_tag_of_the_table_is_renamed_wherever_it_stands():
    names = ("PROJECT.md", "x.conflict-0123456789.md")
    found = {P("alpha", name): page("x", "deploy") for name in names}

    done = tidied(Plan((), (Rename("deploy", "ship"),)), found)

    assert done.renamed == (Renamed("alpha", "deploy", "ship", 2),)


def test_the_tags_of_packets_stay():
    found = {P("alpha/packets/2026/03/p.md"): page("p", "deploy")}

    assert tidied(Plan((), (Rename("deploy", "ship"),)), found).changes == ()


@pytest.mark.parametrize(
    ("removed", "total", "is_large"), [(1, 5, False), (2, 9, True), (20, 100, False)]
)
def test_more_than_a_fifth_is_much(removed, total, is_large):
    assert Removal("alpha", removed, total).is_large == is_large


NAMES = st.sampled_from(["a.md", "b.md", "c.md", "d.md", "x.md", "global/g.md"])
TAGS = st.sampled_from(["deploy", "Deploys", "rsync", "other", "new", "", "!", "a b c"])
MERGES = st.builds(
    Merge,
    NAMES,
    st.lists(NAMES, max_size=3).map(tuple),
    tags=st.none() | st.lists(TAGS, max_size=4).map(tuple),
)
PLANS = st.builds(
    Plan,
    st.lists(MERGES, max_size=5).map(tuple),
    st.lists(st.builds(Rename, TAGS, TAGS), max_size=5).map(tuple),
)
FOUR = THREE | OTHER | pages(d=page("d", "rsync, Deploys", "Four.\nOne.\n"))


def lines(found: dict[PurePosixPath, bytes]) -> set[tuple[str, str]]:
    """Give every line of the memories, with its layer."""
    return {
        (path.parts[0], line)
        for path, data in found.items()
        for line in read(data).body_text.split("\n")
        if line.strip()
    }


def left(done: Tidied) -> dict[PurePosixPath, bytes]:
    """Give the memories that there are afterwards."""
    now = FOUR | {each.path: each.after or b"" for each in done.changes}
    return {path: data for path, data in now.items() if data}


@given(plan=PLANS, rules=st.sampled_from([FREE, STRICT]))
@settings(max_examples=300, deadline=None)
def test_no_plan_loses_a_line_or_leaves_a_memory_without_a_tag(plan, rules):
    done = tidied(plan, FOUR, rules)

    kept = left(done)
    assert all(tags_of(read(data).fields) for data in kept.values())
    assert lines(FOUR) <= lines(kept)
    gone = {path for each in done.merged for path in each.dropped}
    assert gone == FOUR.keys() - kept.keys()


@given(plan=PLANS, rules=st.sampled_from([FREE, STRICT]))
@settings(max_examples=150, deadline=None)
def test_the_same_plan_comes_to_the_same_in_whatever_order_the_files_are(plan, rules):
    reversed_ = dict(reversed(FOUR.items()))

    assert tidied(plan, reversed_, rules) == tidied(plan, FOUR, rules)
