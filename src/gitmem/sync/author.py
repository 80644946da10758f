"""Who writes a commit: the person, the machine, and the session it came from."""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gitmem.repo.history import Change
    from gitmem.repo.objects import Identity

MACHINE_FILE: Final = "machine"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_NAMED_PATHS: Final = 3
# No mail ever goes there (RFC 2606).
NOBODY: Final = ".invalid"


@dataclass(frozen=True, slots=True)
class Author:
    """What a commit's trailers say; `session` is empty outside a session."""

    machine: str
    host: str = "cli"
    session: str = ""

    def outside_sessions(self) -> "Author":
        """Give who writes what no session has written, such as a merge."""
        return Author(self.machine, "", "") if self.session else self


def machine_id(folder: Path, configured: str | None, *, hostname: str) -> str:
    """Give this machine's stable name, made once and kept in its state folder."""
    if configured and (word := _word(configured)):
        return word
    path = folder / MACHINE_FILE
    try:
        found = _word(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        found = ""
    if not found:
        import secrets  # heavy: 5 ms

        from gitmem.files.atomic import private_folder, write

        found = (
            f"{_word(hostname.split('.', 1)[0]) or 'machine'}-{secrets.token_hex(3)}"
        )
        private_folder(folder)
        write(path, f"{found}\n".encode())
    return found


def identity(person: "Identity | None", machine: str) -> "Identity":
    """Commit as the person, or as gitmem on this machine where they have no name."""
    from gitmem.repo.objects import Identity

    return person or Identity("gitmem", f"gitmem@{machine}{NOBODY}")


def message(subject: str, author: Author, **extra: str) -> str:
    """Render a commit message: one line, and who wrote it as trailers."""
    trailers = {
        "Gitmem-Machine": author.machine,
        "Gitmem-Host": author.host,
        "Gitmem-Session": author.session,
        **{f"Gitmem-{name.title()}": text for name, text in extra.items()},
    }
    lines = [f"{name}: {_one_line(text)}" for name, text in trailers.items() if text]
    return f"{_one_line(subject)}\n\n" + "\n".join(lines) + "\n"


def subject_of(changes: "tuple[Change, ...]") -> str:
    """Say in one line what a commit holds: `memory(<layer>): <what>`."""
    layers = {c.path.parts[0] for c in changes if len(c.path.parts) > 1}
    layer = layers.pop() if len(layers) == 1 else "*" if layers else "."
    return f"memory({layer}): {_what(changes, layer)}"


def _what(changes: "tuple[Change, ...]", layer: str) -> str:
    groups = {
        "add": [c.path for c in changes if not c.old.mode],
        "update": [c.path for c in changes if c.old.mode and c.new.mode],
        "delete": [c.path for c in changes if not c.new.mode],
    }
    if len(changes) <= _NAMED_PATHS:
        phrases = [
            f"{verb} {', '.join(_below(path, layer) for path in paths)}"
            for verb, paths in groups.items()
            if paths
        ]
    else:
        phrases = [
            f"{verb} {len(paths)} {'file' if len(paths) == 1 else 'files'}"
            for verb, paths in groups.items()
            if paths
        ]
    return "; ".join(phrases)


def _below(path: PurePosixPath, layer: str) -> str:
    return str(path.relative_to(layer) if path.parts[0] == layer else path)


def _word(text: str) -> str:
    return _UNSAFE.sub("-", text.strip()).strip("-.")[:64]


def _one_line(text: str) -> str:
    """Keep a name with a line break from forging a trailer."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
