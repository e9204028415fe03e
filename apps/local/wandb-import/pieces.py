"""What was fetched, in a folder: it is there whole or not at all, so that an import that was interrupted goes on."""

import hashlib
import json
import shutil
from pathlib import Path

from values import storable


class Piece:
    """A run, a version or a collection: its rows by table, and contents of its files by their SHA-256."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._draft = folder.with_name(f"{folder.name}.partial")
        self._stamp = ""

    def is_fetched(self, stamp: str = "") -> bool:
        """Whether it is there as it was at the stamp; otherwise it is what will be fetched."""
        self._stamp = stamp
        kept = self.folder / "stamp"
        return kept.exists() and kept.read_text(encoding="utf-8") == stamp

    def __enter__(self):
        shutil.rmtree(self._draft, ignore_errors=True)
        (self._draft / "files").mkdir(parents=True)
        self._rows = (self._draft / "rows.jsonl").open("w", encoding="utf-8")
        return self

    def __exit__(self, kind, *_) -> None:
        self._rows.close()
        if kind is not None:
            return
        shutil.rmtree(self._draft / "scratch", ignore_errors=True)
        (self._draft / "stamp").write_text(self._stamp, encoding="utf-8")
        shutil.rmtree(self.folder, ignore_errors=True)
        self._draft.rename(self.folder)

    def row(self, table: str, **fields) -> None:
        self._rows.write(json.dumps([table, storable(fields)], ensure_ascii=False) + "\n")

    def scratch(self) -> Path:
        """An empty folder for downloads."""
        path = self._draft / "scratch"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    def keep(self, path: Path) -> str:
        """Takes a file that was downloaded. Returns its SHA-256."""
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        path.rename(self._draft / "files" / sha256)
        return sha256
