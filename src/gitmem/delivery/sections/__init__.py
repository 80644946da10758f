"""One file a section: `render(view)` gives blocks of text, or none.

A section knows the view and the fence, no host, no budget and no other section.
"""
