"""The derived index: rows in SQLite, full text in tantivy, and finding in both.

Law: everything here can be deleted at any moment and costs only time. Files are read,
never written; a store that is broken, old or torn is replaced, never repaired.
Knows nothing of hosts, delivery or sync; git tells it only what changed.
"""
