"""Touching the disk safely: names, atomic writes, locks, and trees without links.

Knows nothing of memories or Git. Nothing here keeps an open handle.
"""
