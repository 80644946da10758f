"""opencode: a plugin without dependencies, and an MCP server."""
