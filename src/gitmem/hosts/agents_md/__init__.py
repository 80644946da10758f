"""Any agent that reads AGENTS.md: a block of lines between markers."""
