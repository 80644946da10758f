"""`gitmem context` says what an agent is told; `--why` explains a turn."""


def test_why_lists_each_signal_and_verdict(gitmem, memory):
    out = gitmem("context", "--prompt", "how to deploy", "--why").out

    weighed = out.partition("</memory_context>\n\n")[2]
    assert "  beacon/core/deploy.md (note): cue\n" in weighed
    assert " words: words “deploy”" in weighed
    assert " recent" in weighed


def test_why_says_which_words_of_the_text_stand_where(gitmem, memory):
    gitmem(
        *("write", "core/ship.md", "--description", "the way to the harbour"),
        stdin="Never ship on a Friday.\n",
    )

    said = gitmem("context", "--prompt", "may I ship to the harbour", "--why")

    assert " text: in description “harbour”; path “ship”; body “ship”\n" in said.out
    assert "its text" not in said.out.partition("</memory_context>")[2]


def test_why_says_what_is_left_out_and_for_which_reason(gitmem, memory):
    gitmem(
        *("write", "core/old.md", "--description", "the old way to deploy"),
        stdin="---\nstatus: archived\n---\nold\n",
    )

    said = gitmem("context", "--prompt", "the old way to deploy", "--why")

    assert "beacon/core/old.md (note): status: archived" in said.out


def test_why_is_one_document_for_programs(gitmem, memory):
    found = gitmem("context", "--prompt", "how to deploy", "--why", "--json").json

    assert found.keys() == {"text", "before", "considered", "notices"}
    (only,) = found["considered"]
    assert (only["path"], only["verdict"]) == ("beacon/core/deploy.md", "cue")
    assert {each["name"] for each in only["signals"]} >= {"words", "recent"}


def test_why_needs_a_prompt(gitmem, memory):
    said = gitmem("context", "--why")

    assert said.status == 2
    assert "--prompt" in said.err


def test_why_says_so_where_nothing_was_weighed(gitmem, memory):
    said = gitmem("context", "--prompt", "a poem about spring", "--why")

    assert said.out.startswith("No memory was weighed")


def test_where_nothing_is_stored_an_agent_is_told_nothing(gitmem):
    gitmem("init")

    assert gitmem("context").err.startswith("Nothing is stored for this project yet")


def test_what_is_stored_and_not_told_at_a_start_is_counted(gitmem):
    gitmem("init")
    write = ("write", "--description", "how to deploy")
    gitmem(*write, "notes/deploy.md", stdin="Ship with make ship.\n")
    one = gitmem("context").err
    gitmem(*write, "notes/ship.md", stdin="Ship with make ship.\n")
    said = gitmem("context")

    assert said.status == 0
    assert one.startswith("Of 1 memory stored here none is told at a start")
    assert said.err.startswith("Of 2 memories stored here none is told at a start")
    assert "`gitmem search` find them" in said.err


def test_what_is_not_told_at_a_start_comes_up_at_a_turn(gitmem):
    gitmem("init")
    gitmem(
        *("write", "notes/deploy.md", "--description", "how to deploy"),
        stdin="Ship with make ship.\n",
    )

    said = gitmem("context", "--prompt", "how do we deploy")

    assert "beacon/notes/deploy.md" in said.out
