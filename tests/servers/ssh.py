"""sshd on this machine, with keys of its own, as the user who runs the tests."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/bin")
KEYGEN = shutil.which("ssh-keygen")
MISSING = "" if SSHD and KEYGEN else "there is no sshd here (openssh-server)"
# sshd keeps a folder for the part of it that has no rights.
ROOT_FOLDER = Path("/run/sshd")


class Sshd:
    """A server that can be stopped and started, and what a person needs to reach it."""

    def __init__(
        self, folder: Path, *, host: str = "127.0.0.1", inside: tuple[str, ...] = ()
    ) -> None:
        self.folder, self.host, self.inside = folder, host, inside
        self.port = free_port()
        self.child: subprocess.Popen[bytes] | None = None
        folder.mkdir(mode=0o700)
        for name in ("host", "person", "stranger"):
            make_key(folder / name)
        shutil.copy(folder / "person.pub", folder / "authorized")
        self.known.write_text(self._known_line(), encoding="utf-8")
        (folder / "sshd.conf").write_text(self._server_config(), encoding="utf-8")
        if os.geteuid() == 0:
            ROOT_FOLDER.mkdir(mode=0o755, exist_ok=True)

    @property
    def known(self) -> Path:
        return self.folder / "known_hosts"

    def url(self, repository: Path) -> str:
        return f"ssh://{getpass.getuser()}@{self.host}:{self.port}{repository}"

    def command(self, *, key: str = "person", known: str = "known_hosts") -> str:
        """Write a person's ssh configuration, and give the command that reads it."""
        config = self.folder / f"{key}-{known}.conf"
        config.write_text(
            f"IdentityFile {self.folder / key}\n"
            "IdentitiesOnly yes\n"
            "IdentityAgent none\n"
            f"UserKnownHostsFile {self.folder / known}\n"
            "GlobalKnownHostsFile /dev/null\n",
            encoding="utf-8",
        )
        return f"ssh -F {config}"

    def start(self) -> None:
        config = str(self.folder / "sshd.conf")
        with (self.folder / "log").open("ab") as log:
            self.child = subprocess.Popen(
                [*self.inside, str(SSHD), "-D", "-e", "-f", config],
                stdin=subprocess.DEVNULL,
                stderr=log,
            )
        if not self.inside:
            wait_for(self.host, self.port)

    def stop(self) -> None:
        if self.child is not None:
            self.child.terminate()
            self.child.wait(10)
            self.child = None

    def _server_config(self) -> str:
        return (
            f"Port {self.port}\n"
            f"ListenAddress {self.host}\n"
            f"HostKey {self.folder / 'host'}\n"
            f"AuthorizedKeysFile {self.folder / 'authorized'}\n"
            "PidFile none\n"
            "UsePAM no\n"
            "StrictModes no\n"
            "PermitRootLogin prohibit-password\n"
            "PasswordAuthentication no\n"
            "KbdInteractiveAuthentication no\n"
        )

    def _known_line(self) -> str:
        public = (self.folder / "host.pub").read_text("utf-8")
        return f"[{self.host}]:{self.port} {public}"


def make_key(path: Path) -> None:
    subprocess.run(
        [str(KEYGEN), "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", str(path)],
        check=True,
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_for(host: str, port: int) -> None:
    """Return once somebody listens."""
    for _ in range(100):
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(port)
