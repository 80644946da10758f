"""The tape of a project, as a person and an agent work with it."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.service.conftest import NOW

from gitmem.app import Caller
from gitmem.errors import NotFound, NotGranted, SecretRefused, UsageError
from gitmem.service import tape_words
from gitmem.service.answers import Visit
from gitmem.service.looking_back import Wanted
from gitmem.service.service import Service
from gitmem.service.tape_answers import Woven
from gitmem.service.weaving import Said
from gitmem.tape.anchor import HANDOFF, Meta, draft
from gitmem.tape.span import Marks, Span
from gitmem.tape.threads import CREATE, Node, Thread, event

VISIT = Visit("claude-code", "s1", "startup")


class Scene:
    """One machine with a tape, one session of Claude Code, and its transcript."""

    def __init__(self, connected, tmp_path, **settings):
        made = connected(
            TMPDIR=str(tmp_path / "temporary"),
            **{
                "GITMEM_TAPE__ENABLED": "true",
                "GITMEM_TAPE__ONLY_GIT": "false",
                **settings,
            },
        )
        made.init()
        self.said = 0
        self.rooms = replace(made.rooms, caller=Caller(), now=self.now)
        self.person = Service(self.rooms)
        slug = "".join(c if c.isalnum() else "-" for c in str(self.rooms.cwd))
        home = self.rooms.home
        self.transcript = home / ".claude" / "projects" / slug / "s1.jsonl"
        self.transcript.parent.mkdir(parents=True, exist_ok=True)

    def now(self):
        return NOW + timedelta(seconds=self.said, milliseconds=500)

    def agent(self, session="s1", host="claude-code"):
        """Give what the agent of a session works with."""
        return Service(replace(self.rooms, caller=Caller(host, session)))

    def say(self, *texts, role="user"):
        """Let the host write what was said."""
        with self.transcript.open("a", encoding="utf-8") as file:
            for text in texts:
                self.said += 1
                at = NOW + timedelta(seconds=self.said)
                line = {
                    "type": role,
                    "uuid": f"e{self.said}",
                    "sessionId": "s1",
                    "cwd": str(self.rooms.cwd),
                    "timestamp": at.isoformat(),
                    "message": {"role": role, "content": text},
                }
                file.write(json.dumps(line) + "\n")

    def turn(self, prompt):
        """Tell the session what it is told at a turn."""
        visit = replace(VISIT, reason="", transcript=str(self.transcript))
        return self.agent().session.turn(visit, prompt, str(self.transcript)).text

    def names(self):
        return [each.name for each in self.rooms.tape().anchors()]

    def begin(self):
        """Let the session begin and say something."""
        self.say("please deploy", "I begin")
        self.agent().session.start(replace(VISIT, transcript=str(self.transcript)))


@pytest.fixture
def make_scene(connected, tmp_path):
    return lambda **settings: Scene(connected, tmp_path, **settings)


@pytest.fixture
def scene(make_scene):
    return make_scene()


def manual(make_scene):
    made = make_scene(GITMEM_TAPE__ANCHOR__MODE="manual")
    made.begin()
    return made


KEYWORDS = {"GITMEM_TAPE__ANCHOR__KEYWORDS__GLOBAL": '["migration", "C++"]'}


def test_an_anchor_points_at_the_last_entry_of_its_session(scene):
    scene.begin()

    made = scene.agent().tape.handoff("task/begin", "deploy it", "deploy")

    assert (made.name, made.session, made.entry) == ("task/begin", "s1", "e2")
    assert (made.meta.trigger, made.meta.summary, made.meta.purpose) == (
        *("direct", "deploy it"),
        "deploy",
    )


def test_a_line_of_the_tape_has_its_keys_in_order(scene):
    scene.begin()
    scene.agent().tape.handoff("task/begin", "deploy it", "deploy")

    [path] = (scene.rooms.root / "tape" / "beacon").iterdir()
    line = path.read_text("utf-8").splitlines()[-1]
    assert path.name == "oak.jsonl"
    assert list(json.loads(line).items())[2:] == [
        ("name", "task/begin"),
        ("type", "handoff"),
        ("meta", {"trigger": "direct", "summary": "deploy it", "purpose": "deploy"}),
        ("sessionId", "s1"),
        ("sessionEntryId", "e2"),
    ]


def test_a_person_sets_an_anchor_in_the_session_at_work(scene):
    scene.begin()

    made = scene.person.tape.handoff("task/begin")

    assert (made.session, made.entry, made.meta.trigger) == ("s1", "e2", "manual")


def test_a_person_may_set_one_where_nobody_works(scene):
    made = scene.person.tape.handoff("task/begin")

    assert (made.session, made.entry) == ("", "")


def test_too_many_words_are_left_out(scene):
    made = scene.person.tape.handoff("a", "word " * 30, "one two three")

    assert len(made.meta.summary.split()) == 17
    assert made.meta.purpose == "one two…"


@pytest.mark.parametrize("name", ["", " \n ", "x" * 121, "session/start", "thread/x"])
def test_a_name_has_to_be_one(scene, name):
    with pytest.raises(UsageError):
        scene.person.tape.handoff(name)


def test_a_credential_does_not_get_onto_the_tape(scene):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    with pytest.raises(SecretRefused):
        scene.person.tape.handoff("task/begin", f"use {token}")
    assert scene.names() == []


def test_a_credential_that_another_wrote_is_masked_in_every_answer(scene):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    scene.begin()
    scene.say(f"take {secret}")
    tape, more = scene.rooms.tape(), {"deep": [{"er": secret}]}
    meta = Meta("manual", (secret,), f"use {secret}", secret, more)
    made = tape.add(draft(f"task/{secret}", HANDOFF, meta, session="s1", entry="e3"))
    tape.add(event(CREATE, None, title=f"with {secret}"))
    verbs = scene.person.tape

    found = verbs.search(Wanted(context_lines=1))
    answers = [
        found,
        verbs.read(Wanted()),
        verbs.info(),
        verbs.thread("status", Said()),
        verbs.delete([made[0].id]),
    ]

    assert secret not in repr(answers)
    assert found.anchors[0].anchor.id == made[0].id
    assert "take " in repr(found.anchors[0].context)


def test_manual_mode_refuses_the_agent_and_not_the_person(make_scene):
    scene = manual(make_scene)

    with pytest.raises(NotGranted, match="manual"):
        scene.agent().tape.handoff("task/begin")
    scene.person.tape.handoff("task/begin")
    assert scene.names() == ["session/startup", "task/begin"]


@pytest.mark.parametrize("command", ["/memory-anchor", "/gitmem:memory-anchor now"])
def test_the_person_allows_one_anchor(make_scene, command):
    scene = manual(make_scene)

    told = scene.turn(command)
    made = scene.agent().tape.handoff("task/begin")

    assert "call of tape_handoff" in told
    assert made.meta.trigger == "manual"
    with pytest.raises(NotGranted):
        scene.agent().tape.handoff("task/end")


def test_what_one_session_is_allowed_no_other_is(make_scene):
    scene = manual(make_scene)
    scene.agent("s2").session.start(replace(VISIT, id="s2"))
    scene.turn("/memory-anchor")

    with pytest.raises(NotGranted):
        scene.agent("s2").tape.handoff("task/begin")


@pytest.mark.parametrize(
    ("mode", "is_asked"), [("manual", False), ("auto", True)], ids=str
)
def test_a_projects_own_words_allow_nothing_in_manual_mode(
    mode, is_asked, connected, tmp_path
):
    project = connected().rooms.cwd
    (project / ".gitmem.toml").write_text(
        '[tape.anchor.keywords]\nproject = ["the"]\n', "utf-8"
    )
    scene = Scene(connected, tmp_path, GITMEM_TAPE__ANCHOR__MODE=mode)
    scene.begin()

    said = scene.turn("fix the tests please")

    assert ("handoff/keyword-the" in said) is is_asked


def test_a_keyword_tells_the_agent_a_name_and_allows_it(make_scene):
    scene = make_scene(GITMEM_TAPE__ANCHOR__MODE="manual", **KEYWORDS)
    scene.begin()

    told = scene.turn("begin the migration to C++ now")

    name = "handoff/keyword-migration-090002"
    assert name in told
    assert told.startswith('<memory_context moment="turn">\n<tape_leave>')
    with pytest.raises(NotGranted):
        scene.agent().tape.handoff("another")
    made = scene.agent().tape.handoff(name, "begin the migration", "migration")
    assert made.meta.trigger == "keyword"
    assert made.meta.keywords == ("migration", "C++")
    with pytest.raises(NotGranted):
        scene.agent().tape.handoff(name)


@pytest.mark.parametrize(
    "prompt", ["begin the work now", "migrate", "/migration please do", "/memory-x y z"]
)
def test_other_prompts_ask_for_nothing(make_scene, prompt):
    scene = make_scene(**KEYWORDS)
    scene.begin()

    assert "tape" not in scene.turn(prompt)


def test_where_the_tape_is_off_nothing_is_told_or_noted(make_scene):
    scene = make_scene(GITMEM_TAPE__ENABLED="false", **KEYWORDS)
    scene.begin()

    assert "tape" not in scene.turn("begin the migration now")
    with pytest.raises(NotFound, match=r"tape\.enabled"):
        scene.agent().tape.handoff("task/begin")
    assert scene.names() == []


def test_where_a_gate_is_shut_nothing_is_told_or_noted(make_scene):
    scene = make_scene(GITMEM_TAPE__ONLY_GIT="true", **KEYWORDS)
    scene.begin()

    assert "tape" not in scene.turn("begin the migration now")
    assert scene.names() == []


def test_a_session_notes_its_own_beginning_and_end(scene):
    visit = replace(VISIT, transcript=str(scene.transcript))
    session = scene.agent().session
    scene.say("please deploy")
    session.start(visit)
    session.start(visit)
    scene.say("go on")
    session.text(replace(visit, reason="compact"))
    session.start(replace(visit, reason="resume"))
    session.start(replace(visit, reason="clear"))
    scene.say("done")
    session.end("claude-code", "s1")
    session.end("claude-code", "s1")

    assert [(each.name, each.entry) for each in scene.rooms.tape().anchors()] == [
        ("session/startup", "e1"),
        ("session/compact", "e2"),
        ("session/resume", "e2"),
        ("session/new", "e2"),
        ("session/end", "e3"),
    ]


def test_the_end_of_a_session_is_committed_with_it(scene, git):
    scene.begin()
    scene.agent().session.end("claude-code", "s1")

    shown = git("show", "HEAD:tape/beacon/oak.jsonl", cwd=scene.rooms.root)
    assert "session/end" in shown


def test_what_followed_an_anchor_is_played(scene):
    scene.begin()
    scene.agent().tape.handoff("task/begin")
    scene.say("first", "second", "x" * 400)
    wanted = Wanted(Span(since_anchor="task/begin"), limit=3)

    played = scene.agent().tape.read(wanted)

    assert [each.text for each in played.entries] == ["first", "second", "x" * 300]
    assert played.entries[-1].is_cut
    assert played.after is not None
    assert played.after.name == "task/begin"


def test_a_long_part_is_played_from_its_anchor_on(scene):
    scene.begin()
    scene.agent().tape.handoff("task/begin")
    scene.say(*map(str, range(30)))

    played = scene.agent().tape.read(Wanted(Span(last_anchor=True)))

    assert [each.text for each in played.entries] == [*map(str, range(20))]
    assert played.more == 10


def test_the_end_is_played_where_no_anchor_is_named(scene):
    scene.begin()
    scene.say(*map(str, range(30)))

    played = scene.agent().tape.read(Wanted(limit=2, most_characters=None))

    assert [each.text for each in played.entries] == ["28", "29"]
    assert played.more == 30


def test_a_part_between_two_anchors_is_played(scene):
    scene.begin()
    scene.agent().tape.handoff("one")
    scene.say("first", "second")
    scene.agent().tape.handoff("two")
    scene.say("third")

    played = scene.agent().tape.read(Wanted(Span(between_anchors=("one", "two"))))

    assert [each.text for each in played.entries] == ["first", "second"]


def test_a_part_between_two_days_is_played(scene):
    scene.begin()

    day = Wanted(Span(between_dates=("2026-03-01", "2026-03-02")))
    before = Wanted(Span(between_dates=("2026-03-01", "2026-03-01")))
    assert len(scene.agent().tape.read(day).entries) == 2
    assert scene.agent().tape.read(before).entries == ()


def test_a_session_without_entries_falls_back_to_the_project(scene):
    scene.begin()

    played = scene.agent("s2").tape.read(Wanted())

    assert [each.text for each in played.entries] == ["please deploy", "I begin"]


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(Span(since_anchor="unknown")),
        Wanted(Span(last_anchor=True)),
    ],
)
def test_an_anchor_that_is_not_there_is_said(scene, wanted):
    with pytest.raises(NotFound):
        scene.agent().tape.read(wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(Span(between_dates=("yesterday", "today"))),
        Wanted(Span(since_anchor="a", last_anchor=True)),
        Wanted(Span(entry_scope="world")),
        Wanted(kinds=("memory",)),
        Wanted(types=("thought",)),
    ],
)
def test_what_there_is_not_is_refused(scene, wanted):
    with pytest.raises(UsageError):
        scene.agent().tape.read(wanted)


@pytest.mark.parametrize(
    ("marks", "names"),
    [
        (Marks(), ["two", "one", "session/startup"]),
        (Marks(name="TW"), ["two"]),
        (Marks(type="handoff"), ["two", "one"]),
        (Marks(summary="rsync"), ["one"]),
        (Marks(purpose="deploy"), ["one"]),
        (Marks(scan="deploy RSYNC"), ["one"]),
        (Marks(keywords=("x",)), []),
    ],
)
def test_anchors_are_found_by_what_they_say(scene, marks, names):
    scene.begin()
    scene.agent().tape.handoff("one", "copy with rsync", "deploy")
    scene.agent().tape.handoff("two", "copy with tar", "backup")

    found = scene.agent().tape.search(Wanted(marks=marks, kinds=("anchor",)))

    assert [each.anchor.name for each in found.anchors] == names


def test_entries_are_found_by_what_they_say_the_newest_first(scene):
    scene.begin()
    scene.say("deploy it again")

    found = scene.agent().tape.search(Wanted(marks=Marks(scan="Deploy")))

    assert [each.text for each in found.entries] == ["deploy it again", "please deploy"]


def test_an_anchor_is_shown_with_what_stands_beside_it(scene):
    scene.begin()
    scene.agent().tape.handoff("task/begin")
    scene.say("go on", "and on")
    wanted = Wanted(marks=Marks(name="task"), context_lines=1)

    [found] = scene.agent().tape.search(wanted).anchors

    assert [each.text for each in found.context] == [
        "please deploy",
        "I begin",
        "go on",
    ]


def test_the_tape_says_how_far_back_its_last_anchor_lies(scene):
    scene.begin()
    scene.agent().tape.handoff("task/begin")
    scene.say(*map(str, range(21)))

    info = scene.agent().tape.info()

    assert (info.entries, info.sessions, info.anchors) == (23, 1, 2)
    assert info.last_anchor is not None
    assert (info.last_anchor.name, info.entries_since) == ("task/begin", 21)
    assert "tape_handoff" in info.advice


def test_an_empty_tape_says_so(scene):
    info = scene.person.tape.info()

    assert (info.entries, info.anchors, info.last_anchor, info.advice) == (
        *(0, 0, None),
        "",
    )


def test_a_deleted_anchor_is_not_found(scene):
    made = scene.person.tape.handoff("task/begin")

    swept = scene.person.tape.delete([made.id])

    assert [each.name for each in swept.anchors] == ["task/begin"]
    assert scene.names() == []


def test_a_reset_begins_with_an_anchor_of_its_own(scene):
    scene.begin()
    scene.agent().tape.handoff("task/begin")

    swept = scene.person.tape.reset(archive=True)

    assert scene.names() == ["session/new"]
    assert swept.fresh is not None
    assert swept.fresh.entry == "e2"
    [path] = (scene.rooms.root / swept.aside).iterdir()
    assert "task/begin" in path.read_text("utf-8")


def weave(service, action, **said):
    return service.tape.thread(action, Said(**said))


def test_a_thread_grows_from_its_head(scene):
    scene.begin()
    agent = scene.agent()
    weave(agent, "create", name="deploy", summary="with rsync", decisions=("no ftp",))
    weave(agent, "branch", name="retry", next=("test it",), files=("gone.py",))

    woven = weave(agent, "resume")

    assert woven.resumed is not None
    assert [each.name for each in woven.resumed.path] == ["deploy", "retry"]
    assert woven.resumed.decisions == ("no ftp",)
    assert woven.resumed.next == ("test it",)
    assert (woven.resumed.files, woven.resumed.gone) == ((), ("gone.py",))
    [thread] = woven.threads
    assert {each.entry for each in thread.nodes} == {"e2"}


def test_a_thread_is_found_by_name_id_and_words(scene):
    person = scene.person
    first = weave(person, "create", name="deploy", summary="with rsync").threads[0]
    weave(person, "create", name="backup", summary="with tar")

    by_id = weave(person, "status", thread=first.id[:8]).threads
    by_words = weave(person, "search", query="RSYNC").threads
    assert [each.title for each in (*by_id, *by_words)] == ["deploy", "deploy"]
    assert len(weave(person, "status").threads) == 2


def test_a_checkout_moves_head_and_needs_no_leave(make_scene):
    scene = manual(make_scene)
    root = weave(scene.person, "create", name="deploy", summary="x").node
    weave(scene.person, "branch", name="retry")

    woven = weave(scene.agent(), "checkout", node=root[:6])

    assert woven.threads[0].heads == (root,)


def test_changes_need_leave_in_manual_mode(make_scene):
    scene = manual(make_scene)

    with pytest.raises(NotGranted, match="create"):
        weave(scene.agent(), "create", name="deploy")
    told = scene.turn("/memory-thread begin one about deploying")
    weave(scene.agent(), "create", name="deploy", summary="x")
    assert "tape_thread" in told
    with pytest.raises(NotGranted):
        weave(scene.agent(), "archive")
    assert len(weave(scene.agent(), "status").threads) == 1


def test_a_leave_is_not_used_up_by_what_cannot_be_done(make_scene):
    scene = manual(make_scene)
    scene.turn("/memory-thread begin one about deploying")

    with pytest.raises(NotFound):
        weave(scene.agent(), "branch", name="retry")
    assert weave(scene.agent(), "create", name="deploy").threads[0].title == "deploy"


def test_an_archived_thread_is_not_the_one_at_work(scene):
    weave(scene.person, "create", name="deploy", summary="x")
    woven = weave(scene.person, "archive")

    assert woven.threads[0].is_archived
    with pytest.raises(NotFound, match="no thread at work"):
        weave(scene.person, "branch", name="retry")


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("delete", {}),
        ("create", {}),
        ("create", {"name": "x" * 121}),
        ("update", {}),
        ("update", {"state": "paused"}),
        ("update", {"summary": "x" * 1001}),
        ("checkout", {}),
        ("search", {}),
    ],
)
def test_what_makes_no_sense_for_a_thread_is_refused(scene, action, said):
    weave(scene.person, "create", name="deploy", summary="x")

    with pytest.raises(UsageError):
        weave(scene.person, action, **said)


def test_a_summary_without_spaces_is_cut_and_stands(scene):
    scene.person.tape.handoff("a", "z" * 300_000, "p" * 300_000)

    [anchor] = scene.rooms.tape().anchors()
    assert (anchor.name, len(anchor.meta.summary)) == ("a", 301)


def test_more_than_a_line_holds_is_refused_before_anything_is_written(scene):
    with pytest.raises(UsageError, match="20,000"):
        weave(
            scene.person,
            "create",
            name="a",
            decisions=tuple(f"{n:0990}" for n in range(300)),
        )

    assert scene.rooms.tape().threads() == ()


def test_a_thread_of_thousands_of_nodes_is_shown_whole():
    nodes = [Node(f"n{at}", f"{at}", NOW, f"n{at - 1}") for at in range(3_000)]
    thread = Thread("t", "long", NOW, NOW, tuple(nodes), ("n2999",))

    shown = tape_words.of_woven(Woven("status", (thread,))).splitlines()

    assert len(shown) == 3_001
    assert "HEAD" in shown[-1]


def test_a_start_says_that_a_tape_is_too_large(scene):
    scene.person.tape.handoff("a")
    [path] = scene.rooms.root.glob("tape/*/oak.jsonl")
    (path.parent / "elm.jsonl").write_bytes(b"{}\n" * 800_000)
    scene.person.write("core/deploy.md", b"how", {"description": "deploying"})

    said = scene.person.context().text

    assert "The tape is too large" in said
    assert "core/deploy.md" in said


def test_without_threads_there_are_none(make_scene):
    scene = make_scene(GITMEM_TAPE__THREAD="false")

    with pytest.raises(NotFound, match=r"tape\.thread"):
        weave(scene.person, "status")


def test_a_tape_may_lie_outside_the_memory(make_scene, tmp_path):
    scene = make_scene(GITMEM_TAPE__PATH=str(tmp_path / "apart"))

    scene.person.tape.handoff("task/begin")

    assert (tmp_path / "apart" / "beacon" / "oak.jsonl").exists()
    assert scene.names() == ["task/begin"]


def test_a_server_that_does_not_know_its_session_speaks_for_the_one_at_work(scene):
    scene.begin()

    made = scene.agent("mcp-1f").tape.handoff("task/begin")

    assert (made.session, made.entry) == ("s1", "e2")


def test_a_session_is_labelled_where_its_anchors_point(scene):
    scene.begin()
    for name in ("one", "two", "three", "four"):
        scene.agent().tape.handoff(name)

    [label] = scene.agent().tape.info().labels
    assert (label.entry, label.text) == ("e2", "⚓ two · three · four +2")


def test_a_start_that_a_turn_overtook_is_noted_all_the_same(scene):
    scene.say("please deploy")
    scene.turn("please deploy it")
    scene.begin()

    assert scene.names() == ["session/startup"]
