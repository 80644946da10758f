"""The skills are valid for every host, and every command in them works."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import frontmatter
import pytest

SKILLS = Path(__file__).parents[2] / "skills"
NAMES = sorted(path.parent.name for path in SKILLS.glob("*/SKILL.md"))
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COPY = "notes/deploy.conflict-1a2b3c4d.md"
ALLOWED_FIELDS = {"name", "description", "license", "compatibility", "metadata"}
DEPLOY = "---\ndescription: how the site is deployed\ntags: [deploy]\n---\n\n# Deploy\n"


@pytest.fixture
def person(tmp_path: Path, empty_home: Path, bare_remote: Path, git) -> dict[str, str]:
    """Give a person with gitmem on PATH, in a project of theirs."""
    programs = tmp_path / "bin"
    programs.mkdir()
    script = programs / "gitmem"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gitmem "$@"\n')
    script.chmod(0o755)
    project = tmp_path / "site"
    project.mkdir()
    git("init", "-q", "-b", "main", cwd=project)
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PWD": str(project),
        "GITMEM_HOME": str(empty_home / "gitmem"),
        "URL": str(bare_remote),
        "WORDS": "deploy site",
        "TAG": "deploy",
        "LAYER": "site",
    }


def shell(script: str, person: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=person["PWD"],
        env=person,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def blocks(name: str) -> list[str]:
    return BLOCK.findall((SKILLS / name / "SKILL.md").read_text(encoding="utf-8"))


def test_the_skills_of_the_main_job_are_there():
    assert {
        "memory-digest",
        "memory-import",
        "memory-init",
        "memory-resolve",
        "memory-search",
        "memory-sync",
        "memory-write",
    } <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_skill_keeps_the_rules_of_the_format(name):
    """The rules are those of the Agent Skills specification, agentskills.io."""
    skill = frontmatter.loads((SKILLS / name / "SKILL.md").read_text(encoding="utf-8"))

    assert skill["name"] == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 64
    description = str(skill["description"])
    assert 1 <= len(description) <= 1024
    assert not re.search(r"[<>]", description)
    assert set(skill.metadata) <= ALLOWED_FIELDS
    assert len(skill.content.splitlines()) < 200


@pytest.mark.parametrize("name", NAMES)
def test_skill_names_no_command_outside_its_blocks_that_does_not_exist(name, person):
    text = (SKILLS / name / "SKILL.md").read_text(encoding="utf-8")
    verbs = sorted(set(re.findall(r"(?:^|`|\()gitmem ([a-z]+)\b", text, re.MULTILINE)))

    shell("\n".join(f"gitmem {verb} --help >/dev/null" for verb in verbs), person)


def test_commands_of_memory_init_work(person):
    doctor, local, _, layers, shared, write, check = blocks("memory-init")

    shell(f"{doctor.strip()} || true", person)
    shell(local, person)
    shell(layers, person)
    shell(shared, person)
    shell(f"cp -r {SKILLS}/memory-init/templates . && {write}", person)
    shell(check, person)

    assert "<memory_profile" in shell("gitmem context", person)
    assert "# Profile" in shell("gitmem context", person)
    assert "# Task" in shell("gitmem read core/TASK.md", person)


def test_memory_init_connects_a_remote(person):
    _, _, connect, *_ = blocks("memory-init")

    shell(connect, person)

    assert shell("gitmem remote", person).strip().endswith(person["URL"])


def test_commands_of_memory_write_work(person):
    look, create, update, check = blocks("memory-write")
    shell("gitmem init", person)

    shell(look, person)
    shell(create, person)
    found = json.loads(shell("gitmem read notes/deploy.md --json", person))
    shell(update, {**person, "HASH": found["hash"]})
    shell(check, person)

    text = shell("gitmem read notes/deploy.md", person)
    assert "tell the channel" in text
    assert "How the site is deployed" in text


def test_commands_of_memory_import_work(person, tmp_path):
    plan, search, write, check = blocks("memory-import")
    shell("gitmem init", person)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Alpha\n", "utf-8")

    planned = shell(plan.replace("PATH", str(tmp_path / "notes")), person)
    assert "a.md -> " in planned
    shell(search, person)
    shell(write, person)
    shell(check, person)

    assert "Two people agree" in shell("gitmem read notes/release-process.md", person)


def test_commands_of_memory_digest_work(person, tmp_path):
    look, read, search, check = blocks("memory-digest")
    # The folder for temporary files, in which this project lies, has no tape.
    tape = {"TMPDIR": str(tmp_path / "bin"), "GITMEM_TAPE__ENABLED": "true"}
    person = {**person, **tape, "ANCHOR": "task/begin"}
    shell("gitmem init", person)
    shell("gitmem tape handoff task/begin --summary 'begin with the deploy'", person)

    assert "begin with the deploy" in shell(look, person)
    shell(read, person)
    shell(search, person)
    shell(check, person)


def test_commands_of_memory_search_work(person):
    words, tag, patterns, read = blocks("memory-search")
    shell("gitmem init", person)
    shell(f"gitmem write notes/deploy.md <<'EOF'\n{DEPLOY}make ship TODO\nEOF", person)

    found = [shell(block, person) for block in (words, tag, patterns, read)]

    assert [True] * 4 == ["deploy" in text for text in found]


def test_commands_of_memory_sync_work(person):
    sync, status = blocks("memory-sync")
    shell('gitmem init "$URL"', person)
    shell(f"gitmem write notes/deploy.md <<'EOF'\n{DEPLOY}EOF", person)

    shell(sync, person)

    assert shell(status, person)


def test_commands_of_memory_resolve_work(person):
    listed, read, join, remove, check = blocks("memory-resolve")
    shell('gitmem init "$URL"', person)
    shell(f"gitmem write notes/deploy.md <<'EOF'\n{DEPLOY}ours\nEOF", person)
    shell("gitmem sync", person)
    root = Path(shell("gitmem path", person).strip())
    copy = root / "site" / COPY
    copy.write_text(DEPLOY.replace("---\n\n", "conflict_of: x\n---\n\n") + "theirs\n")

    assert COPY in shell(f"{listed.strip()} || true", person)
    shell(read, person)
    found = json.loads(shell("gitmem read notes/deploy.md --json", person))
    shell(join, {**person, "HASH": found["hash"]})
    shell(remove, person)
    shell(check, person)

    assert not copy.exists()
