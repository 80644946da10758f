"""The flags and variables under which every Git process runs.

They go by `GIT_CONFIG_COUNT`, which has the force of `-c`, reaches every helper that
Git starts, and does not show in `ps`.
"""

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

# What a person sets for Git on this machine that changes no repository and runs no
# program. Everything else that begins with GIT_ is dropped: GIT_DIR or GIT_INDEX_FILE
# inherited from a hook would make us commit into the project's repository.
KEPT_VARIABLES: Final = frozenset({"GIT_SSL_CAINFO", "GIT_SSL_CAPATH"})

# Ask nothing, and notice a host that is asleep.
SSH_OPTIONS: Final = (
    "-oBatchMode=yes -oConnectTimeout=10"
    " -oServerAliveInterval=5 -oServerAliveCountMax=3"
)
SSH_COMMAND: Final = f"ssh {SSH_OPTIONS}"

_CONFIG: Final[Mapping[str, str]] = {
    # Nothing in a repository may name a program that then runs.
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.attributesFile": "/dev/null",
    "core.askPass": "",
    "core.editor": ":",
    "core.pager": "cat",
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
    "push.gpgSign": "false",
    "log.showSignature": "false",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "push.recurseSubmodules": "no",
    # Bytes and names stay as they are, and none leads outside.
    "core.symlinks": "false",
    "core.fileMode": "false",
    "core.autocrlf": "false",
    "core.safecrlf": "false",
    "core.excludesFile": "/dev/null",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "core.quotePath": "false",
    # Two machines that merge the same lines make the same text of them, whatever
    # their owner set for Git.
    "merge.conflictStyle": "merge",
    "diff.algorithm": "myers",
    "status.renames": "false",
    "transfer.fsckObjects": "true",
    "fetch.fsckObjects": "true",
    # What changed is seen: by size and time in full, and by no cache of what was seen.
    "core.checkStat": "default",
    "core.trustctime": "true",
    "core.ignoreStat": "false",
    "core.untrackedCache": "false",
    "core.splitIndex": "false",
    "index.skipHash": "false",
    "index.sparse": "false",
    "diff.ignoreSubmodules": "none",
    # A file of the work tree that a log would read.
    "log.mailmap": "false",
    # What reached the disk survives a power cut.
    "core.fsync": "committed",
    "core.fsyncMethod": "batch",
    # Maintenance happens under our own lock, or not at all.
    "gc.auto": "0",
    "maintenance.auto": "false",
    "fetch.writeCommitGraph": "false",
    "fetch.prune": "false",
    # A background process asks nobody and waits for nobody.
    "credential.interactive": "false",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "100",
    "push.followTags": "false",
    "user.useConfigOnly": "false",
}

_VARIABLES: Final[Mapping[str, str]] = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_TERMINAL_PROMPT": "0",
    # Set but empty: unset would fall back to SSH_ASKPASS and then to a window.
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": ":",
}


def variables(
    root: Path,
    *,
    protocols: tuple[str, ...] = (),
    ssh_command: str = SSH_COMMAND,
    quiet_seconds: float = 10,
    may_lock: bool = True,
    is_flushed: bool = True,
) -> dict[str, str]:
    """Build the variables for one process in the repository at `root`.

    `protocols` are the only transports that it may use; a web server may send nothing
    for `quiet_seconds` in the middle of a transfer. A read passes
    `may_lock=False`, so that it never takes the index lock from an agent's commit.
    What can be had again is written with `is_flushed=False`: the system brings it to
    the disk when it likes.
    """
    config = {
        **_CONFIG,
        "core.ignoreCase": "true" if is_folding(root) else "false",
        "http.lowSpeedTime": str(max(1, math.ceil(quiet_seconds))),
    }
    if not is_flushed:
        config["core.fsync"] = "committed,-loose-object"
    chosen = {
        **_VARIABLES,
        # Git must not climb out of a damaged memory repository into a project's.
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_ALLOW_PROTOCOL": ":".join(protocols) or "none",
        "GIT_SSH_COMMAND": ssh_command,
        "GIT_OPTIONAL_LOCKS": "1" if may_lock else "0",
        "GIT_CONFIG_COUNT": str(len(config)),
    }
    for number, (key, value) in enumerate(config.items()):
        chosen[f"GIT_CONFIG_KEY_{number}"] = key
        chosen[f"GIT_CONFIG_VALUE_{number}"] = value
    return chosen


def is_folding(root: Path) -> bool:
    """Say whether the disk takes names that differ only in their case for one.

    A configuration says what somebody found once, maybe on another disk.
    """
    try:
        return os.path.samefile(root / ".git", root / ".GIT")
    except OSError:
        return False
