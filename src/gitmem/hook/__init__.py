"""A door: what hosts run at the moments of a session.

Law: it ends with status 0 within its time, and prints the host's answer or nothing.
`light` imports nothing that costs time; whatever needs more is another process.
"""
