"""Claude Code: its hooks, and the plugin that carries them."""
