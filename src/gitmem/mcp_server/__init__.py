"""The door for MCP clients: tools, resources and prompts over the memory.

Law: nothing but the protocol goes to stdout, and no memory is written unconfirmed.
Must not know how a memory is stored, found or synced; it asks the service.
"""
