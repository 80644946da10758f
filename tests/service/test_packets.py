"""Packets: archived by a session, recalled by a later one."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta

import pytest
from tests.service.conftest import NOW

from gitmem.app import Caller
from gitmem.errors import (
    GitmemError,
    InvalidMemory,
    NotFound,
    PathRefused,
    SecretRefused,
    UsageError,
)
from gitmem.packets import index, order
from gitmem.packets.read import read
from gitmem.service import archiving, packet_words, tape_words
from gitmem.service.answers import Visit
from gitmem.service.packet_answers import NOTE, PACKET, Said, Wanted
from gitmem.service.service import Service
from gitmem.service.weaving import Said as Told

AUTH = {
    "topic": "auth refactor",
    "summary": "Replaced the session cookies with JWT.",
    "tags": ["auth", "backend"],
    "files": ["src/auth.ts"],
    "decisions": ["Tokens live for an hour"],
    "next": "Write the migration.",
}
AWS_KEY = "AKIA" + "Q3EGRJXK7LWPZ2ND"
FAKE_KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


def handoff(**more):
    return Said("handoff", {**AUTH, **more})


def kept(service, path):
    """Read a packet from the disk."""
    packet = read((service.rooms.root / path).read_bytes())
    assert packet is not None
    return packet


def at(service, **later):
    """Give the service at a later moment."""
    moment = NOW + timedelta(**later)
    return Service(replace(service.rooms, now=lambda: moment))


@pytest.fixture
def project(service, git):
    """Make the project of the service a repository with one commit."""
    folder = service.rooms.cwd
    git("init", "--quiet", "--initial-branch=fix/login", folder, cwd=folder)
    (folder / "a.py").write_text("one\n", "utf-8")
    git("add", ".", cwd=folder)
    git("commit", "--quiet", "-m", "begin", cwd=folder)
    return folder


def connected_anew(service):
    """Let the project be looked at again."""
    from gitmem.project.identity import identify

    return Service(replace(service.rooms, project=identify(service.rooms.cwd)))


def test_a_packet_is_one_file_with_what_the_agent_said(service):
    filed = service.packets.archive(handoff())

    assert str(filed.path).startswith(
        "beacon/packets/2026/03/2026-03-02T09-00-00.000Z-handoff-auth-refactor-"
    )
    packet = kept(service, filed.path)
    assert packet.told.decisions == ("Tokens live for an hour",)
    assert (packet.origin.host, packet.origin.session) == ("pi", "s1")
    assert packet.origin.repo == "beacon"


def test_the_machine_adds_branch_commit_and_what_git_sees(service, project, git):
    (project / "a.py").write_text("two\n", "utf-8")
    (project / "日本語.py").write_text("new\n", "utf-8")
    (project / f"{FAKE_KEY}.txt").write_text("named like a key\n", "utf-8")
    (project / "node_modules").mkdir()
    (project / "node_modules" / "x.js").write_text("noise\n", "utf-8")

    filed = connected_anew(service).packets.archive(handoff())

    assert filed.packet.told.files == ("src/auth.ts", "a.py", "日本語.py")
    assert filed.packet.origin.branch == "fix/login"
    assert filed.packet.origin.commit == git("rev-parse", "HEAD", cwd=project).strip()


def test_a_contract_for_tags_does_not_hold_for_packets(connected):
    strict = connected(GITMEM_TAGS__CONTRACT="strict")
    strict.init()
    many = [f"tag {letter}" for letter in "abcdefgh"]
    filed = strict.packets.archive(handoff(tags=many))
    none = strict.packets.archive(handoff(tags=[]))
    assert list(kept(strict, filed.path).told.tags) == many
    assert kept(strict, none.path).told.tags == ()
    assert strict.check().checked.findings == ()


def test_two_at_once_are_two_packets(service):
    one = service.packets.archive(handoff(next="one"))
    two = service.packets.archive(handoff(next="two"))

    assert two.path.name == one.path.name.replace(".md", "-2.md")
    assert kept(service, one.path).told.next == "one"


def test_many_at_one_moment_are_all_kept(service):
    said = [handoff(next=f"step {number}") for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        filed = list(pool.map(service.packets.archive, said))
    steps = [kept(service, each.path).told.next for each in filed]
    assert steps == [f"step {number}" for number in range(6)]


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (Said("summary", AUTH), UsageError),
        (handoff(topic="t" * 161), InvalidMemory),
        (handoff(files=["../outside.py"]), PathRefused),
        (handoff(goal=f"use {FAKE_KEY}"), SecretRefused),
        (handoff(topic=f"rotate {FAKE_KEY}"), SecretRefused),
        (handoff(colour="blue"), UsageError),
    ],
    ids=["kind", "long", "outside", "secret", "secret topic", "field"],
)
def test_what_cannot_be_a_packet_is_refused_in_one_line(service, said, error):
    with pytest.raises(error) as proposed:
        service.packets.propose(said)
    with pytest.raises(error) as archived:
        service.packets.archive(said)
    assert "\n" not in str(archived.value)
    assert FAKE_KEY not in str(proposed.value) + str(archived.value)
    assert not (service.rooms.root / "beacon").exists()


def test_a_packet_is_committed_in_the_name_of_its_session(service):
    filed = service.packets.archive(handoff())
    service.sync()
    [version] = service.history(str(filed.path), limit=9)
    assert (version.host, version.session) == ("pi", "s1")


def test_what_is_asked_twice_is_the_same_question(service):
    later = at(service, minutes=5)
    assert service.packets.propose(handoff()) == later.packets.propose(handoff())
    assert not (service.rooms.root / "beacon").exists()


@pytest.mark.parametrize(
    "said",
    [
        handoff(topic=f"rotate {AWS_KEY}"),
        handoff(files=[f"/keys/{AWS_KEY}"]),
        handoff(tags=[f"a, {AWS_KEY}"]),
        handoff(**{AWS_KEY: "x"}),
        handoff(decisions=["one", f"use {AWS_KEY}"], summary="s" * 801),
        Said(AWS_KEY, AUTH),
        Said("checkpoint", {"task": f"rotate {AWS_KEY}", "summary": "s"}),
    ],
    ids=["topic", "file", "tag", "field", "item", "kind", "task"],
)
def test_a_refused_credential_comes_back_in_no_case_of_letters(service, said):
    with pytest.raises(GitmemError) as proposed:
        service.packets.propose(said)
    with pytest.raises(GitmemError) as archived:
        service.packets.archive(said)
    told = f"{proposed.value}{archived.value}{proposed.value.hint}"
    assert AWS_KEY.casefold() not in told.casefold()


def test_a_refusal_says_which_field_holds_a_credential(service):
    with pytest.raises(SecretRefused) as raised:
        service.packets.archive(handoff(commands=["ls", f"login {FAKE_KEY}"]))
    assert str(raised.value) == (
        "The packet's field commands seems to hold a credential: GitHub token."
    )


def test_where_a_credential_is_let_through_no_file_is_named_after_it(connected):
    service = connected(GITMEM_SECURITY__SECRETS="warn")
    service.init()
    filed = service.packets.archive(handoff(topic=f"rotate {AWS_KEY}"))
    assert AWS_KEY.casefold() not in str(filed.path)
    assert "-handoff-packet-" in filed.path.name
    assert filed.warnings != ()


def test_long_names_of_files_that_git_sees_stand_in_no_packets_way(service, project):
    folder = project.joinpath(*(letter * 80 for letter in "認証検索"))
    folder.mkdir(parents=True)
    [(folder / f"{number}{'長' * 70}.md").touch() for number in range(128)]

    filed = connected_anew(service).packets.archive(handoff())

    assert 20 < len(filed.packet.told.files) < 128
    assert kept(service, filed.path) == filed.packet


def test_a_small_limit_for_files_leaves_those_of_the_machine_out(connected, git):
    service = connected(GITMEM_SYNC__MAX_FILE_BYTES="2000")
    service.init()
    folder = service.rooms.cwd
    git("init", "--quiet", folder, cwd=folder)
    [(folder / f"{number:0100}.md").touch() for number in range(50)]

    filed = connected_anew(service).packets.archive(handoff())

    assert 1 < len(filed.packet.told.files) < 10
    assert len((service.rooms.root / filed.path).read_bytes()) <= 2_000


@pytest.fixture
def shelf(service):
    """Give a memory with packets of three days, and one note."""
    service.packets.archive(handoff())
    at(service, days=10).packets.archive(
        Said(
            "checkpoint",
            {
                "task": "token rotation",
                "summary": "Rotation of the auth tokens is half done.",
                "tags": ["auth"],
                "files": ["src/rotate.ts"],
            },
        )
    )
    at(service, days=20).packets.archive(
        handoff(topic="検索の改善", summary="全文検索を速くした。", tags=["search"])
    )
    service.write("notes/auth.md", b"Auth of the old site.\n", {"description": "auth"})
    return at(service, days=20)


def topics(service, query="", **wanted):
    found = service.packets.recall(Wanted(query, **wanted))
    return [hit.title for hit in found.hits]


def test_the_best_packet_for_the_words_comes_first_with_its_reasons(shelf):
    found = shelf.packets.recall(Wanted("JWT cookies"))
    assert found.hits[0].title == "auth refactor"
    assert found.hits[0].kind == "handoff"
    assert any("JWT" in why for why in found.hits[0].why)
    assert found.among == 3


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("rotate.ts", "token rotation"),
        ("migration", "auth refactor"),
        ("検索", "検索の改善"),
        ("backend", "auth refactor"),
    ],
    ids=["file", "body", "script", "tag"],
)
def test_topic_summary_tags_files_and_body_are_searched(shelf, query, expected):
    assert topics(shelf, query)[0] == expected


def test_all_tags_have_to_be_there(shelf):
    assert topics(shelf, "auth", tags=("auth", "backend")) == ["auth refactor"]
    assert topics(shelf, "auth", tags=("Auth",)) != []
    assert topics(shelf, "auth", tags=("auth", "search")) == []


def test_kind_and_date_count_before_the_limit(shelf):
    first = topics(shelf, "auth", limit=1)
    assert first == ["auth refactor"]
    assert topics(shelf, "auth", limit=1, kind="checkpoint") == ["token rotation"]
    since = date(2026, 3, 12)
    assert topics(shelf, "auth", limit=1, since=since) == ["token rotation"]
    assert topics(shelf, "auth", limit=1, since=date(2026, 3, 23)) == []


def test_without_words_the_newest_come_first(shelf):
    assert topics(shelf) == ["検索の改善", "token rotation", "auth refactor"]
    listed = shelf.packets.list(Wanted(kind="handoff"))
    assert [each.packet.told.topic for each in listed] == [
        "検索の改善",
        "auth refactor",
    ]
    assert shelf.packets.newest() == listed[0].path


def test_what_arrives_late_is_as_old_as_it_says(shelf):
    at(shelf, days=-400).packets.archive(handoff(topic="long ago"))
    assert topics(shelf)[-1] == "long ago"
    assert shelf.packets.list(Wanted())[-1].packet.told.topic == "long ago"


def test_a_packet_from_the_future_stands_below_all_others_with_a_mark(shelf):
    ahead = at(shelf, days=9_999).packets.archive(handoff(topic="from afar"))
    at(shelf, days=20, hours=20).packets.archive(handoff(topic="from another zone"))
    listed = shelf.packets.list(Wanted())
    recalled = shelf.packets.recall(Wanted()).hits
    found = shelf.packets.recall(Wanted("afar")).hits
    assert listed[0].packet.told.topic == "from another zone"
    assert (listed[-1].path, listed[-1].is_ahead) == (ahead.path, True)
    assert [each.is_ahead for each in listed[:-1]] == [False] * 4
    assert recalled[-1].path == ahead.path
    assert recalled[-1].why == found[0].why[:1] == (order.AHEAD,)
    assert shelf.packets.newest() == listed[0].path
    assert next(shelf.packets.index())["topic"] == "from afar"
    assert packet_words.of_shelved(listed).count(order.AHEAD) == 1


def test_a_packet_that_cannot_be_read_hides_no_other(shelf):
    folder = shelf.rooms.root / "beacon" / "packets" / "2026" / "03"
    (folder / "broken.md").write_bytes(b"---\npacket: handoff\n\xff\x00")
    (folder / "link.md").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.md")
    assert len(list(shelf.packets.index())) == 3
    assert topics(shelf, "JWT") != []


def test_other_memories_are_recalled_where_they_are_asked_for(shelf):
    found = shelf.packets.recall(Wanted("auth", kinds=(PACKET, NOTE)))
    kinds = {str(hit.path): hit.kind for hit in found.hits}
    assert kinds["beacon/notes/auth.md"] == "note"
    assert set(kinds.values()) == {"note", "handoff", "checkpoint"}
    only = shelf.packets.recall(Wanted("auth", kinds=(NOTE,)))
    assert [hit.kind for hit in only.hits] == ["note"]


def test_what_is_over_is_recalled_with_a_mark_and_not_unasked(shelf):
    shelf = at(shelf, days=9_999)  # files have the true time
    root = shelf.rooms.root / "beacon" / "notes"
    (root / "old.md").write_text("---\nstatus: superseded\ntags: [jobs]\n---\nWork.\n")
    (root / "ill.md").write_text("---\nsensitivity: sensitive\n---\nHealth.\n")

    asked = shelf.packets.recall(Wanted("work", kinds=(NOTE,))).hits
    tagged = shelf.packets.recall(Wanted(tags=("jobs",), kinds=(NOTE,))).hits
    unasked = shelf.packets.recall(Wanted(kinds=(NOTE,))).hits

    assert asked[0].why[0] == "not current (status: superseded)"
    assert tagged[0].why == ("not current (status: superseded)", "newest")
    assert [str(hit.path) for hit in unasked] == ["beacon/notes/auth.md"]


def test_a_model_is_asked_to_read_one_to_three(shelf):
    said = packet_words.of_recollection(shelf.packets.recall(Wanted("auth")))
    assert "path: beacon/packets/2026/03/2026-03-02T09-00-00.000Z-handoff" in said
    assert "Read the one to three" in said


def test_a_tag_that_nothing_has_is_answered_with_one_like_it(shelf):
    found = shelf.packets.recall(Wanted("auth", tags=("bakend",)))
    assert found.nearest_tags == ("backend",)
    assert "#backend" in packet_words.of_recollection(found)


def test_the_index_is_that_of_pi_warm_memory(shelf):
    entries = list(shelf.packets.index())
    assert [each["topic"] for each in entries] == [
        "auth refactor",
        "token rotation",
        "検索の改善",
    ]
    path = shelf.rooms.root / "beacon" / str(entries[0]["path"])
    assert path.name.startswith("2026-03-02T09-00-00.000Z-handoff-auth-refactor-")
    assert path.is_file()
    assert entries[0]["cwd"] == str(shelf.rooms.project.root)
    assert len(list(index.lines(entries))) == 4


def test_without_packets_there_is_no_newest(service):
    with pytest.raises(NotFound, match="no packet"):
        service.packets.newest()
    assert service.packets.recall(Wanted("auth")).hits == ()


def test_a_start_text_speaks_of_packets_once_there_are_some(service):
    service.write("core/a.md", b"Text.\n", {"description": "a"})
    before = service.context().text
    service.packets.archive(handoff())
    after = service.context().text
    assert "packet" not in before
    assert "`gitmem recall TOPIC`" in after
    at(service, minutes=5).packets.archive(handoff(topic="another"))
    assert service.context().text == after


def test_the_persons_command_allows_one_packet(service):
    visit = Visit("pi", "s1", "startup")
    archiving.allow(service.rooms, visit, "please /archive-session")
    assert not service.packets.take_leave()
    archiving.allow(service.rooms, visit, "/archive-session checkpoint before lunch")
    assert service.packets.take_leave()
    assert not service.packets.take_leave()
    archiving.allow(service.rooms, visit, "/gitmem:archive-session")
    other = Service(replace(service.rooms, caller=Caller("pi", "s2")))
    assert not other.packets.take_leave()


@pytest.fixture
def woven(connected, tmp_path):
    """Give a machine with a tape, and a thread whose HEAD is its second node."""
    made = connected(
        TMPDIR=str(tmp_path / "temporary"),
        GITMEM_TAPE__ENABLED="true",
        GITMEM_TAPE__ONLY_GIT="false",
    )
    made.init()
    made.tape.thread("create", Told(name="login", summary="one way in"))
    made.tape.thread("branch", Told(name="tokens"))
    return made


def test_a_packet_names_its_place_in_a_thread_and_resume_offers_it(woven):
    filed = woven.packets.archive(handoff())
    newest = at(woven, minutes=1).packets.archive(handoff(topic="second"))

    resumed = woven.tape.thread("resume", Told())

    [thread] = resumed.threads
    origin = filed.packet.origin
    assert (origin.thread, origin.node) == (thread.id, resumed.node)
    assert thread.node(origin.parent).name == "login"
    assert resumed.packet.path == newest.path
    assert str(newest.path) in tape_words.of_woven(resumed)
    at(woven, days=9_999).packets.archive(handoff(topic="from afar"))
    assert woven.tape.thread("resume", Told()).packet.path == newest.path


def test_a_node_without_a_packet_offers_none(woven):
    woven.packets.archive(handoff())
    resumed = woven.tape.thread("resume", Told(node="login"))
    assert resumed.packet is None
