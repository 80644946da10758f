"""How pi speaks, and what putting gitmem into it takes.

Both ends are here: the extension in `assets` runs inside pi and asks, `events` reads
what it asks.
"""
