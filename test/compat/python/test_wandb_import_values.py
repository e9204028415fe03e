"""What `npm run import -- wandb` makes of what the Api gives, and of pieces that were fetched before."""

import json
import math
import sys
import tarfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "apps/local/wandb-import"))

from archive import Archive  # noqa: E402
from pieces import Piece  # noqa: E402
from values import is_alias, is_path, moment, moment_of, numbers, storable  # noqa: E402


def test_metrics_are_the_numbers_of_a_line_by_names_with_dots():
    line = {"_step": 1, "a": 1, "b": {"c": 2.5, "d": {"e": -1}}, "g": True, "h": "1", "i": 10**400, "j": "nan", "k": None}
    media = {"table": {"_type": "table-file", "size": 3}, "long" * 100: 1, "un\nprintable": 1, "list": [1]}
    assert dict(numbers(line | media)) == {"a": 1, "b.c": 2.5, "b.d.e": -1}
    deep = {"leaf": 1}
    for _ in range(9):
        deep = {"x": deep}
    assert dict(numbers(deep)) == {}


def test_metrics_that_are_not_finite_say_so():
    line = {"nan": math.nan, "up": math.inf, "down": -math.inf, "of": {"old": "NaN"}}
    assert dict(numbers(line)) == {"nan": "NaN", "up": "Infinity", "down": "-Infinity", "of.old": "NaN"}


def test_values_are_what_a_database_can_hold():
    value = {"a": math.inf, "b": [math.nan, "x\0y", "\ud800"], 3: None}
    assert storable(value) == {"a": None, "b": [None, "x\ufffdy", "\ufffd"], "3": None}


def test_times_have_a_zone():
    assert moment("2026-01-01T00:00:00") == "2026-01-01T00:00:00Z"
    assert moment("2026-01-01T00:00:00+01:00") == "2026-01-01T00:00:00+01:00"
    assert moment_of(0.5) == "1970-01-01T00:00:00.500000+00:00"
    assert [moment_of(each) for each in (None, True, -1, 1e12, math.nan, "1")] == [None] * 6


@pytest.mark.parametrize("path", ["", "/a", "a//b", "../a", "a/..", "a\\b", "C:/a", "a\nb", "ü" * 513])
def test_paths_with_a_way_out_are_none(path):
    assert not is_path(path) and is_path("a/ü b.txt")


@pytest.mark.parametrize("alias", ["v3", "a/b", "", "ab" * 32, "0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d"])
def test_aliases_that_would_mean_something_else_are_none(alias):
    assert not is_alias(alias) and is_alias("latest")


def test_a_piece_is_there_whole_or_not_at_all(tmp_path):
    piece = Piece(tmp_path / "piece")
    assert not piece.is_fetched("1")
    with pytest.raises(RuntimeError), piece:
        piece.row("runs", id="a")
        raise RuntimeError
    assert not piece.is_fetched("1")
    with piece:
        piece.row("runs", id="a")
    assert Piece(tmp_path / "piece").is_fetched("1") and not Piece(tmp_path / "piece").is_fetched("2")


def test_an_archive_names_versions_by_the_ids_that_they_get(tmp_path):
    old, new = "QXJ0aWZhY3Q6MTIzNA==", "0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d"
    piece = Piece(tmp_path / "piece")
    manifest = {"a": {"ref": f"wandb-artifact://{b'Artifact:1234'.hex()}/a", "birthArtifactID": old, "digest": old}}
    with piece:
        (piece.scratch() / "file").write_text("content")
        sha256 = piece.keep(tmp_path / "piece.partial/scratch/file")
        piece.row("sdk_artifacts", version_id=new, manifest=json.dumps(manifest))
        piece.row("run_lines", body="wandb-artifact://abcdef/of/another")
    archive = Archive(tmp_path / "tables", {old: new})
    archive.add(piece.folder)
    archive.write(tmp_path / "a.tar", "e/p")
    with tarfile.open(tmp_path / "a.tar") as tar:
        held = {name: tar.extractfile(name).read() for name in tar.getnames()}
    [row] = [json.loads(json.loads(line)["manifest"]) for line in held["rows/sdk_artifacts/0"].splitlines()]
    assert row["a"] == {"ref": "wandb-artifact://" + HEX_OF_NEW + "/a", "birthArtifactID": new, "digest": old}
    assert b"wandb-artifact://abcdef/of/another" in held["rows/run_lines/0"]
    assert held[f"files/{sha256}"] == b"content" and json.loads(held["end.json"])["files"] == 1
    assert [*held][0] == "manifest.json" and [*held][-1] == "end.json"


# The bytes of the id without dashes, read as Base64.
HEX_OF_NEW = "d1bf1fe9ae1ee7c6b9e1cedcf5dd1cd5de9addad5bd9cddd"
