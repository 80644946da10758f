"""A person with a settings file, a project with another, and a load of both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gitmem.settings.load import load
from gitmem.settings.report import Loaded


@dataclass
class Desk:
    """Where a person sits: a home of their own and a project of somebody's."""

    home: Path
    project: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.home), **self.variables}

    @property
    def config(self) -> Path:
        return self.home / ".config" / "gitmem" / "config.toml"

    @property
    def memory(self) -> Path:
        return self.home / ".local" / "share" / "gitmem" / "memory"

    @property
    def cache(self) -> Path:
        return self.home / ".cache" / "gitmem"

    @property
    def project_file(self) -> Path:
        return self.project / ".gitmem.toml"

    def configure(self, text: str | bytes) -> None:
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_bytes(text.encode() if isinstance(text, str) else text)

    def wish(self, text: str | bytes) -> None:
        data = text.encode() if isinstance(text, str) else text
        self.project_file.write_bytes(data)

    def load(self, overrides: Mapping[str, str] | None = None) -> Loaded:
        return load(
            self.project,
            project_root=self.project,
            overrides=overrides,
            environment=self.environment,
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "home", tmp_path / "project")
    desk.home.mkdir()
    desk.project.mkdir()
    return desk
