"""Makes an archive of Heddle's of a project on a wandb server, through the SDK's own Api.

Run by `npm run import -- wandb ENTITY/PROJECT`. WANDB_BASE_URL and WANDB_API_KEY say where the project is. What was
fetched stays in the work folder until it is removed: after an interruption it goes on from there.
"""

import argparse
import os
import sys
import threading
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit(f"heddle: Python 3.11 or newer is needed: {sys.executable} is {sys.version.split()[0]}")
try:
    import wandb
    from wandb.sdk.lib.service.service_connection import WandbApiFailedError
except ImportError as missing:
    sys.exit(f"heddle: {sys.executable} has no wandb 0.31 or newer ({missing}): --python names one that has")

from archive import Archive
from source_artifacts import ArtifactFetcher
from source_project import SourceProject
from source_runs import fetch_runs

OLDEST = (0, 31)


def end_with_parent() -> None:
    """Whoever started this holds its input open."""

    def wait() -> None:
        # Not through a buffer, whose lock would be held at the end.
        while os.read(0, 1024):
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("project", help="ENTITY/PROJECT")
    parser.add_argument("file", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    given = parser.parse_args()
    if tuple(int(part) for part in wandb.__version__.split(".")[:2]) < OLDEST:
        sys.exit(f"heddle: wandb 0.31 or newer is needed: {sys.executable} has {wandb.__version__}")
    source = SourceProject(given.project, given.work)
    runs = [*fetch_runs(source)]
    artifacts = ArtifactFetcher(source)
    archive = Archive(given.work / "tables", artifacts.version_ids)
    for piece in [*runs, *artifacts.fetch()]:
        archive.add(piece)
    archive.write(given.file, given.project)


if __name__ == "__main__":
    end_with_parent()
    try:
        main()
    except (wandb.Error, WandbApiFailedError, ValueError, OSError) as error:
        sys.exit(f"heddle: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
