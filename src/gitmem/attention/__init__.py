"""Deciding what is worth saying now, and why; pure.

Knows no host and no file: values come in, a choice with its reasons goes out.
"""
