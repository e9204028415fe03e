"""A tar in the form of Heddle's archives: rows by table, then each content once."""

import base64
import hashlib
import json
import re
import shutil
import tarfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

PART_BYTES = 4 * 1024 * 1024
# In the order in which they refer to each other. The server fills in which project it is.
COLUMNS = {
    "runs": "id project_id name display_name state config client_config summary notes tags group_name job_type host program"
    " git_commit last_step created_by created_at state_changed_at stop_requested",
    "run_metrics": "run_id name step value logged_at",
    "run_lines": "run_id stream line_no step body",
    "artifact_collections": "id project_id name type description next_index created_by created_at",
    "artifact_collection_tags": "collection_id tag",
    "artifact_versions": "id collection_id digest description metadata file_count size_bytes created_by created_at"
    " committed_at",
    "artifact_files": "version_id path sha256",
    "artifact_memberships": "collection_id version_id version_index added_by added_at",
    "artifact_aliases": "collection_id alias version_id",
    "artifact_tags": "collection_id version_id tag",
    "run_files": "run_id path sha256 uploaded_at",
    "sdk_artifacts": "version_id digest run_id history_step aliases tags manifest",
    "artifact_uses": "run_id version_id used_at",
}
_REFERENCE = re.compile(r'(wandb-artifact://)([\da-f]+)|(birthArtifactID\\*": ?\\*")([^"\\]+)')


def _hex_of(version_id: str) -> str:
    return base64.b64decode(version_id.replace("-", "")).hex()


class Archive:
    def __init__(self, folder: Path, versions: dict[str, str]) -> None:
        """versions: the ids that versions get, by those that they have at the source: references name them."""
        self._folder = folder
        self._versions = {**versions, **{_hex_of(old): _hex_of(new) for old, new in versions.items()}}
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._tables = {table: (folder / table).open("w", encoding="utf-8") for table in COLUMNS}
        self._contents: dict[str, Path] = {}

    def add(self, piece: Path) -> None:
        with (piece / "rows.jsonl").open(encoding="utf-8") as rows:
            for line in rows:
                table, row = json.loads(_REFERENCE.sub(self._refer, line))
                self._tables[table].write(json.dumps(row, ensure_ascii=False) + "\n")
        for path in (piece / "files").iterdir():
            self._contents[path.name] = path

    def _refer(self, found: re.Match) -> str:
        before, version = [each for each in found.groups() if each is not None]
        return before + self._versions.get(version, version)

    def write(self, file: Path, project: str) -> None:
        end = {"tables": {}, "files": len(self._contents)}
        with tarfile.open(file, "w") as tar:
            manifest = {
                "format": "heddle-archive",
                "version": 1,
                "created_at": datetime.now(UTC).isoformat(),
                "project": project,
                "runs": None,
                "tables": [{"name": name, "columns": columns.split()} for name, columns in COLUMNS.items()],
            }
            _put(tar, "manifest.json", json.dumps(manifest).encode())
            for table, rows in self._tables.items():
                rows.close()
                end["tables"][table] = self._write_table(tar, table)
            for sha256, path in self._contents.items():
                entry = tarfile.TarInfo(f"files/{sha256}")
                entry.size = path.stat().st_size
                with path.open("rb") as content:
                    tar.addfile(entry, content)
            _put(tar, "end.json", json.dumps(end).encode())
        shutil.rmtree(self._folder)

    def _write_table(self, tar: tarfile.TarFile, table: str) -> dict:
        digest, rows, part = hashlib.sha256(), 0, 0
        with (self._folder / table).open("rb") as lines:
            while (chunk := lines.read(PART_BYTES)) or part == 0:
                digest.update(chunk)
                rows += chunk.count(b"\n")
                _put(tar, f"rows/{table}/{part}", chunk)
                part += 1
        return {"rows": rows, "sha256": digest.hexdigest()}


def _put(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, BytesIO(content))
