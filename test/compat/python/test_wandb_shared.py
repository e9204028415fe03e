"""Several programs that write into one run or one artifact together, with the released wandb SDK."""

import os
import subprocess
import sys
import textwrap
import uuid

import pytest
import wandb
from wandb.sdk.artifacts.artifact_manifest_entry import ArtifactManifestEntry
from wandb_rest import graphql, rest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def project() -> str:
    return f"shared-{uuid.uuid4().hex[:12]}"


WRITER = """
    import sys, wandb
    settings = wandb.Settings(
        init_timeout=60, mode="shared", x_primary=False, x_label=sys.argv[3], x_update_finish_state=False,
        x_stats_sampling_interval=1,
    )
    with wandb.init(project=sys.argv[1], id=sys.argv[2], settings=settings) as run:
        print("hello from", sys.argv[3])
        for i in range(20):
            run.log({"of_" + sys.argv[3]: i, "both": i})
        import time; time.sleep(2)
"""


def test_programs_share_a_run(project, tmp_path):
    settings = wandb.Settings(
        init_timeout=60, mode="shared", x_primary=True, x_label="first", x_stats_sampling_interval=1
    )
    environment = {key: value for key, value in os.environ.items() if key != "WANDB_SERVICE"}
    with wandb.init(project=project, id="together", config={"lr": 1}, settings=settings) as run:
        print("hello from first", flush=True)
        command = [sys.executable, "-c", textwrap.dedent(WRITER), project, "together"]
        others = [
            subprocess.Popen([*command, label], env=environment, cwd=tmp_path, stderr=subprocess.PIPE)
            for label in ["second", "third"]
        ]
        for i in range(20):
            run.log({"of_first": i, "both": i})
        for other in others:
            _, errors = other.communicate(timeout=90)
            assert other.returncode == 0, errors.decode()
        # Only the first says how it ended.
        assert wandb.Api().run(f"admin/{project}/together").state == "running"
    seen = wandb.Api().run(f"admin/{project}/together")
    assert (seen.state, seen.config) == ("finished", {"lr": 1})

    rows = list(seen.scan_history())
    assert len(rows) == 60 and all("_step" in row for row in rows)
    assert [row["_step"] for row in rows] == [row["_step"] for row in seen.scan_history()]
    for label in ["first", "second", "third"]:
        assert [row[f"of_{label}"] for row in rows if f"of_{label}" in row] == list(range(20))
        assert [row[f"of_{label}"] for row in seen.scan_history(keys=[f"of_{label}"])] == list(range(20))
    summary = rest(f"/v1/projects/admin/{project}/runs/together/summary")["metrics"]
    counts = {metric["name"]: metric["count"] for metric in summary}
    assert [counts[f"of_{label}"] for label in ["first", "second", "third"]] == [20, 20, 20]

    query = f"""{{ project(name: "{project}", entityName: "admin") {{ run(name: "together") {{
        logLines(first: 100) {{ edges {{ node {{ number line }} }} }} }} }} }}"""
    lines = [edge["node"] for edge in graphql(query)["data"]["project"]["run"]["logLines"]["edges"]]
    said = {line["line"] for line in lines}
    assert {f"[{label}] hello from {label}" for label in ["second", "third"]} <= said
    assert [line["number"] for line in lines] == list(range(len(lines)))
    events = seen.history(stream="system", pandas=False)
    of_events = {key.rsplit("/l:", 1)[1] for event in events for key in event if "/l:" in key}
    assert of_events == {"first", "second", "third"}
    logs = {file.name for file in seen.files() if file.name.startswith("output")}
    assert {"output_second.log", "output_third.log"} <= logs <= {"output_first.log", "output_second.log", "output_third.log"}


def test_runs_make_an_artifact_together(project, tmp_path):
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    for i in range(3):
        with wandb.init(project=project, group="together", id=f"part-{i}", settings=settings) as run:
            artifact = wandb.Artifact("parts", "dataset")
            with artifact.new_file(f"part-{i}.txt") as file:
                file.write(f"of {i}")
            run.upsert_artifact(artifact, distributed_id="all")
            assert not wandb.Api().artifact_exists(f"admin/{project}/parts:latest")
    with wandb.init(project=project, group="together", settings=settings) as run:
        run.finish_artifact(wandb.Artifact("parts", "dataset"), distributed_id="all").wait()
    made = wandb.Api().artifact(f"admin/{project}/parts:latest")
    assert (made.version, sorted(made.manifest.entries)) == ("v0", [f"part-{i}.txt" for i in range(3)])
    folder = made.download(root=str(tmp_path / "down"), skip_cache=True)
    assert sorted(os.listdir(folder)) == [f"part-{i}.txt" for i in range(3)]
    assert len(rest(f"/v1/projects/admin/{project}/artifacts/parts/versions")["data"]) == 1


def test_references_are_kept_and_never_fetched_by_the_server(project, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there/a.txt").write_text("on this machine")
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    references = {name: f"{name}://somewhere.invalid/data/x.bin" for name in ["https", "s3", "gs"]}
    with wandb.init(project=project, settings=settings) as run:
        base = wandb.Artifact("base", "dataset")
        with base.new_file("inner.txt") as file:
            file.write("of another artifact")
        run.log_artifact(base).wait()
        artifact = wandb.Artifact("refs", "dataset")
        artifact.add_reference((tmp_path / "there").as_uri(), name="local")
        artifact.add_reference(references["https"], name="far/https", checksum=False)
        # What their clients would say of objects, which are not installed here.
        for name in ["s3", "gs"]:
            entry = ArtifactManifestEntry(path=f"far/{name}", ref=references[name], digest=name, size=7)
            artifact.manifest.add_entry(entry)
        artifact.add_reference(base.get_entry("inner.txt"), name="linked.txt")
        run.log_artifact(artifact).wait()
    seen = wandb.Api().artifact(f"admin/{project}/refs:v0")
    entries = seen.manifest.entries
    assert {name: entries[f"far/{name}"].ref for name in references} == references
    folder = seen.download(root=str(tmp_path / "down"), skip_cache=True, path_prefix="local")
    assert (tmp_path / "down/local/a.txt").read_text() == "on this machine", folder
    with open(seen.get_entry("linked.txt").download(root=str(tmp_path / "one"))) as file:
        assert file.read() == "of another artifact"
    shown = rest(f"/v1/projects/admin/{project}/artifacts/refs/versions/v0")
    assert (shown["file_count"], shown["size_bytes"]) == (0, 0)
