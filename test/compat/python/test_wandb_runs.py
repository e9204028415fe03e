"""Runs through the released wandb SDK: what a training script writes, read back by REST and by the SDK itself."""

import math
import os
import subprocess
import sys
import textwrap
import uuid

import pytest
import wandb
from wandb_rest import graphql, rest


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project that no run has been in yet."""
    return f"wandb-{uuid.uuid4().hex[:12]}"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The SDK writes into the working directory."""
    monkeypatch.chdir(tmp_path)


def start(project: str, **arguments):
    settings = wandb.Settings(init_timeout=60, x_stats_sampling_interval=1)
    return wandb.init(project=project, settings=settings, **arguments)


def test_login_takes_the_key_and_refuses_another(tmp_path):
    assert wandb.login(verify=True)
    assert wandb.Api().default_entity == "admin"
    environment = {**os.environ, "HOME": str(tmp_path), "WANDB_API_KEY": "local" + "a" * 40}
    program = "import wandb; wandb.login(verify=True)"
    refused = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60
    )
    assert refused.returncode == 1 and "AuthenticationError" in refused.stderr


def test_a_run_is_what_its_program_said(project, tmp_path):
    with start(
        project,
        name="first",
        config={"lr": 1e-3, "nest": {"a": 1}},
        tags=["a", "b"],
        notes="hello",
        group="g",
        job_type="train",
    ) as run:
        run.define_metric("loss", summary="min")
        for i in range(20):
            run.log({"loss": 1 / (i + 1), "val/acc": i / 20, "nested": {"x": i}, "word": "text"})
        run.config["late"] = "yes"
        run.summary["best"] = 0.99
        print("a line of the console")
    of_rest = rest(f"/v1/projects/admin/{project}/runs/{run.id}")
    assert of_rest["state"] == "FINISHED" and of_rest["display_name"] == "first"
    assert of_rest["config"] == {"lr": 0.001, "nest": {"a": 1}, "late": "yes"}
    assert (of_rest["tags"], of_rest["notes"], of_rest["group"], of_rest["job_type"]) == (["a", "b"], "hello", "g", "train")
    assert of_rest["summary"]["loss"] == {"min": 0.05} and of_rest["summary"]["best"] == 0.99
    metrics = rest(f"/v1/projects/admin/{project}/runs/{run.id}/history?limit=100")["data"]
    assert [point["step"] for point in metrics] == list(range(20))
    assert metrics[3]["metrics"] == {"loss": 0.25, "val/acc": 0.15, "nested.x": 3}

    seen = wandb.Api().run(f"admin/{project}/{run.id}")
    assert (seen.state, seen.config, seen.tags) == ("finished", of_rest["config"], ["a", "b"])
    rows = list(seen.scan_history())
    assert [row["loss"] for row in rows] == [1 / (i + 1) for i in range(20)]
    assert rows[3]["nested"] == {"x": 3} and rows[3]["word"] == "text"
    assert seen.history(keys=["loss"], pandas=False)[:2] == [{"_step": 0, "loss": 1}, {"_step": 1, "loss": 0.5}]
    assert {file.name for file in seen.files()} >= {"config.yaml", "output.log", "wandb-summary.json"}
    with seen.file("output.log").download(root=str(tmp_path / "down")) as log:
        assert "a line of the console" in log.read()


def test_nan_and_infinity_lose_nothing(project):
    with start(project) as run:
        for i in range(5):
            run.log({"nan": math.nan, "inf": math.inf, "down": -math.inf, "n": i})
    rows = list(wandb.Api().run(f"admin/{project}/{run.id}").scan_history())
    assert [row["n"] for row in rows] == [0, 1, 2, 3, 4]
    assert math.isnan(rows[0]["nan"]) and rows[0]["inf"] == math.inf and rows[0]["down"] == -math.inf
    shown = rest(f"/v1/projects/admin/{project}/runs/{run.id}")
    assert (shown["summary"]["nan"], shown["summary"]["inf"]) == ("NaN", "Infinity")
    [first, *_] = rest(f"/v1/projects/admin/{project}/runs/{run.id}/history")["data"]
    assert first["metrics"] == {"nan": "NaN", "inf": "Infinity", "down": "-Infinity", "n": 0}


def test_a_run_goes_on_where_it_ended(project):
    run_id = uuid.uuid4().hex[:8]
    with start(project, id=run_id, config={"a": 1}) as run:
        run.log({"x": 1})
        run.log({"x": 2})
    with start(project, id=run_id, resume="must") as run:
        assert run.resumed and run.config["a"] == 1
        run.log({"x": 3})
    rows = list(wandb.Api().run(f"admin/{project}/{run_id}").scan_history(keys=["_step", "x"]))
    assert [(row["_step"], row["x"]) for row in rows] == [(0, 1), (1, 2), (2, 3)]


def test_tables_and_histograms_come_back(project):
    with start(project) as run:
        table = wandb.Table(columns=["a", "b"], data=[[1, "x"], [2, "y"]])
        run.log({"h": wandb.Histogram([1, 2, 2, 3]), "t": table})
    seen = wandb.Api().run(f"admin/{project}/{run.id}")
    [row] = list(seen.scan_history())
    assert row["h"]["_type"] == "histogram" and row["t"]["nrows"] == 2
    assert row["t"]["path"] in {file.name for file in seen.files()}


def test_a_program_that_fails_is_a_failed_run(project, tmp_path):
    program = f"""
        import wandb
        with wandb.init(project="{project}", id="failing") as run:
            run.log({{"x": 1}})
            raise RuntimeError("no")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, capture_output=True, timeout=90)
    assert done.returncode == 1
    shown = rest(f"/v1/projects/admin/{project}/runs/failing")
    assert shown["state"] == "FAILED" and shown["last_step"] == 0


def test_a_run_that_was_offline_is_synced(project, tmp_path):
    run = wandb.init(project=project, mode="offline", settings=wandb.Settings(x_stats_sampling_interval=1))
    for i in range(100):
        run.log({"x": i})
    folder = run.settings.sync_dir
    run.finish()
    synced = subprocess.run(
        [sys.executable, "-m", "wandb", "sync", folder], cwd=tmp_path, capture_output=True, text=True, timeout=90
    )
    assert synced.returncode == 0, synced.stderr
    shown = rest(f"/v1/projects/admin/{project}/runs/{run.id}")
    assert (shown["last_step"], shown["state"]) == (99, "FINISHED")


def test_twenty_thousand_points_of_twenty_metrics(project):
    with start(project) as run:
        for i in range(20_000):
            run.log({f"m{j}": i + j for j in range(20)})
    summary = rest(f"/v1/projects/admin/{project}/runs/{run.id}/summary")["metrics"]
    assert [(metric["name"], metric["count"], metric["last"]) for metric in summary][:2] == [
        ("m0", 20_000, 19_999),
        ("m1", 20_000, 20_000),
    ]
    assert len(summary) == 20


def test_another_entity_is_refused_by_its_name(project):
    with pytest.raises(wandb.errors.Error, match="no-such-team"):
        start(project, entity="no-such-team")


def test_what_is_not_served_is_named():
    answer = graphql('mutation { upsertSweep(input: {}) { sweep { id } } }')
    assert "upsertSweep" in answer["errors"][0]["message"]
