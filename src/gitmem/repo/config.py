"""Hold a repository's own configuration against the keys that are harmless; pure.

An allow-list: Git has dozens of keys that run a program or send data elsewhere, and a
list of the bad ones never ends.
"""

import re
from collections.abc import Iterable
from typing import Final

from gitmem.errors import BadConfig
from gitmem.files.names import shown

_HARMLESS: Final = re.compile(
    r"""
    core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase
          |precomposeunicode|symlinks|autocrlf|eol|safecrlf|hidedotfiles|quotepath
          |untrackedcache|preloadindex|commentchar|abbrev|compression|loosecompression
          |bigfilethreshold|fsync|fsyncmethod|sharedrepository|protecthfs|protectntfs
          |deltabasecachelimit|packedgitlimit|multipackindex|commitgraph
          |sparsecheckout|sparsecheckoutcone|checkstat|trustctime|ignorestat|splitindex)
    | remote\.[^.]+\.(url|fetch|tagopt|prune|skipdefaultupdate|skipfetchall)
    | branch\.(autosetupmerge|autosetuprebase|.+\.(remote|merge|rebase|description))
    | user\.(name|email|useconfigonly|signingkey)
    | (author|committer)\.(name|email)
    | (pull|push|fetch|rebase|merge|rerere|status|log|color|column|advice|gc|index
      |maintenance|pack|receive|transfer|init|checkout|feature|stash|tag|am|apply
      |commit|blame|branch|help|gui|diff|format|versionsort|clean)\.[a-z]+
    | color\.[a-z]+\.[a-z]+
    | gui\.[a-z.]+
    | lfs\.repositoryformatversion
    | extensions\.(refstorage|noop|worktreeconfig)
    """,
    re.VERBOSE | re.DOTALL,
)
# Inside the sections above, these run a program or redirect data all the same.
_HARMFUL: Final = frozenset(
    {
        "diff.external",
        "gc.recentobjectshook",
        "init.templatedir",
        "push.gpgsign",
        "receive.procreceiverefs",
        "help.browser",
        "help.format",
        "help.autocorrect",
        "fetch.bundleuri",
        "fetch.uriprotocols",
        "transfer.bundleuri",
        "transfer.fsckobjects",
        "format.signature",
    }
)


def refuse_harmful(items: Iterable[tuple[str, str]]) -> None:
    """Raise BadConfig for the first key that could run or redirect something."""
    for key, _ in items:
        name = _folded(key)
        if name in _HARMFUL or not _HARMLESS.fullmatch(name):
            raise BadConfig(
                f"The memory repository's own .git/config sets {shown(key)}, which "
                "gitmem does not follow.",
                "If you want it, set it in your own Git configuration; then run "
                f"`git config --local --unset-all {shown(key)}` there.",
            )


def value(items: Iterable[tuple[str, str]], key: str) -> str | None:
    """Give the last value of a key, as Git does, or None."""
    found = None
    for name, text in items:
        if _folded(name) == _folded(key):
            found = text
    return found


def parse(output: bytes) -> tuple[tuple[str, str], ...]:
    """Read the output of `git config --list -z`."""
    items = []
    for line in output.decode("utf-8", "surrogateescape").split("\0"):
        if line:
            key, _, text = line.partition("\n")
            items.append((key, text))
    return tuple(items)


def parse_origins(
    output: bytes,
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Read the output of `git config --list --show-origin -z`: files, and items."""
    parts = output.decode("utf-8", "surrogateescape").split("\0")
    origins = dict.fromkeys(parts[:-1:2])
    files = (
        origin.removeprefix("file:") for origin in origins if origin[:5] == "file:"
    )
    pairs = (text.partition("\n") for text in parts[1::2])
    return tuple(files), tuple((key, text) for key, _, text in pairs)


def _folded(key: str) -> str:
    """Fold the parts of a key that Git compares without case."""
    section, _, rest = key.partition(".")
    middle, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{middle}{dot}{name.lower()}"
