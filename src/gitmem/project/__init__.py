"""Which project a folder is, worked out by reading a few small files.

Runs no program, writes nothing, and believes a `.git` only when it belongs to this
user and names this very folder. Knows nothing of layers' contents, settings or sync.
"""
