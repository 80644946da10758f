"""Codex: hooks in the shape of Claude Code, an MCP server, and AGENTS.md."""
