"""The tools of the MCP server, as the pi package names them; run it to write them."""

import json
from pathlib import Path

from gitmem.hosts import pi

PLACE = Path(pi.__file__).parent / "assets" / "tools.json"


def offered() -> str:
    """Write what pi has to know of each tool before the server is started."""
    from gitmem.mcp_server.packet_tools import packet_tools
    from gitmem.mcp_server.tape_tools import tape_tools
    from gitmem.mcp_server.tools import memory_tools

    found = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.parameters,
        }
        for tool in (*memory_tools(), *packet_tools(), *tape_tools())
    ]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(offered(), "utf-8")
