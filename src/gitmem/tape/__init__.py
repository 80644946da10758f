"""The tape: anchors and threads, kept as append-only lines in the memory repository.

Its law: a line once written is never changed; what it says may be taken back by a
later one. Entries are read from the hosts' transcripts, and never copied. It must not
know who asks, nor what an agent is told.
"""
