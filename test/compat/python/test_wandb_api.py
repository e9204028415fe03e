"""wandb.Api(): what a notebook asks of projects, runs and artifacts, and what it changes there."""

import uuid

import pytest
import wandb
from wandb_rest import REFUSED, rest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def start(project: str, **arguments):
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    return wandb.init(project=project, settings=settings, **arguments)


@pytest.fixture(scope="module")
def project():
    """Five runs: lr grows, loss falls, and the last one failed."""
    project = f"api-{uuid.uuid4().hex[:12]}"
    for i in range(5):
        run = start(
            project, id=f"r{i}", name=f"run {i}", group=f"g{i % 2}", job_type="train", tags=[f"t{i}", "all"],
            config={"lr": 0.1 * i, "opt": {"name": "adam" if i % 2 else "sgd"}},
        )
        for step in range(4):
            run.log({"loss": 10 - i - step / 10, "epoch": step})
        run.finish(exit_code=i // 4)
    return project


def names(runs) -> list[str]:
    return [run.id for run in runs]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"state": "finished"}, ["r0", "r1", "r2", "r3"]),
        ({"state": {"$in": ["failed", "crashed"]}}, ["r4"]),
        ({"display_name": {"$regex": "^run [13]$"}}, ["r1", "r3"]),
        ({"config.lr": {"$gt": 0.15, "$lt": 0.35}}, ["r2", "r3"]),
        ({"config.opt.name": "adam"}, ["r1", "r3"]),
        ({"config.opt.value.name": "adam"}, ["r1", "r3"]),
        ({"summary_metrics.loss": {"$lte": 7.7}}, ["r2", "r3", "r4"]),
        ({"tags": "t2"}, ["r2"]),
        ({"tags": {"$in": ["t0", "t4"]}}, ["r0", "r4"]),
        ({"tags": {"$nin": ["t0", "t4"]}}, ["r1", "r2", "r3"]),
        ({"group": "g1"}, ["r1", "r3"]),
        ({"job_type": "eval"}, []),
        ({"username": "admin", "config.none": {"$exists": False}}, ["r0", "r1", "r2", "r3", "r4"]),
        ({"$or": [{"tags": "t0"}, {"$and": [{"state": "failed"}, {"config.lr": {"$ne": 1}}]}]}, ["r0", "r4"]),
        ({"$nor": [{"group": "g0"}]}, ["r1", "r3"]),
        ({"created_at": {"$gt": "2020-01-01"}}, ["r0", "r1", "r2", "r3", "r4"]),
        ({"created_at": {"$lt": "2020-01-01T00:00:00"}}, []),
    ],
)
def test_runs_are_found_by_filters(project, filters, expected):
    runs = wandb.Api().runs(f"admin/{project}", filters=filters)
    assert names(runs) == expected and len(runs) == len(expected)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("-created_at", ["r4", "r3", "r2", "r1", "r0"]),
        ("+created_at", ["r0", "r1", "r2", "r3", "r4"]),
        ("-config.lr.value", ["r4", "r3", "r2", "r1", "r0"]),
        ("+summary_metrics.loss", ["r4", "r3", "r2", "r1", "r0"]),
        ("-summary_metrics.loss", ["r0", "r1", "r2", "r3", "r4"]),
    ],
)
def test_runs_come_in_order_and_in_pages(project, order, expected):
    assert names(wandb.Api().runs(f"admin/{project}", order=order, per_page=2)) == expected


def test_a_filter_that_is_not_known_says_so(project):
    with pytest.raises(REFUSED, match="colour"):
        len(wandb.Api().runs(f"admin/{project}", filters={"colour": "red"}))
    with pytest.raises(REFUSED, match=r"\$near"):
        len(wandb.Api().runs(f"admin/{project}", filters={"state": {"$near": "red"}}))


def test_a_missing_project_or_run_is_said_to_be_missing(project):
    with pytest.raises(ValueError, match="no-such-project"):
        len(wandb.Api().runs("admin/no-such-project"))
    with pytest.raises((ValueError, *REFUSED), match="[Cc]ould not find run"):
        wandb.Api().run(f"admin/{project}/nobody")


def test_full_runs_come_in_a_list(project):
    runs = wandb.Api().runs(f"admin/{project}", lazy=False)
    assert [run.config["lr"] for run in runs] == [0.1 * i for i in range(5)]
    assert [run.summary["epoch"] for run in runs] == [3] * 5
    assert runs[0].metadata is not None and runs[0].user.username == "admin"


def test_projects_are_listed(project):
    found = {each.name: each for each in wandb.Api().projects("admin", per_page=1)}
    assert project in found and found[project].entity == "admin"
    assert wandb.Api().project(project, "admin").name == project


def test_history_is_sampled_and_scanned(project):
    run = wandb.Api().run(f"admin/{project}/r1")
    assert [row["epoch"] for row in run.history(pandas=False)] == [0, 1, 2, 3]
    assert len(run.history(samples=2, pandas=False)) == 2
    assert [row["epoch"] for row in run.history(keys=["epoch"], pandas=False)] == [0, 1, 2, 3]
    scanned = run.scan_history(keys=["_step", "loss"], page_size=2, min_step=1, max_step=3)
    assert [row["_step"] for row in scanned] == [1, 2]
    assert run.history(stream="system", pandas=False) == []


def test_a_run_is_changed(project):
    run = wandb.Api().run(f"admin/{project}/r2")
    run.tags.append("best")
    run.notes = "as noted"
    run.config["late"] = {"a": [1, None]}
    run.name = "renamed"
    run.group = "other"
    run.update()
    run.summary["score"] = 0.5
    run.summary.update()
    of_rest = rest(f"/v1/projects/admin/{project}/runs/r2")
    assert (of_rest["tags"], of_rest["notes"], of_rest["display_name"]) == (["t2", "all", "best"], "as noted", "renamed")
    assert of_rest["config"]["late"] == {"a": [1, None]} and of_rest["config"]["lr"] == 0.2
    assert of_rest["summary"]["score"] == 0.5 and of_rest["summary"]["epoch"] == 3
    assert (of_rest["state"], of_rest["group"]) == ("FINISHED", "other")
    again = wandb.Api().run(f"admin/{project}/r2")
    assert again.config == of_rest["config"] and again.summary["score"] == 0.5 and "best" in again.tags


def test_files_are_listed_uploaded_downloaded_and_deleted(project, tmp_path):
    run = wandb.Api().run(f"admin/{project}/r3")
    path = tmp_path / "notes" / "a b.txt"
    path.parent.mkdir()
    path.write_text("of a notebook")
    assert run.upload_file(str(path), root=str(tmp_path)).size == 13
    listed = [file.name for file in run.files(per_page=1)]
    assert "notes/a b.txt" in listed and "config.yaml" in listed
    assert [file.name for file in run.files(pattern="notes/%")] == ["notes/a b.txt"]
    with run.file("notes/a b.txt").download(root=str(tmp_path / "down")) as file:
        assert file.read() == "of a notebook"
    run.file("notes/a b.txt").delete()
    assert "notes/a b.txt" not in [file.name for file in wandb.Api().run(f"admin/{project}/r3").files()]
    assert rest(f"/v1/projects/admin/{project}/runs/r3")["state"] == "FINISHED"


@pytest.fixture(scope="module")
def artifacts(project, tmp_path_factory):
    """Two versions of a dataset, one of a model, made by one run."""
    with start(project, id="maker") as run:
        for i, (name, kind) in enumerate([("data", "dataset"), ("data", "dataset"), ("net", "model")]):
            artifact = wandb.Artifact(name, kind, metadata={"score": i})
            with artifact.new_file("a.txt") as file:
                file.write(f"{i}")
            run.log_artifact(artifact, aliases=[f"a{i}"], tags=[f"tag{i}"]).wait()
    return project


def test_artifacts_are_found_by_type_and_collection(artifacts):
    api = wandb.Api()
    place = f"admin/{artifacts}"
    assert {"dataset", "model"} <= {each.name for each in api.artifact_types(place)}
    assert api.artifact_type("dataset", place).name == "dataset"
    collections = api.artifact_collections(place, "dataset")
    assert [each.name for each in collections] == ["data"] and len(collections) == 1
    collection = api.artifact_collection("dataset", f"{place}/data")
    assert sorted(collection.aliases) == ["a0", "a1", "latest"]
    assert [each.version for each in collection.artifacts()] == ["v1", "v0"]
    versions = api.artifacts("dataset", f"{place}/data", order="+created_at", per_page=1)
    assert [each.version for each in versions] == ["v0", "v1"]
    assert [each.name for each in api.artifacts("dataset", f"{place}/data", tags="tag0")] == ["data:v0"]
    assert api.artifact_exists(f"{place}/data:a0") and not api.artifact_exists(f"{place}/data:v9")
    assert api.artifact_collection_exists(f"{place}/net", "model")
    with pytest.raises((ValueError, *REFUSED), match="nothing"):
        api.artifact_type("nothing", place)


def test_a_collection_is_described_and_tagged(artifacts):
    collection = wandb.Api().artifact_collection("dataset", f"admin/{artifacts}/data")
    collection.description = "of the tests"
    collection.tags = ["one", "two"]
    collection.save()
    collection.tags = ["two"]
    collection.save()
    again = wandb.Api().artifact_collection("dataset", f"admin/{artifacts}/data")
    assert (again.description, list(again.tags)) == ("of the tests", ["two"])
    again.name = "other"
    with pytest.raises(REFUSED, match="renamed"):
        again.save()


def test_a_run_is_deleted_with_what_it_made(artifacts):
    api = wandb.Api()
    run = api.run(f"admin/{artifacts}/maker")
    made = [each.name for each in run.logged_artifacts()]
    assert {"data:v0", "data:v1", "net:v0"} <= set(made)
    run.delete(delete_artifacts=True)
    assert "maker" not in names(wandb.Api().runs(f"admin/{artifacts}"))
    assert not wandb.Api().artifact_exists(f"admin/{artifacts}/net:v0")
    collection = wandb.Api().artifact_collection("model", f"admin/{artifacts}/net")
    collection.delete()
    assert not wandb.Api().artifact_collection_exists(f"admin/{artifacts}/net", "model")


def test_a_run_is_made_and_marked_as_failed(project):
    run = wandb.Api().create_run(project=project, entity="admin", run_id="by-api")
    assert run.state == "running" and run.update_state("failed")
    assert rest(f"/v1/projects/admin/{project}/runs/by-api")["state"] == "FAILED"
    with pytest.raises(REFUSED, match="is none of"):
        run.update_state("pending")


def test_the_viewer_and_the_team_are_known():
    api = wandb.Api()
    assert api.viewer.username == "admin" and "admin" in api.viewer.teams
    assert api.user("admin").username == "admin"
    assert "admin" in {member.username for member in api.team("admin").members}
