"""A machine as a host meets it: the real hook, run as hosts run it."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.daemon.conftest import Machine, machine, make_machine, remote_log

import gitmem
from gitmem.hook.light import LIMITS, OTHER_SECONDS

__all__ = ["machine", "make_machine", "remote_log"]

# The hook with all the time in the world: a busy machine must not fail a test.
PATIENT = """\
import sys
sys.path.append(sys.argv.pop(1))
import light
light.LIMITS, light.OTHER_SECONDS, light.PULSE_SECONDS = {}, 60.0, 20.0
light.main()
"""
CLIENT = Path(gitmem.__file__).with_name("hook") / "client.py"
# A busy machine takes long to start a program, and to end it.
SLACK_SECONDS = 20.0


@dataclass
class Answered:
    """What a hook printed, how it ended, and in which time."""

    status: int
    out: str
    err: str
    is_in_time: bool

    @property
    def text(self) -> str:
        """Give what reaches the model."""
        if not self.out:
            return ""
        found = json.loads(self.out)["hookSpecificOutput"]["additionalContext"]
        return str(found)


@dataclass
class Hook:
    """Claude Code on a machine, as far as its hooks go."""

    machine: Machine
    session: str = "s1"
    is_patient: bool = True

    def __call__(
        self, event: str, payload: dict[str, Any] | bytes | None = None, **run: Any
    ) -> Answered:
        """Run the hook of an event."""
        said = payload if isinstance(payload, bytes) else self.said(payload or {})
        chosen: dict[str, Any] = {
            "cwd": self.machine.folder,
            "env": self.environment({}),
            "stdout": subprocess.PIPE,
            **run,
        }
        began = time.monotonic()
        done = subprocess.run(
            [*self._command(), "claude-code", event],
            input=said,
            stderr=subprocess.PIPE,
            timeout=90,
            check=False,
            **chosen,
        )
        limit = LIMITS.get(event, OTHER_SECONDS) + SLACK_SECONDS
        return Answered(
            done.returncode,
            (done.stdout or b"").decode(),
            done.stderr.decode(),
            self.is_patient or time.monotonic() - began < limit,
        )

    def environment(self, more: dict[str, str]) -> dict[str, str]:
        """Say what a hook inherits from its host, the process of this test."""
        return {**self.machine.environment, "CLAUDE_PID": str(os.getpid()), **more}

    def _command(self) -> list[str | Path]:
        python = (sys.executable, "-I", "-S")
        if self.is_patient:
            return [*python, "-c", PATIENT, str(CLIENT.parent)]
        return [*python, CLIENT]

    def said(self, more: dict[str, Any]) -> bytes:
        """Say what Claude Code says of a session, and more."""
        about = {"session_id": self.session, "cwd": str(self.machine.folder)}
        return json.dumps({**about, **more}).encode()

    def start(self, source: str = "startup") -> Answered:
        return self("SessionStart", {"source": source})

    def turn(self, prompt: str = "go on") -> Answered:
        return self("UserPromptSubmit", {"prompt": prompt})

    def turn_in(self, variables: dict[str, str]) -> Answered:
        """Take a turn under other variables."""
        return self("UserPromptSubmit", env=self.environment(variables))

    def waiting(self, event: str, stdin: int) -> Answered:
        """Run a hook whose input does not end."""
        done = subprocess.run(
            [*self._command(), "claude-code", event],
            stdin=stdin,
            env=self.machine.environment,
            capture_output=True,
            timeout=90,
            check=False,
        )
        return Answered(
            done.returncode, done.stdout.decode(), done.stderr.decode(), True
        )

    def wrote(self, path: Path) -> Answered:
        given = {"tool_name": "Write", "tool_input": {"file_path": str(path)}}
        return self("PostToolUse", given)

    def end(self) -> Answered:
        return self("SessionEnd", {"reason": "other"})

    @property
    def log(self) -> str:
        path = self.machine.state.parents[1] / "gitmem.log"
        return path.read_text("utf-8") if path.exists() else ""


@pytest.fixture
def hook(machine: Machine) -> Hook:
    """Run hooks on a machine that has a memory of one file, and no daemon."""
    folder = machine.root / "beacon" / "core"
    folder.mkdir(parents=True)
    memory = "---\ndescription: how to deploy\n---\n# Deploy\n"
    (folder / "deploy.md").write_text(memory, "utf-8")
    return Hook(machine)


def is_quiet(said: Answered) -> bool:
    """Say whether the turn went on as if there were no hook."""
    return (said.status, said.out, said.err, said.is_in_time) == (0, "", "", True)
