"""What this machine knows of a host's sessions: which are at work, what each was told.

Losing it costs a rendering, or that something is told twice. Must not know how a host
speaks, or what is told.
"""
