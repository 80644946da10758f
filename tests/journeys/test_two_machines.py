"""What two people type on two machines, to the letter."""

# ruff: noqa: E501  a terminal has lines as long as they are

import pytest

pytestmark = pytest.mark.slow

OAK_BEGINS = """\
$ gitmem init ../../remote.git
Cloned the memory repository at ~/.local/share/gitmem/memory.
Its remote is /remote.git, its branch main.
Next: write a memory with `gitmem write`, see it with `gitmem context`.
$ printf 'One.\\n\\nShip with make ship.\\n\\nLast.\\n' | gitmem write core/deploy.md --description 'how to deploy'
Wrote beacon/core/deploy.md; `gitmem sync` commits it.
$ gitmem sync
Committed HASH.
Pushed.
"""
ELM_JOINS = """\
$ gitmem init ../../remote.git
Cloned the memory repository at ~/.local/share/gitmem/memory.
Its remote is /remote.git, its branch main.
Next: write a memory with `gitmem write`, see it with `gitmem context`.
$ gitmem context | grep -A2 'path: core'
- path: core/deploy.md
  description: how to deploy
</memory_files>
"""
OAK_WRITES = """\
$ perl -pi -e 's/make ship/make ship FAST/' "$(gitmem path --layer project)/core/deploy.md"
$ echo 'Port 8080.' | gitmem write notes/ports.md --description 'which ports are used'
Wrote beacon/notes/ports.md; `gitmem sync` commits it.
$ gitmem sync
Committed HASH.
Pushed.
"""
ELM_WRITES = """\
$ perl -pi -e 's/make ship/make ship SLOW/' "$(gitmem path --layer project)/core/deploy.md"
$ gitmem sync
Committed HASH.
Merged what another machine wrote with what was here.
Took in 3 files: beacon/core/deploy.conflict-HASH.md, beacon/core/deploy.md, beacon/notes/ports.md.
Both sides wrote the same lines; the other side is in beacon/core/deploy.conflict-HASH.md
Pushed.
$ cat "$(gitmem path --layer project)"/core/*.md
---
description: how to deploy
tags: []
created: "DAY"
updated: "DAY"
conflict_of: beacon/core/deploy.md
---

One.

Ship with make ship SLOW.

Last.
---
description: how to deploy
tags: []
created: "DAY"
updated: "DAY"
---

One.

Ship with make ship FAST.

Last.
"""
OAK_TAKES_IN = """\
$ gitmem sync pull
Nothing asked of the remote: the last fetch is recent enough.
$ gitmem sync pull --force
Took in 1 file: beacon/core/deploy.conflict-HASH.md.
$ ls "$(gitmem path --layer project)/core"
deploy.conflict-HASH.md
deploy.md
$ gitmem context | grep -A1 status
<memory_status>
1 conflict copy to settle: beacon/core/deploy.conflict-HASH.md.
</memory_status>
<memory_files source="project" directory="~/.local/share/gitmem/memory/beacon">
$ gitmem sync status
remote:       /remote.git
branch:       main
uncommitted:  0 files
not pushed:   0 commits
last commit:  AGE ago
last fetch:   AGE ago
last push:    AGE ago
to settle:    beacon/core/deploy.conflict-HASH.md
"""


def test_two_machines_write_the_same_line_and_both_keep_both(machine, bare_remote):
    oak, elm = machine("oak"), machine("elm")

    assert oak.replay(OAK_BEGINS) == OAK_BEGINS
    assert elm.replay(ELM_JOINS) == ELM_JOINS
    assert oak.replay(OAK_WRITES) == OAK_WRITES
    assert elm.replay(ELM_WRITES) == ELM_WRITES
    assert oak.replay(OAK_TAKES_IN) == OAK_TAKES_IN
    assert files(oak.memory) == files(elm.memory)


def files(root):
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
