"""What putting gitmem into Claude Code takes: a plugin, and two lines that name it."""

from gitmem.hosts.claude_code import plugin
from gitmem.hosts.edit import Edit, Leftover, Member
from gitmem.hosts.place import Installation, Plan, Where, Wishes


def plan(where: Where, installation: Installation, wishes: Wishes) -> Plan:
    """Name the marketplace in the person's settings, and switch its plugin on.

    Claude Code takes it from there at its next start, and notes it in two files of its
    own.
    """
    folder = where.folder("CLAUDE_CONFIG_DIR", ".claude")
    settings = folder / "settings.json"
    source = {"source": "directory", "path": str(installation.assets(plugin.HOST))}
    identity = f"{plugin.NAME}@{plugin.NAME}"
    edits: list[Edit] = [
        Member(settings, ("extraKnownMarketplaces", plugin.NAME), {"source": source}),
        Member(settings, ("enabledPlugins", identity), value=True),
    ]
    if wishes.replaces_auto_memory:
        key = ("autoMemoryEnabled",)
        edits.append(Member(settings, key, value=False, is_shared=True))
    noted = folder / "plugins"
    edits += [
        Leftover(noted / "known_marketplaces.json", (plugin.NAME,)),
        Leftover(noted / "installed_plugins.json", ("plugins", identity)),
    ]
    steps = ("Start Claude Code anew; a session that runs does not take it up.",)
    return Plan(tuple(edits), plugin.files(installation), steps)
