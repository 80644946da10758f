import asyncio
import threading
from dataclasses import replace
from datetime import UTC, datetime

from gitmem.daemon.runner import BROKEN_OFF, FAILED, OK, Past, Runner
from gitmem.errors import ErrorClass, Offline, Stopped

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def ran(*jobs, name="job"):
    """Run jobs one after another, and give how each went."""

    async def all_of_them():
        runner = Runner(now=lambda: NOW, on_end=lambda *_: None)
        pasts = [await runner.run(name, job) for job in jobs]
        runner.close()
        return [replace(past, seconds=0) for past in pasts]

    return asyncio.run(all_of_them())


def offline():
    raise Offline("no net", "wait")


def broken_off():
    raise Offline("broken off") from Stopped("ended")


def bug():
    raise KeyError("ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")


def test_failures_in_a_row_are_counted_and_a_success_ends_them():
    failed = Past(NOW, 0, FAILED, "no net", "wait", ErrorClass.OFFLINE, 1)

    assert ran(offline, offline, dict, offline) == [
        failed,
        replace(failed, failures=2),
        Past(NOW, 0, OK),
        failed,
    ]


def test_what_was_broken_off_on_purpose_is_no_failure():
    assert [past.outcome for past in ran(broken_off)] == [BROKEN_OFF]
    assert [past.failures for past in ran(offline, broken_off)] == [1, 1]


def test_a_bug_ends_its_job_only_and_tells_no_secret():
    (past,) = ran(bug)

    assert past.outcome == FAILED
    assert "KeyError" in past.message
    assert "ghp_A1b2" not in past.message


def test_a_job_that_is_asked_for_while_it_runs_is_run_once_more():
    gate = threading.Event()
    begun: list[int] = []
    ends: list[int] = []

    async def scene():
        runner = Runner(now=lambda: NOW, on_end=lambda *_: ends.append(len(begun)))

        def job():
            begun.append(1)
            gate.wait(5)

        first = runner.run("push", job)
        await asyncio.sleep(0.05)
        assert runner.run("push", job) is first
        assert runner.run("push", job) is first
        assert runner.join("push", job) is first
        gate.set()
        await first
        await asyncio.sleep(0.1)
        runner.close()

    asyncio.run(scene())
    assert len(begun) == 2
