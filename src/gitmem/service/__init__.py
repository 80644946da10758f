"""Every verb of the program by name, each a few lines that delegate; values in and out.

Its law: a door, such as the command line, adds nothing to a verb but words. It must not
know who asks, print, or build a room by itself: the rooms are handed in.
"""
