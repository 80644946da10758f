"""What a shell is offered for an argument that takes one of a few names."""

import click


def hosts(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Offer whatever gitmem can be put into."""
    from gitmem.hosts import registry  # not for parsing

    return [name for name in registry.names() if name.startswith(begun)]


def sessions_hosts(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Offer the hosts that are programs, and so have sessions."""
    from gitmem.hosts import registry  # not for parsing

    named = filter(registry.program, registry.names())
    return [name for name in named if name.startswith(begun)]


def events(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Offer the events of the host that was typed before."""
    from gitmem.hosts import registry  # not for parsing

    host = context.params.get("host")
    known = registry.events(host) if host in registry.names() else ()
    return [name for name in known if name.startswith(begun)]


def stores(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Offer the kinds of stores that can be imported."""
    from gitmem.importers import registry  # not for parsing

    return [name for name in registry.names() if name.startswith(begun)]
