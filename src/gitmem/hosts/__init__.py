"""How each host speaks, and how gitmem is put into it; translation only.

The law: a host's files keep every byte that gitmem did not add. The room knows nothing
of memories, sections or sync.
"""
