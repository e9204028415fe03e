"""A Heddle of its own, which a test may stop and start again: `npm start` on free ports and an empty data directory."""

import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 90


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Product:
    def __init__(self, folder: Path, **settings: str) -> None:
        self.api_key = f"test_{secrets.token_hex(24)}"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = folder / "heddle.log"
        self._environment = {
            **os.environ,
            "ADMIN_API_KEY": self.api_key,
            "PORT": str(self.port),
            "WORKER_PORT": str(free_port()),
            "DATA_DIR": str(folder / "data"),
            **settings,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                ["node", "apps/local/bootstrap.mjs", "start"],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self._log.read_text())
            time.sleep(0.2)

    @property
    def pid(self) -> int:
        """Of the process that all others are children of."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(timeout=60) == 0, self._log.read_text()

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health/ready", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False
