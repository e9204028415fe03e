"""Artifacts of much data through the released wandb SDK: the server's memory stays as it is, and a full disk is no half file."""

import hashlib
import os
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from product import Product

MIB = 1024 * 1024
# From 2 GiB on, the SDK would send parts, if the server asked for them.
SIZE = 2 * 1024 * MIB + 17
GROWTH = 400 * MIB
DISK = 500 * MIB


def processes(pid: int) -> list[int]:
    found = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            found += processes(int(child))
    return found


def memory(pid: int) -> int:
    """Bytes that the processes of a product have to themselves; of those that end meanwhile, nothing."""
    total = 0
    try:
        for each in processes(pid):
            status = Path(f"/proc/{each}/status").read_text()
            total += sum(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("RssAnon:"))
    except OSError:
        pass
    return total


class Peak:
    """The most memory while something goes on."""

    def __init__(self, pid: int) -> None:
        self.pid, self.before = pid, memory(pid)
        self.bytes = self.before
        self.looks = 0
        self._done = threading.Event()

    def _watch(self) -> None:
        while not self._done.wait(0.05):
            self.bytes = max(self.bytes, memory(self.pid))
            self.looks += 1

    def __enter__(self):
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    @property
    def growth(self) -> int:
        return self.bytes - self.before


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make(path: Path, size: int) -> Path:
    with path.open("wb") as file:
        for at in range(0, size, 8 * MIB):
            file.write(os.urandom(min(size - at, 8 * MIB)))
    return path


UP = """
    import sys, wandb
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    with wandb.init(project="large", settings=settings) as run:
        artifact = wandb.Artifact("large", "dataset")
        artifact.add_file(sys.argv[1], name="large.bin", policy="immutable", skip_cache=True)
        run.log_artifact(artifact).wait(timeout=1500)
"""
DOWN = """
    import sys, wandb
    wandb.Api().artifact("admin/large/large:v0").download(root=sys.argv[1], skip_cache=True)
"""


def run(product: Product, program: str, *arguments: Path) -> Peak:
    folder = arguments[0].parent
    environment = {key: value for key, value in os.environ.items() if key != "WANDB_SERVICE"}
    for name in ["WANDB_DIR", "WANDB_CACHE_DIR", "WANDB_DATA_DIR"]:
        environment[name] = str(folder)
    environment.update(WANDB_BASE_URL=product.url, WANDB_API_KEY=product.api_key)
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    with Peak(product.pid) as peak:
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return peak


@contextmanager
def started(folder: Path, **settings: str):
    product = Product(folder, **settings)
    product.start()
    try:
        yield product
    finally:
        product.stop()


def free(folder: Path) -> int:
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def test_two_gibibytes_go_up_and_come_down(tmp_path):
    large = make(tmp_path / "large.bin", SIZE)
    digest = digest_of(large)
    with started(tmp_path) as product:
        up = run(product, UP, large)
        large.unlink()
        down = run(product, DOWN, tmp_path / "down")
    assert (digest_of(tmp_path / "down/large.bin"), (tmp_path / "down/large.bin").stat().st_size) == (digest, SIZE)
    print(f"{up.growth / MIB:.0f} MiB more while it came, {down.growth / MIB:.0f} while it went")
    assert up.growth < GROWTH and down.growth < GROWTH and min(up.looks, down.looks) > 20


@pytest.fixture
def disk(tmp_path):
    """A small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK // MIB}m,mode=755", "tmpfs", folder], check=True)
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def logs(disk: Path) -> str:
    return "".join(path.read_text() for path in disk.glob("data/logs/*"))


def test_what_a_full_disk_refuses_comes_once_there_is_room(disk, tmp_path):
    reserve, size = 30 * MIB, 150 * MIB
    with started(disk, DISK_RESERVE_MB=str(reserve // MIB)) as product:
        file, filler = make(tmp_path / "large.bin", size), disk / "filler"
        make(filler, free(disk) - reserve - size // 2)
        before = free(disk)
        with ThreadPoolExecutor() as pool:
            sent = pool.submit(run, product, UP, file)
            deadline = time.monotonic() + 120
            while not (refused := "storage_full" in logs(disk)) and time.monotonic() < deadline:
                time.sleep(0.1)
            left, written = list(disk.glob("data/artifacts/incoming/*")), before - free(disk)
            filler.unlink()
            assert refused and not left and written < size // 10
            # The SDK comes again when it was told to.
            sent.result(timeout=300)
        run(product, DOWN, tmp_path / "down")
    assert digest_of(tmp_path / "down/large.bin") == digest_of(file)
