"""Packets: what a session hands over at its end, or notes in the middle of its work.

Its law: a packet is one Markdown file, whose frontmatter is its entry in the index, and
nothing else holds it. It must not know who asks, nor where a session runs.
"""
