"""Make the memory repository: new, from a remote, or out of what is already there.

A repository is put together beside its place and moved there in one step, so that a
failure or a kill leaves nothing half-made behind.
"""

import contextlib
import glob
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import (
    AuthRefused,
    BadConfig,
    NoRepository,
    Offline,
    PathRefused,
)
from gitmem.files.atomic import TEMPORARY_PREFIX, private_folder
from gitmem.files.lock import locked
from gitmem.files.space import flush
from gitmem.files.tree import Tree
from gitmem.memory.frontmatter.read import read
from gitmem.repo import config, locks
from gitmem.repo.address import Address, parse
from gitmem.repo.command import Command, require_git
from gitmem.repo.history import TreeEntry
from gitmem.repo.remote import Remote, RemoteRefs
from gitmem.repo.repository import Repository, initialise
from gitmem.settings import checks
from gitmem.sync import record as records
from gitmem.sync.apply import lay_out
from gitmem.sync.engine import LOCK_NAME, Engine
from gitmem.sync.litter import swept
from gitmem.sync.options import Options
from gitmem.sync.workspace import SEEN

# What other Git clients and hosts need to know; gitmem itself is bound by neither.
ATTRIBUTES: Final = "*.jsonl merge=union\n*.md text eol=lf\n"
# What editors and systems leave lying about, and what is derived.
IGNORED: Final = f"""\
{TEMPORARY_PREFIX}*
.DS_Store
*~
.*.sw?
\\#*#
*.sqlite
*.sqlite-*
"""
# As many memories are looked into to tell a memory repository from a project's code.
SAMPLE: Final = 50
_NEUTRAL_SUFFIXES: Final = frozenset({".md", ".jsonl", ".yaml", ".yml", ".txt"})


class Made(StrEnum):
    """How the repository came to be."""

    CREATED = "created"
    CLONED = "cloned"
    ADOPTED = "adopted"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Created:
    """A memory repository that is ready, and the branch that it is on."""

    made: Made
    branch: str


def create(options: Options, *, may_adopt: bool = False) -> Created:
    """Create, clone or adopt the repository at `options.root`.

    With `may_adopt` a folder with files in it becomes a repository, and a remote that
    does not look like a memory is taken all the same.
    """
    require_git()
    address = parse(options.url) if options.url else None
    # What is moved to the place of a link would take the link's place instead.
    options = replace(options, root=options.root.resolve())
    private_folder(options.state)
    with (
        locked(options.state / LOCK_NAME, timeout_seconds=options.lock_seconds),
        swept(options.root, options.state),
    ):
        if (options.root / ".git").exists():
            return _adopt(options, address, may_adopt=may_adopt)
        if not _is_vacant(options.root):
            if not may_adopt:
                raise _occupied(options.root)
            return _build_inside(options, address)
        return _build_beside(options, address, may_adopt=may_adopt)


def set_remote(options: Options, url: str) -> Address:
    """Point an existing repository at another remote; nothing is pushed yet."""
    address = parse(url)
    repository = Repository(options.root)
    # Forgotten first: what was seen there would be missed at the other remote.
    for prefix in (SEEN, "refs/remotes/origin/"):
        for ref, oid in repository.refs(prefix).items():
            repository.drop_ref(ref, old=oid)
    _point(repository, address)
    known = records.load(options.state)
    records.save(options.state, known.about(address.text, options.branch))
    return address


def _remember_fetch(options: Options, address: Address, branch: str, tip: str) -> None:
    """Note that a clone is a fetch: the next pull need not ask again."""
    known = records.load(options.state).about(address.text, branch)
    fetched = known.fetch.succeeded(tip, options.now())
    records.save(options.state, replace(known, fetch=fetched))


def _build_beside(
    options: Options, address: Address | None, *, may_adopt: bool
) -> Created:
    with _workshop(options.root) as folder:
        initialise(folder, options.branch)
        branch = options.branch
        made = Made.CREATED
        if address is not None:
            branch = _bring(replace(options, root=folder), address, may_adopt=may_adopt)
            made = Made.CLONED
        _furnish(Tree(folder))
        Engine(replace(options, root=folder, branch=branch, url=None)).commit_unlocked(
            "memory(.): begin" if made is Made.CREATED else ""
        )
        flush(folder)
        folder.rename(options.root)
    if address is not None:
        tip = Repository(options.root).refs(SEEN).get(f"{SEEN}{branch}", "")
        _remember_fetch(options, address, branch, tip)
    return Created(made, branch)


def _build_inside(options: Options, address: Address | None) -> Created:
    with _workshop(options.root) as folder:
        initialise(folder, options.branch)
        if address is not None:
            _point(Repository(folder), address)
        # What there is of a repository from here on is whole.
        (folder / ".git").rename(options.root / ".git")
    _furnish(Tree(options.root))
    return Created(Made.ADOPTED, options.branch)


def _adopt(options: Options, address: Address | None, *, may_adopt: bool) -> Created:
    """Take a repository as it is; only what gitmem must have is added."""
    repository = Repository(options.root)
    items = repository.local_config()
    config.refuse_harmful(items)
    origin = config.value(items, "remote.origin.url")
    if address is not None and origin is not None and parse(origin) != address:
        raise BadConfig(
            f"{options.root} already is a repository with another remote.",
            "Keep that one with `gitmem init`, or change it: gitmem remote URL",
        )
    is_pointed = config.value(items, "remote.origin.fetch") is not None
    if address is not None and (origin is None or not is_pointed):
        locks.clear(repository.root, repository.git_folder)
        _point(repository, address)
    if origin is not None:
        parse(origin)
    is_known = records.load(options.state).commit.at is not None
    head = repository.head()
    if head is None:
        _furnish(Tree(options.root))
    elif not (may_adopt or is_known):
        _refuse_unlikely(repository, repository.tree(head), str(options.root))
    branch = repository.status().branch or options.branch
    return Created(Made.READY if is_known else Made.ADOPTED, branch)


def _bring(options: Options, address: Address, *, may_adopt: bool) -> str:
    """Fetch the remote's memory into a new repository, and lay out its files."""
    repository = Repository(options.root)
    _point(repository, address)
    repository.guard_attributes()
    remote = Remote(
        Command(options.root), address, timeout_seconds=options.timeout_seconds
    )
    with _hinted(address):
        offered = remote.refs()
    branch = _branch(offered, options.branch)
    tip_ref = f"refs/remotes/origin/{branch}"
    if branch not in offered.branches:
        return branch
    remote.fetch(branch, into=tip_ref, deepen=False, progress=options.progress)
    tip = repository.refs(tip_ref)[tip_ref]
    found = repository.tree(tip)
    if not may_adopt:
        _refuse_unlikely(repository, found, address.text)
    lay_out(repository, tip, found)
    repository.attach(branch)
    repository.move_ref(f"refs/heads/{branch}", tip, old=None)
    repository.set_ref(f"{SEEN}{branch}", tip)
    return branch


def _branch(offered: RemoteRefs, wanted: str) -> str:
    """Use the branch of the settings; else the one that the remote calls its own.

    One that the settings could not name is not used.
    """
    names = [name for name in sorted(offered.branches) if _is_usable(name)]
    if wanted in names or not names:
        return wanted
    return offered.default if offered.default in names else names[0]


def _is_usable(name: str) -> bool:
    try:
        return checks.branch(name) == name
    except ValueError:
        return False


def _refuse_unlikely(
    repository: Repository, found: Mapping[PurePosixPath, TreeEntry], where: str
) -> None:
    """Stop before a project's code is taken for a memory and committed to.

    Markdown alone is a memory. Where there is other content, too, it takes a memory in
    a layer that describes itself, and no more of the other than of Markdown.
    """
    other = [path for path in found if not _fits(path)]
    memories = [each.oid for path, each in found.items() if _is_in_a_layer(path)]
    described = any(
        read(data).fields.get("description")
        for data in repository.blobs(memories[:SAMPLE]).values()
    )
    if other and (len(other) * 2 > len(found) or not described):
        raise BadConfig(
            f"{where} does not look like a memory: {len(other)} of its {len(found)} "
            f"files are no Markdown, such as {other[0]}.",
            "If it is the right repository, run the command again with --adopt.",
        )


def _fits(path: PurePosixPath) -> bool:
    return path.suffix.lower() in _NEUTRAL_SUFFIXES or path.parts[0].startswith(".")


def _is_in_a_layer(path: PurePosixPath) -> bool:
    return len(path.parts) > 1 and path.suffix == ".md" and path.parts[0][0] != "."


def _point(repository: Repository, address: Address) -> None:
    repository.set_config("remote.origin.url", address.text)
    repository.set_config("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")


def _furnish(files: Tree) -> None:
    """Add the lines that are missing from the two files that other clients read."""
    for name, text in ((".gitattributes", ATTRIBUTES), (".gitignore", IGNORED)):
        path = PurePosixPath(name)
        found = files.find(path)
        lines = (found or b"").decode("utf-8", "surrogateescape").splitlines()
        missing = [line for line in text.splitlines() if line not in lines]
        if missing:
            whole = "\n".join([*lines, *missing]) + "\n"
            files.replace(
                path, whole.encode("utf-8", "surrogateescape"), expected=found
            )


def _is_vacant(root: Path) -> bool:
    try:
        return not any(root.iterdir())
    except FileNotFoundError:
        return True
    except NotADirectoryError:
        raise PathRefused(
            f"{root} is a file.", "Set memory_dir.local_path to a folder."
        ) from None


def _occupied(root: Path) -> NoRepository:
    return NoRepository(
        f"{root} holds files but is not a Git repository.",
        "To make it your memory as it is, run `gitmem init --adopt`; or set "
        "memory_dir.local_path to another folder.",
    )


@contextlib.contextmanager
def _hinted(address: Address) -> Iterator[None]:
    """Say what to do about a remote that does not answer before there is a memory."""
    try:
        yield
    except (Offline, AuthRefused) as error:
        hint = f"Nothing was made. Check the address: git ls-remote {address.text}"
        raise type(error)(error.message, hint) from error


@contextlib.contextmanager
def _workshop(root: Path) -> Iterator[Path]:
    """Give a folder beside `root` that is gone afterwards, unless it was moved."""
    parent = private_folder(root.parent)
    folder = parent / f"{TEMPORARY_PREFIX}init-{root.name}"
    _clear(folder)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        _clear(folder)


def _clear(folder: Path) -> None:
    """Remove a workshop, and those of the dead: the lock is ours.

    A Git that outlived them may still be writing: it goes on in a folder that was moved
    out of the way, and is gone when this is called again.
    """
    aside = folder.with_name(f"{folder.name}-{os.urandom(4).hex()}")
    with contextlib.suppress(FileNotFoundError):
        folder.rename(aside)
    for each in folder.parent.glob(f"{glob.escape(folder.name)}-????????"):
        shutil.rmtree(each, ignore_errors=True)
