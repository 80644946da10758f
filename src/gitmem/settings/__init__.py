"""Every knob of gitmem: what it is, who may turn it, and how it stands now.

Law: settings are read once for a command or session, frozen, and handed down; nothing
else reads the environment or a settings file, and a project's file is a
stranger's wish.
Knows nothing of Git, memories, hosts or the commands.
"""
