"""The rules of the house hold, and each one notices when it is broken."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gitmem"
MODULE_LIMIT_LINES = 400
FUNCTION_LIMIT_LINES = 50
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
    "importlinter"
]["contracts"]

HISTORY = {"commit_tree", "drop_ref", "move_ref", "set_ref"}
HEAVY = {"click", "frontmatter", "git", "platformdirs", "pydantic", "pydantic_settings"}
HEAVY |= {"apscheduler", "ripgrepy", "tantivy", "watchfiles", "yaml"}
HEAVY |= {"anyio", "mcp", "mcp_types", "uvicorn", "rapidfuzz", "rich", "textual"}
# Imported by a function, when their library is needed anyway.
HEAVY_MODULES = re.compile(
    r"gitmem\.(cli|mcp_server|settings\.(build|cleaning|sources)"
    r"|tui\.(app|door|lines|screens))\b"
)
IMPORT_ALL = """\
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""

Rule = Callable[[Path, ast.Module], Iterator[str]]


def long_modules(path: Path, tree: ast.Module) -> Iterator[str]:
    if len(path.read_text("utf-8").splitlines()) > MODULE_LIMIT_LINES:
        yield path.name


def long_functions(path: Path, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            if node.end_lineno - node.lineno + 1 > FUNCTION_LIMIT_LINES:
                yield f"{path.name}: {node.name}"


def busy_packages(path: Path, tree: ast.Module) -> Iterator[str]:
    """A package's __init__ has a docstring and nothing else; the root has a version."""
    others = [node for node in tree.body[1:] if not isinstance(node, ast.Assign)]
    if path.name == "__init__.py":
        allowed = tree.body[1:] if path.parent.name != "gitmem" else others
        yield from (f"{path.parent.name}: line {node.lineno}" for node in allowed)


def silent_modules(path: Path, tree: ast.Module) -> Iterator[str]:
    if not ast.get_docstring(tree):
        yield path.name


def working_imports(path: Path, tree: ast.Module) -> Iterator[str]:
    """Nothing is called for its effect while a module is imported."""
    for node in tree.body:
        if isinstance(node, ast.For | ast.While | ast.With | ast.Try) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            yield f"{path.name}: line {node.lineno}"


def strange_historians(path: Path, tree: ast.Module) -> Iterator[str]:
    """Only sync makes a commit, or moves a branch."""
    if path.parent.name == "sync":
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in HISTORY:
            yield f"{path.name}: line {node.lineno}"


RULES = {
    long_modules: "x = 1\n" * (MODULE_LIMIT_LINES + 1),
    long_functions: "def f():\n" + "    pass\n" * FUNCTION_LIMIT_LINES,
    busy_packages: '"""A room."""\n\nfrom gitmem.errors import NotFound\n',
    silent_modules: "x = 1\n",
    working_imports: '"""A room."""\n\nopen("log")\n',
    strange_historians: "def f(repository):\n    repository.commit_tree()\n",
}


def broken(rule: Rule, folder: Path) -> list[str]:
    return [
        offence
        for path in sorted(folder.rglob("*.py"))
        for offence in rule(path, ast.parse(path.read_text("utf-8")))
    ]


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=root,
        env={"PYTHONPATH": str(root / "src"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def verdicts(output: str) -> dict[str, str]:
    return dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", output, flags=re.MULTILINE))


def rooms_on_disk():
    return {
        path.stem
        for path in SOURCE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"__init__", "__main__"}


def rooms_in_the_docs():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    return re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE)


def floors():
    """Number the floor of each room, the ground last."""
    layers = next(each for each in CONTRACTS if each["id"] == "floors")["layers"]
    return {
        room: number
        for number, layer in enumerate(layers)
        for room in re.findall(r"\w+", layer)
    }


def test_the_docs_name_every_room_from_the_ground_up():
    named = rooms_in_the_docs()

    assert sorted(named) == sorted(rooms_on_disk())
    assert named == sorted(named, key=floors().__getitem__, reverse=True)


@pytest.mark.parametrize("rule", RULES)
def test_the_source_keeps_the_rule(rule):
    assert broken(rule, SOURCE) == []


@pytest.mark.parametrize("rule", RULES)
def test_a_planted_violation_of_the_rule_is_noticed(rule, tmp_path):
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "__init__.py").write_text(RULES[rule], "utf-8")

    assert len(broken(rule, tmp_path)) == 1


def test_the_source_keeps_every_import_contract():
    done = lint_imports(ROOT)

    assert done.returncode == 0, done.stdout
    assert verdicts(done.stdout) == {each["name"]: "KEPT" for each in CONTRACTS}


def test_a_planted_violation_of_each_import_contract_is_noticed(tmp_path):
    shutil.copytree(SOURCE, tmp_path / "src" / "gitmem")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    libraries = sorted(
        library
        for contract in CONTRACTS
        if contract["id"].startswith("only-")
        for library in contract["forbidden_modules"]
    )
    planted = {
        "errors.py": ["gitmem.files.names", *libraries],
        "cli/quick.py": ["gitmem.settings.model"],
        "hook/light.py": ["os"],
        "settings/model.py": ["pydantic"],
        "delivery/sections/tags.py": ["gitmem.delivery.sections.files"],
        "importers/sources/folder.py": ["gitmem.importers.sources.claude_code"],
        "attic.py": ["gitmem.errors"],
    }
    for name, imports in planted.items():
        path = tmp_path / "src" / "gitmem" / name
        with path.open("a", encoding="utf-8") as module:
            module.writelines(f"\nimport {each}" for each in imports)

    done = lint_imports(tmp_path)

    assert done.returncode == 1
    assert verdicts(done.stdout) == {each["name"]: "BROKEN" for each in CONTRACTS}
    assert "gitmem.attic" in done.stdout
    assert [each for each in libraries if f"-> {each} (" not in done.stdout] == []


def test_a_heavy_library_is_not_imported_with_the_room_that_uses_it():
    modules = [
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        for path in SOURCE.rglob("*.py")
    ]
    light = [name for name in modules if not HEAVY_MODULES.match(name)]

    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *light],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert HEAVY & set(done.stdout.split()) == set()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("print('x')", "T201"),
        ("import os\n\nHOME = os.environ", "TID251"),
        ("import subprocess", "TID251"),
        ("from . import errors", "TID252"),
        ("try:\n    x = 1\nexcept Exception:\n    pass", "BLE001"),
        ("x = 1  # type: ignore", "PGH003"),
        ("x = 1  # noqa", "PGH004"),
    ],
    ids=["print", "environ", "subprocess", "relative", "catch-all", "ignore", "noqa"],
)
def test_the_linter_refuses(line, code):
    done = subprocess.run(
        [
            *(Path(sys.executable).with_name("ruff"), "check", "--no-cache"),
            *("--output-format", "concise", "--stdin-filename"),
            *(SOURCE / "files" / "planted.py", "-"),
        ],
        cwd=ROOT,
        input=line,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert f" {code} " in done.stdout
