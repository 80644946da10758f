"""One file for each kind of store: how it looks, and how it is read.

Must not know one another.
"""
