"""What a memory is: its file format, its tags, its place in a layer.

Memories are Markdown files that people edit too: reading never fails, writing changes
only what was asked for, and nothing here commits. Knows nothing of the catalog or Git.
"""
