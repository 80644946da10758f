"""A memory is typed into a terminal, and an empty one is not made."""

import os
import pty
import subprocess
import sys

import pytest

RUN = [sys.executable, "-m", "gitmem"]


@pytest.fixture
def typed(gitmem, memory):
    """Run `gitmem ARGS` on a terminal, and type a text and Ctrl-D there."""

    def call(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        ours, theirs = pty.openpty()
        os.write(ours, text.encode() + b"\x04")
        done = subprocess.run(
            [*RUN, *arguments],
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        os.close(ours)
        os.close(theirs)
        return done

    return call


def test_a_text_is_typed_on_a_terminal_after_a_line_that_says_so(typed, gitmem):
    done = typed("write", "core/a.md", "--description", "a", text="typed\n")

    assert done.returncode == 0
    assert done.stderr == "Type the memory's text; end it with Ctrl-D on a new line.\n"
    assert gitmem("read", "core/a.md").out.endswith("\ntyped\n")


def test_a_terminal_without_any_text_makes_no_memory(typed, memory):
    done = typed("write", "core/a.md", "--description", "a")

    assert done.returncode == 1
    assert "error: There is no text to write to core/a.md.\n" in done.stderr
    assert not (memory / "beacon" / "core" / "a.md").exists()


def test_fields_alone_are_not_waited_for_on_a_terminal(typed):
    done = typed("write", "core/deploy.md", "--tag", "ship")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "stdin", ["", "\n", "---\ndescription: a\n---\n"], ids=["none", "blank", "fields"]
)
@pytest.mark.parametrize("more", [[], ["--description", "a"]], ids=["bare", "named"])
def test_a_new_memory_needs_a_text(gitmem, memory, stdin, more):
    said = gitmem("write", "core/a.md", *more, stdin=stdin)

    assert said.status == 1
    assert said.err.startswith("error: There is no text to write to core/a.md.\n")
    assert not (memory / "beacon" / "core" / "a.md").exists()
