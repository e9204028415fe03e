"""Artifacts through the released wandb SDK: made, used, changed, downloaded, and seen by REST."""

import base64
import hashlib
import json
import os
import urllib.error
import urllib.request
import uuid
from datetime import timedelta

import pytest
import wandb
from wandb_rest import graphql, rest


@pytest.fixture(scope="module")
def project():
    return f"wandb-{uuid.uuid4().hex[:12]}"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data/sub").mkdir(parents=True)
    (tmp_path / "data/a.txt").write_text("alpha")
    (tmp_path / "data/same.txt").write_text("alpha")
    (tmp_path / "data/sub/b.bin").write_bytes(os.urandom(100_000))
    return tmp_path


@pytest.fixture
def run(project):
    with wandb.init(project=project, settings=wandb.Settings(init_timeout=60)) as run:
        yield run


def log(run, name: str, *paths: str, **arguments):
    artifact = wandb.Artifact(name, "dataset", **arguments)
    for path in paths:
        artifact.add_dir(path) if os.path.isdir(path) else artifact.add_file(path)
    return artifact


def contents(folder: str) -> dict[str, bytes]:
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def test_an_artifact_is_made_used_and_downloaded(project, run, folder):
    artifact = log(run, "set", "data", description="words", metadata={"acc": 0.9})
    run.log_artifact(artifact, aliases=["prod"], tags=["t1"]).wait()
    assert (artifact.version, artifact.state, sorted(artifact.aliases)) == ("v0", "COMMITTED", ["latest", "prod"])
    used = run.use_artifact("set:prod")
    where = used.download(root=str(folder / "down"), skip_cache=True)
    assert contents(where) == contents("data")
    entry = used.get_entry("a.txt").download(root=str(folder / "one"), skip_cache=True)
    assert open(entry).read() == "alpha"
    shown = rest(f"/v1/projects/admin/{project}/artifacts/set/versions/v0")
    assert (shown["aliases"], shown["tags"], shown["metadata"]) == (["latest", "prod"], ["t1"], {"acc": 0.9})
    assert (shown["file_count"], shown["description"]) == (3, "words")
    seen = wandb.Api().artifact(f"admin/{project}/set:v0")
    assert seen.logged_by().id == run.id and [user.id for user in seen.used_by()] == [run.id]


def test_the_same_content_again_is_the_same_version(run):
    first = log(run, "again", "data")
    run.log_artifact(first).wait()
    second = log(run, "again", "data")
    run.log_artifact(second, aliases=["more"]).wait()
    assert (second.version, sorted(second.aliases)) == ("v0", ["latest", "more"])


def test_versions_add_to_others(run, folder):
    run.log_artifact(log(run, "grows", "data")).wait()
    (folder / "new.txt").write_text("new")
    more = log(run, "grows", "new.txt", incremental=True)
    run.log_artifact(more).wait()
    assert sorted(more.manifest.entries) == ["a.txt", "new.txt", "same.txt", "sub/b.bin"]
    draft = run.use_artifact("grows:latest").new_draft()
    draft.remove("a.txt")
    run.log_artifact(draft).wait()
    where = run.use_artifact("grows:v2").download(root=str(folder / "down"), skip_cache=True)
    assert sorted(contents(where)) == ["new.txt", "same.txt", "sub/b.bin"]


def test_aliases_tags_and_words_change(project, run):
    run.log_artifact(log(run, "changes", "data")).wait()
    artifact = wandb.Api().artifact(f"admin/{project}/changes:v0")
    artifact.aliases.append("best")
    artifact.tags.append("checked")
    artifact.description = "better words"
    artifact.metadata["n"] = 2
    artifact.save()
    shown = rest(f"/v1/projects/admin/{project}/artifacts/changes/versions/best")
    assert (shown["tags"], shown["description"], shown["metadata"]) == (["checked"], "better words", {"n": 2})
    again = wandb.Api().artifact(f"admin/{project}/changes:best")
    again.aliases.remove("best")
    again.save()
    assert rest(f"/v1/projects/admin/{project}/artifacts/changes/versions/v0")["aliases"] == ["latest"]


def test_an_artifact_has_a_time_to_live(project, run):
    artifact = log(run, "mortal", "data")
    artifact.ttl = timedelta(days=30)
    run.log_artifact(artifact).wait()
    shown = rest(f"/v1/projects/admin/{project}/artifacts/mortal/versions/v0")
    assert shown["ttl_seconds"] == 30 * 86400 and shown["expires_at"] > shown["created_at"]
    again = wandb.Api().artifact(f"admin/{project}/mortal:v0")
    assert again.ttl == timedelta(days=30)
    again.ttl = None
    again.save()
    assert wandb.Api().artifact(f"admin/{project}/mortal:v0").ttl is None
    assert rest(f"/v1/projects/admin/{project}/artifacts/mortal/versions/v0")["ttl_seconds"] == 0
    rest(f"/v1/projects/admin/{project}/artifacts/mortal", {"ttl_seconds": 86400}, method="PATCH")
    again.ttl = wandb.ArtifactTTL.INHERIT
    again.save()
    assert wandb.Api().artifact(f"admin/{project}/mortal:v0").ttl == timedelta(days=1)
    assert rest(f"/v1/projects/admin/{project}/artifacts/mortal/versions/v0")["ttl_seconds"] is None


def test_a_collection_holds_one_type(run):
    run.log_artifact(log(run, "typed", "data")).wait()
    other = wandb.Artifact("typed", "model")
    with pytest.raises(ValueError, match="dataset"):
        run.log_artifact(other).wait()


def test_what_rest_made_is_downloaded_by_the_sdk(project, run, folder):
    rest(f"/v1/projects/admin/{project}/artifacts", {"name": "rest", "type": "dataset"})
    content = base64.b64encode(b"by rest").decode()
    rest(
        f"/v1/projects/admin/{project}/artifacts/rest/versions",
        {"files": [{"path": "deep/file.txt", "content": content}]},
    )
    where = run.use_artifact("rest:latest").download(root=str(folder / "down"), skip_cache=True)
    assert contents(where) == {"deep/file.txt": b"by rest"}


def test_an_address_serves_its_content_only(project, run):
    run.log_artifact(log(run, "signed", "data")).wait()
    answer = graphql(
        "query($p: String!) { project(name: $p) { artifact(name: \"signed:v0\") {"
        " files { edges { node { name directUrl md5 } } } } } }",
        p=project,
    )
    files = [edge["node"] for edge in answer["data"]["project"]["artifact"]["files"]["edges"]]
    first = next(file for file in files if file["name"] == "a.txt")
    with urllib.request.urlopen(first["directUrl"], timeout=30) as response:
        assert hashlib.md5(response.read()).digest() == base64.b64decode(first["md5"])
    broken = first["directUrl"][:-4] + "AAAA"
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(broken, timeout=30)
    assert refused.value.code == 403 and "address" in json.load(refused.value)["reason"]
