"""Sync: the only writer of history.

A cycle commits what lies in the work tree, brings what others pushed, merges in the
object store, pushes, and only then moves the work tree. Nothing is ever reset,
stashed, rebased or force-pushed. Knows no hosts and no doors, and keeps no state that
cannot be rebuilt from the repository.
"""
