"""The real hosts, each with a machine's model and nothing else to talk to."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.hosts import programs
from tests.hosts.machine import Lines, Machine, write_json

Done = subprocess.CompletedProcess[str]
APIS = {
    "openai-completions": "/v1",
    "openai-responses": "/v1",
    "anthropic-messages": "",
}
_PATIENCE = ("MCP_TIMEOUT", "MCP_CONNECT_TIMEOUT_MS", "CLAUDE_CODE_MCP_STARTUP_WAIT_MS")


def installed(name: str) -> list[str]:
    """Give the command that starts a host; the test skips where there is none."""
    command = programs.command(name)
    if not command:
        pytest.skip(f"{name} is not installed: tests/hosts/install {name}")
    return command


@dataclass(frozen=True)
class Pi:
    """pi, in either of its versions."""

    command: list[str]
    machine: Machine

    @property
    def folder(self) -> Path:
        return self.machine.home / ".pi" / "agent"

    def configure(self, api: str = "openai-completions") -> None:
        """Point it at the model, and let a compaction leave nothing."""
        at = self.machine.model.url + APIS[api]
        provider = {"baseUrl": at, "api": api, "apiKey": "none"}
        models = [{"id": "scripted", "contextWindow": 128000}]
        providers = {"scripted": {**provider, "models": models}}
        write_json(self.folder / "models.json", {"providers": providers})
        chosen = {"defaultProvider": "scripted", "defaultModel": "scripted"}
        compaction = {"keepRecentTokens": 1}
        write_json(self.folder / "settings.json", {**chosen, "compaction": compaction})

    def ask(self, *arguments: str, **more: str) -> Done:
        """Run it for one prompt: `ask("-c", "-p", "go on")`."""
        return self.machine.run(*self.command, *arguments, **self._quiet(), **more)

    def talk(self, *arguments: str, **more: str) -> Lines:
        """Start it as a program that another one drives."""
        command = [*self.command, "--mode", "rpc", *arguments]
        return Lines(self.machine, command, **self._quiet(), **more)

    def sessions(self) -> list[Path]:
        return sorted(self.folder.glob("sessions/*/*.jsonl"))

    def _quiet(self) -> dict[str, str]:
        return {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}


@dataclass(frozen=True)
class Claude:
    """Claude Code, without a terminal."""

    command: list[str]
    machine: Machine

    @property
    def folder(self) -> Path:
        return self.machine.home / ".claude"

    def configure(self) -> None:
        """Do nothing: variables point it at the model."""

    def ask(self, *arguments: str, stdin: str = "", **more: str) -> Done:
        """Run it: `ask("-p", "a question")`."""
        own = {**self.variables(), **more}
        return self.machine.run(*self.command, *arguments, stdin=stdin, **own)

    def talk(self, *arguments: str, **more: str) -> Lines:
        """Start it as a program that another one drives, for several turns."""
        form = ["--input-format", "stream-json", "--output-format", "stream-json"]
        command = [*self.command, "-p", "--verbose", *form, *arguments]
        return Lines(self.machine, command, **self.variables(), **more)

    def variables(self) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": self.machine.model.url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CONFIG_DIR": str(self.folder),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            # On a busy machine it would begin without the tools of a slow server.
            **dict.fromkeys(_PATIENCE, "60000"),
        }


@dataclass(frozen=True)
class Codex:
    """Codex CLI, without a terminal."""

    command: list[str]
    machine: Machine

    @property
    def folder(self) -> Path:
        return self.machine.home / ".codex"

    def configure(self) -> None:
        """Point it at the model; what is installed later stands below."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "config.toml").write_text(
            'model = "scripted"\nmodel_provider = "scripted"\n'
            'approval_policy = "never"\n\n[model_providers.scripted]\n'
            f'name = "scripted"\nbase_url = "{self.machine.model.url}/v1"\n'
            'wire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n'
            "request_max_retries = 0\nstream_max_retries = 0\n",
            "utf-8",
        )

    def ask(self, *arguments: str, **more: str) -> Done:
        """Run it: `ask("exec", "a question")`."""
        own = {"SCRIPTED_KEY": "none", **more}
        done = self.machine.run(*self.command, *arguments, **own)
        # It looks for news of itself when it starts, and goes on without.
        self.machine.model.strayed.clear()
        return done


@dataclass(frozen=True)
class OpenCode:
    """opencode, without a terminal."""

    command: list[str]
    machine: Machine

    @property
    def folder(self) -> Path:
        return self.machine.home / ".config" / "opencode"

    def configure(self) -> None:
        """Point it at the model."""
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{self.machine.model.url}/v1", "apiKey": "none"},
            "models": {"scripted": {"name": "scripted"}},
        }
        chosen = {"model": "scripted/scripted", "small_model": "scripted/scripted"}
        quiet = {"autoupdate": False, "share": "disabled"}
        settings = {**chosen, **quiet, "provider": {"scripted": provider}}
        write_json(self.folder / "opencode.json", settings)

    def ask(self, *arguments: str, **more: str) -> Done:
        """Run it: `ask("run", "a question")`."""
        done = self.machine.run(*self.command, *arguments, **more)
        # It looks for models and parts of itself, and goes on without.
        self.machine.model.strayed.clear()
        return done
