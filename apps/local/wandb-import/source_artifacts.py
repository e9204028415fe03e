"""Artifacts: their versions with manifests and files, what they are called, and which runs made and used them."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pieces import Piece
from source_project import SourceProject, leave_out, say
from values import is_alias, is_name, is_path, moment, storable

DOWNLOADS_AT_ONCE = 8
# The hosted service keeps copies of histories as artifacts, which came with the runs.
COPIES = ("wandb-history", "wandb-events")


class ArtifactFetcher:
    def __init__(self, source: SourceProject) -> None:
        self._source = source
        self._collections = [(collection, self._versions_of(collection)) for collection in self._list()]

    @property
    def version_ids(self) -> dict[str, str]:
        """The ids that versions get, by those that they have."""
        versions = [version for _, versions in self._collections for version in versions]
        return {version.id: self._source.id("version", version.id) for version in versions}

    def fetch(self):
        """Yields the folder of each version's piece, and of each collection's behind them."""
        for collection, versions in self._collections:
            collection_id = self._source.id("collection", collection.name)
            for version in versions:
                piece = Piece(self._source.folder("versions", self._source.id("version", version.id)))
                if not piece.is_fetched():
                    say(f"artifact {version.name}")
                    with piece:
                        VersionFetcher(self._source, version, collection_id, piece).fetch()
                yield piece.folder
            # What can change is fetched each time.
            piece = Piece(self._source.folder("collections", collection_id))
            with piece:
                self._describe(collection, collection_id, versions, piece)
            yield piece.folder

    def _list(self):
        for kind in self._source.api.artifact_types(project=self._source.name):
            if kind.name in COPIES:
                continue
            for collection in kind.collections():
                if collection.is_sequence():
                    yield collection
                else:
                    leave_out(f"collection {collection.name}", "it holds links, which are made again where they lead")

    def _versions_of(self, collection) -> list:
        name = f"{self._source.name}/{collection.name}"
        versions = self._source.api.artifacts(collection.type, name, order="+created_at", per_page=100)
        return [version for version in versions if version.state == "COMMITTED"]

    def _describe(self, collection, collection_id: str, versions: list, piece: Piece) -> None:
        for version in versions:
            ids = {"collection_id": collection_id, "version_id": self._source.id("version", version.id)}
            for alias in filter(is_alias, version.aliases):
                piece.row("artifact_aliases", **ids, alias=alias)
            for tag in filter(is_name, version.tags):
                piece.row("artifact_tags", **ids, tag=tag)
            users = {self._source.run_id(run) for run in version.used_by()} - {None}
            for run_id in sorted(users):
                used_at = moment(version.created_at)
                piece.row("artifact_uses", run_id=run_id, version_id=ids["version_id"], used_at=used_at)
        for tag in filter(is_name, collection.tags):
            piece.row("artifact_collection_tags", collection_id=collection_id, tag=tag)
        piece.row(
            "artifact_collections",
            id=collection_id,
            name=collection.name,
            type=collection.type,
            description=collection.description or None,
            next_index=max((_index(version) + 1 for version in versions), default=0),
            created_by=self._source.entity,
            created_at=moment(collection.created_at),
        )


class VersionFetcher:
    def __init__(self, source: SourceProject, version, collection_id: str, piece: Piece) -> None:
        self._source, self._version, self._piece = source, version, piece
        self._ids = {"version_id": source.id("version", version.id), "collection_id": collection_id}

    def fetch(self) -> None:
        version, source, version_id = self._version, self._source, self._ids["version_id"]
        files, size = self._files()
        listed = sorted(files.items(), key=lambda each: each[0].encode())
        at, author = moment(version.created_at), source.entity
        self._piece.row(
            "artifact_versions",
            id=version_id,
            collection_id=self._ids["collection_id"],
            digest=hashlib.sha256("".join(f"{sha256}  {path}\n" for path, sha256 in listed).encode()).hexdigest(),
            description=version.description or None,
            metadata=json.dumps(storable(dict(version.metadata or {}))),
            file_count=len(files),
            size_bytes=size,
            created_by=author,
            created_at=at,
            committed_at=at,
        )
        self._piece.row("artifact_memberships", **self._ids, version_index=_index(version), added_by=author, added_at=at)
        self._piece.row(
            "sdk_artifacts",
            version_id=version_id,
            digest=version.digest,
            run_id=source.run_id(version.logged_by()),
            # The SDK counts from where the run was, Heddle from where it went on.
            history_step=None if version.history_step is None else version.history_step + 1,
            aliases=[],
            tags=[],
            manifest=json.dumps(self._manifest()),
        )

    def _manifest(self) -> dict:
        manifest = self._version.manifest.to_manifest_json()
        # Where the other server's disks are.
        manifest.get("storagePolicyConfig", {}).pop("storageRegion", None)
        return manifest

    def _files(self) -> tuple[dict[str, str], int]:
        """Fetches all but references, which stay where they lie. Returns SHA-256s by path, and how many bytes it were."""
        paths = [path for path, entry in self._version.manifest.entries.items() if entry.ref is None]
        for path in paths:
            if not is_path(path):
                raise ValueError(f"{self._version.name} has a file {path!r}: no file here may have such a path")
        folder, files, size = self._piece.scratch(), {}, 0
        with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as threads:
            for path, local in zip(paths, threads.map(lambda path: self._download(path, folder), paths), strict=True):
                size += local.stat().st_size
                files[path] = self._piece.keep(local)
                self._piece.row("artifact_files", version_id=self._ids["version_id"], path=path, sha256=files[path])
        return files, size

    def _download(self, path: str, folder: Path) -> Path:
        return Path(self._version.get_entry(path).download(root=str(folder), skip_cache=True))


def _index(version) -> int:
    return int(version.version[1:])
