"""Tags are tidied on one machine while another one writes, to the letter."""

# ruff: noqa: E501  a terminal has lines as long as they are

import pytest

pytestmark = pytest.mark.slow

OAK_BEGINS = """\
$ gitmem init ../../remote.git
Cloned the memory repository at ~/.local/share/gitmem/memory.
Its remote is /remote.git, its branch main.
Next: write a memory with `gitmem write`, see it with `gitmem context`.
$ for n in a b c d e; do printf "Said $n.\\n" | gitmem write core/$n.md --description "what $n said" --tag tag-$n; done
Wrote beacon/core/a.md; `gitmem sync` commits it.
Wrote beacon/core/b.md; `gitmem sync` commits it.
Wrote beacon/core/c.md; `gitmem sync` commits it.
Wrote beacon/core/d.md; `gitmem sync` commits it.
Wrote beacon/core/e.md; `gitmem sync` commits it.
$ gitmem sync
Committed HASH.
Pushed.
$ gitmem tags
beacon: 5 memories, 5 tags
     1  #tag-a
     1  #tag-b
     1  #tag-c
     1  #tag-d
     1  #tag-e
5 memories came since the beginning; it is due at 20.
"""
ELM_JOINS = """\
$ gitmem init ../../remote.git
Cloned the memory repository at ~/.local/share/gitmem/memory.
Its remote is /remote.git, its branch main.
Next: write a memory with `gitmem write`, see it with `gitmem context`.
"""
OAK_TIDIES = """\
$ gitmem tags rename tagA TagE
Renamed #tag-a to #tag-e, which is there: they are one tag (1 memory of beacon).
Committed HASH; `gitmem undo` takes it back.
$ echo '{"merges": [{"keep": "core/a.md", "drop": ["core/b.md", "core/c.md"]}]}' > plan.json
$ gitmem tags compact --plan plan.json
error: The plan would remove 2 of 5 memories of beacon: more than a fifth.
hint: Look at it with --dry-run; if that is meant, say it with --yes.
[1]
$ gitmem tags compact --plan plan.json --yes
Merged beacon/core/b.md, beacon/core/c.md into beacon/core/a.md.
Committed HASH; `gitmem undo` takes it back.
$ gitmem read core/a.md
---
description: what a said
tags: [tag-e, tag-b, tag-c]
created: "DAY"
updated: "DAY"
---

Said a.

what b said

Said b.

what c said

Said c.
$ gitmem tags
beacon: 3 memories, 4 tags
     2  #tag-e
     1  #tag-b
     1  #tag-c
     1  #tag-d
0 memories came since it was tidied AGE ago; it is due at 20.
$ gitmem sync
Pushed.
"""
ELM_WRITES = """\
$ printf 'Said c, and more.\\n' | gitmem write core/c.md
Wrote beacon/core/c.md; `gitmem sync` commits it.
$ gitmem sync
Committed HASH.
Merged what another machine wrote with what was here.
Took in 1 file, 1 deletion: beacon/core/a.md, beacon/core/b.md.
Pushed.
$ gitmem search --tag TAG_C | grep '^[0-9]'
1. beacon/core/c.md
2. beacon/core/a.md
"""
OAK_UNDOES = """\
$ gitmem undo
Took back HASH memory(beacon): merge 2 memories
Committed HASH.
Changed 3 files: beacon/core/a.md, beacon/core/b.md, beacon/core/c.md.
Next: `gitmem sync` brings it to your other machines.
$ cat "$(gitmem path --layer project)"/core/[abc].md | grep Said
Said a.
Said b.
Said c, and more.
Said c.
"""


def test_what_is_tidied_here_loses_nothing_that_is_written_there(machine, bare_remote):
    oak, elm = machine("oak"), machine("elm")

    assert oak.replay(OAK_BEGINS) == OAK_BEGINS
    assert elm.replay(ELM_JOINS) == ELM_JOINS
    assert oak.replay(OAK_TIDIES) == OAK_TIDIES
    assert elm.replay(ELM_WRITES) == ELM_WRITES
    oak.type("gitmem sync")
    assert oak.replay(OAK_UNDOES) == OAK_UNDOES
