"""Find what a person may want to mend in a memory repository; changes nothing."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import NotFound, PathRefused
from gitmem.files.tree import Tree
from gitmem.memory import activation, links, tags
from gitmem.memory.claims import layers, rivals
from gitmem.memory.findings import Finding, finding
from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import line_of, split
from gitmem.memory.inspection import inspect
from gitmem.memory.layout import SUFFIX, Layer, is_memory, is_packet
from gitmem.memory.load import load
from gitmem.memory.memory import Memory
from gitmem.memory.rules import Rules
from gitmem.memory.survey import Survey, survey
from gitmem.project.names import RESERVED, folded

README: Final = "readme.md"


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at, and what was found, in order of path and line."""

    layers: tuple[Layer, ...]
    memories: int
    findings: tuple[Finding, ...]


def check(
    tree: Tree,
    rules: Rules,
    *,
    shared_name: str | None,
    under: PurePosixPath | None = None,
) -> Checked:
    """Look at every file, or at those below one folder; nothing stops the scan.

    Raises NotFound when there is no such folder.
    """
    seen = survey(tree)
    root = under or PurePosixPath()
    if root.parts and root not in seen.folders and root not in seen.sizes:
        raise NotFound(f"{root} does not exist in the memory repository.")
    known = layers(tree, shared_name=shared_name)
    pages = _Pages(tree, rules, seen)
    found = [*seen.findings, *_place_findings(seen, known, shared_name)]
    found += pages.findings()
    found += _rival_findings(tree, known)
    found += rules_findings(tree)
    inside = {each for each in found if each.path.is_relative_to(root)}
    count = sum(path.is_relative_to(root) for path in pages.memories)
    return Checked(known, count, tuple(sorted(inside)))


class _Pages:
    """The memories of one check: each is read once, links are judged at the end."""

    def __init__(self, tree: Tree, rules: Rules, seen: Survey) -> None:
        self._tree = tree
        self._rules = rules
        self._seen = seen
        self._links: list[tuple[PurePosixPath, links.Link]] = []
        self._names: set[str] = set()
        self._tags: dict[str, set[str]] = defaultdict(set)
        self.memories: list[PurePosixPath] = []

    def findings(self) -> Iterator[Finding]:
        for path, size in sorted(self._seen.sizes.items()):
            if size > self._rules.max_file_bytes:
                yield finding(path, "too-large", detail=f"{size:,} bytes")
            if is_memory(path):
                self.memories.append(path)
                yield from self._page(path, size)
        yield from self._dead_links()
        yield from self._tag_totals()

    def _page(self, path: PurePosixPath, size: int) -> Iterator[Finding]:
        try:
            data = self._tree.read(path, limit_bytes=self._rules.max_file_bytes + 1)
        except NotFound:
            return
        except PathRefused as error:
            yield finding(path, "unreadable", detail=error.message)
            return
        memory = load(path, data, path.parts[0], size)
        self._remember(memory, data)
        yield from inspect(memory, data, self._rules)

    def _remember(self, memory: Memory, data: bytes) -> None:
        path = memory.path
        whole = path.with_suffix("").parts
        self._names.update(
            folded("/".join(whole[start:])) for start in range(len(whole))
        )
        said = (memory.title, *(memory.fields.get(each) for each in ("key", "name")))
        self._names.update(folded(name) for name in said if isinstance(name, str))
        if not is_packet(path):
            self._tags[path.parts[0]].update(map(tags.canonical, memory.tags))
        if b"](" in data or b"[[" in data or b"]:" in data:
            document = read(data)
            found = links.find(document.body_text, first_line=document.body_line)
            self._links += [(path, link) for link in found]

    def _dead_links(self) -> Iterator[Finding]:
        for path, link in self._links:
            if not (self._is_known(link) if link.is_wiki else self._leads(path, link)):
                yield finding(path, "dead-link", line=link.line, detail=link.target)

    def _is_known(self, link: links.Link) -> bool:
        name = folded(link.target)
        return name in self._names or name.removesuffix(SUFFIX) in self._names

    def _leads(self, path: PurePosixPath, link: links.Link) -> bool:
        """Follow a link from its file, else from the layer, as agents write them."""
        bases = (path, PurePosixPath(path.parts[0], "_"), PurePosixPath("_"))
        targets = [links.resolve(link, base) for base in bases]
        return any(
            target in self._seen.sizes or target in self._seen.folders
            for target in targets
            if target is not None
        )

    def _tag_totals(self) -> Iterator[Finding]:
        if self._rules.tag_contract != "strict":
            return
        for layer, found in sorted(self._tags.items()):
            if len(found) > tags.TAGS_PER_LAYER:
                detail = f"{len(found)} tags; at most {tags.TAGS_PER_LAYER} in a layer"
                yield finding(PurePosixPath(layer), "bad-tags", detail=detail)


def _place_findings(
    seen: Survey, known: Iterable[Layer], shared_name: str | None
) -> Iterator[Finding]:
    for path in seen.sizes:
        is_text = path.name.lower().endswith(SUFFIX)
        if is_text and len(path.parts) == 1 and folded(path.name) != README:
            yield finding(path, "no-layer")
    for layer in known:
        if not layer.is_shared and folded(layer.name) in RESERVED:
            detail = f"memory_dir.global_memory is {shared_name or 'unset'}"
            yield finding(layer.path, "shared-layer-off", detail=detail)


def _rival_findings(tree: Tree, known: Iterable[Layer]) -> Iterator[Finding]:
    for remote, claiming in rivals(known).items():
        for layer in claiming:
            others = ", ".join(each.name for each in claiming if each != layer)
            detail = f"{remote}, also by {others}"
            line = _claim_line(tree, layer)
            yield finding(layer.claim, "claimed-twice", line=line, detail=detail)


def rules_findings(tree: Tree) -> Iterator[Finding]:
    """Say why the rules of `activation.yaml` are not used, if they are not."""
    limit = activation.LIMIT_BYTES + 1
    try:
        read = activation.parse(tree.read(activation.PATH, limit_bytes=limit))
    except (NotFound, PathRefused):
        return
    if read.problem:
        yield finding(
            activation.PATH, "bad-activation", line=read.line, detail=read.problem
        )


def _claim_line(tree: Tree, layer: Layer) -> int:
    try:
        return line_of(split(tree.read(layer.claim)), "remotes")
    except (NotFound, PathRefused):
        return 1
