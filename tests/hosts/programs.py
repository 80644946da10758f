"""Where the hosts lie, once `tests/hosts/install` has brought them."""

import os
import shutil
from hashlib import sha256
from pathlib import Path

LOCKS = Path(__file__).parent / "locks"
# Read before a test takes the person's home and variables away.
CACHE = Path(
    os.environ.get("GITMEM_HOSTS") or Path.home() / ".cache" / "gitmem-hosts"
).absolute()
IN_CI = ("pi", "claude")
_CLAUDE = "node_modules/@anthropic-ai/claude-code-linux-*/claude"
_CODEX = "node_modules/@openai/codex-linux-*/vendor/*/bin/codex"
_PROGRAMS = {
    "pi": "node_modules/@mariozechner/pi-coding-agent/dist/cli.js",
    "pi_1_6": "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js",
    "claude": _CLAUDE,
    "codex": _CODEX,
    "opencode": "node_modules/opencode-linux-*/bin/opencode",
}


def names() -> tuple[str, ...]:
    """Name every host that can be installed."""
    return tuple(_PROGRAMS)


def folder(name: str) -> Path:
    """Name the folder of a host: another one as soon as its lock changes."""
    lock = (LOCKS / name / "package-lock.json").read_bytes()
    return CACHE / f"{name}-{sha256(lock).hexdigest()[:12]}"


def command(name: str) -> list[str]:
    """Give the command that starts a host, empty where it is not installed."""
    if not (folder(name) / "installed").exists():
        return []
    # The musl builds of the same programs lie beside them.
    found = sorted(
        each
        for each in folder(name).glob(_PROGRAMS[name])
        if "-musl/c" not in str(each)
    )
    program = str(found[0])
    return [_node(name), program] if program.endswith(".js") else [program]


def _node(name: str) -> str:
    """Find the Node that a host brings, or else the one on PATH."""
    brought = sorted(folder(name).glob("node_modules/node-linux-*/bin/node"))
    return str(brought[0]) if brought else shutil.which("node") or "node"
