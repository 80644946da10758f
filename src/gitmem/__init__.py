"""gitmem: one memory for every coding agent, kept as Markdown in Git."""

__version__ = "0.1.0"
