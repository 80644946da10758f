"""Printing works on any terminal, and for a reader that leaves early."""

import io
import os
import subprocess
import sys

from gitmem.cli import output

RUN = [sys.executable, "-c"]


def test_what_a_terminal_cannot_spell_is_escaped(monkeypatch):
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)

    output.line("né \N{SNOWMAN}")

    assert narrow.buffer.getvalue() == "né \N{SNOWMAN}\n".encode()


def test_bytes_are_handed_on_unchanged():
    script = "from gitmem.cli.output import raw; raw(b'a\\r\\n\\xff')"

    done = subprocess.run([*RUN, script], capture_output=True, check=True)

    assert done.stdout == b"a\r\n\xff"


def test_a_reader_that_went_away_is_no_error():
    script = (
        "from gitmem.cli import output\n"
        "output.raw(b'x' * 99999)\n"
        "output.line('y' * 99999)\n"
    )
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [*RUN, script], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (0, b"")
