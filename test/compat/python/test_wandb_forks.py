"""Runs that begin at a step of another, or go back to one of their own, through the released wandb SDK."""

import uuid

import pytest
import wandb
from wandb_rest import rest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def project() -> str:
    return f"forks-{uuid.uuid4().hex[:12]}"


def start(project: str, **arguments):
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    return wandb.init(project=project, settings=settings, **arguments)


def rows(project: str, run: str) -> list[tuple]:
    history = wandb.Api().run(f"admin/{project}/{run}").scan_history(keys=["_step", "x"])
    return [(row["_step"], row["x"]) for row in history]


def of_rest(project: str, run: str) -> list[tuple]:
    history = rest(f"/v1/projects/admin/{project}/runs/{run}/history")["data"]
    return [(point["step"], point["metrics"]["x"]) for point in history]


def test_a_fork_has_what_its_parent_logged_and_goes_on_by_itself(project):
    with start(project, id="parent", config={"lr": 1}) as run:
        for i in range(6):
            run.log({"x": i, "seen": wandb.Histogram([i])} | ({"rare": 7} if i == 1 else {}))
    with start(project, id="child", fork_from="parent?_step=2", config={"lr": 2}) as run:
        assert run.starting_step == 3
        run.log({"x": 10})
        run.log({"x": 11})
    expected = [(0, 0), (1, 1), (2, 2), (3, 10), (4, 11)]
    assert rows(project, "child") == of_rest(project, "child") == expected
    # A fork of a fork, from before and from behind the point where that began.
    with start(project, id="deep", fork_from="child?_step=3") as run:
        run.log({"x": 20})
    with start(project, id="shallow", fork_from="child?_step=0"):
        pass
    assert rows(project, "deep") == of_rest(project, "deep") == [*expected[:4], (4, 20)]
    assert rows(project, "shallow") == [(0, 0)]
    of_shallow = wandb.Api().run(f"admin/{project}/shallow")
    assert of_shallow.lastHistoryStep == 0 and "histogram" in str(of_shallow.history(pandas=False))

    # What becomes of the parent is nothing to them.
    with start(project, id="parent", resume="must") as run:
        run.log({"x": 99})
    wandb.Api().run(f"admin/{project}/child").delete()
    assert rows(project, "parent")[-2:] == [(5, 5), (6, 99)]
    assert rows(project, "deep") == [*expected[:4], (4, 20)]
    deep = rest(f"/v1/projects/admin/{project}/runs/deep")
    assert (deep["last_step"], deep["state"]) == (4, "FINISHED")
    assert (deep["summary"]["x"], deep["summary"]["rare"]) == (20, 7)


def test_a_fork_resumes_like_any_run(project):
    with start(project, id="first") as run:
        for i in range(4):
            run.log({"x": i})
    with start(project, id="second", fork_from="first?_step=1") as run:
        run.log({"x": "again"})
    with start(project, id="second", resume="must") as run:
        run.log({"x": "more"})
    assert rows(project, "second") == [(0, 0), (1, 1), (2, "again"), (3, "more")]


def test_media_of_a_fork_is_its_own(project, tmp_path):
    with start(project, id="media") as run:
        run.log({"x": 0, "table": wandb.Table(columns=["a"], data=[[1]])})
    with start(project, id="media-too", fork_from="media?_step=0"):
        pass
    wandb.Api().run(f"admin/{project}/media").delete()
    run = wandb.Api().run(f"admin/{project}/media-too")
    [row] = run.scan_history()
    with run.file(row["table"]["path"]).download(root=str(tmp_path)) as file:
        assert '"data":[[1]]' in file.read().replace(" ", "")


def test_a_run_goes_back_to_a_step(project):
    with start(project, id="back") as run:
        for i in range(6):
            run.log({"x": i})
    with start(project, resume_from="back?_step=4"):
        pass
    of_back = rest(f"/v1/projects/admin/{project}/runs/back")
    assert (of_back["last_step"], of_back["summary"]["x"]) == (4, 4)
    with start(project, resume_from="back?_step=2") as run:
        run.log({"x": "again"})
    assert rows(project, "back") == [(0, 0), (1, 1), (2, 2), (3, "again")]


def test_what_can_not_be_forked_is_named(project):
    with pytest.raises(wandb.errors.Error, match="no-such-run"):
        start(project, id="orphan", fork_from="no-such-run?_step=2")
    names = [run["name"] for run in rest(f"/v1/projects/admin/{project}/runs")["data"]]
    assert "orphan" not in names
