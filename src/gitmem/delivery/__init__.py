"""Text for an agent: sections, the fence around them, and the budget they share.

Stored text is data: nothing leaves here that could close the fence, and the same view
gives the same bytes. Knows no host, reads no disk, and asks no clock.
"""
