"""Foreign stores: what lies in them, and what of it becomes which memory.

Law: a source is only read, and nothing that is here is written over. Must not know
who commits, nor the doors.
"""
