"""A door: the tape on a screen, as plain text, and as a page.

Law: what is shown is made by pure modules of clean text, and the screens only draw it.
Nothing that is stored can act on a terminal, a browser or a markup. It must not know
how a tape is kept; it asks the service.
"""
