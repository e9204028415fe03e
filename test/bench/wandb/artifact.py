"""Sends FILE as an artifact and gets it back into FOLDER; prints how many seconds each took."""

import json
import sys
import time

how, place, file, folder = sys.argv[1:]


def wandb_up() -> str:
    settings = wandb.Settings(init_timeout=120, x_disable_stats=True, console="off", silent=True)
    with wandb.init(project=place, settings=settings) as run:
        artifact = wandb.Artifact("large", "dataset")
        artifact.add_file(file, policy="immutable", skip_cache=True)
        started = time.perf_counter()
        run.log_artifact(artifact).wait(timeout=3600)
        seconds["up"] = time.perf_counter() - started
    return artifact.qualified_name


def wandb_down(name: str) -> None:
    wandb.Api().artifact(name).download(root=folder, skip_cache=True)


def mlflow_up() -> str:
    client = mlflow.MlflowClient(place)
    run = client.create_run(client.get_experiment_by_name("bench").experiment_id).info.run_id
    started = time.perf_counter()
    client.log_artifact(run, file)
    seconds["up"] = time.perf_counter() - started
    return run


def mlflow_down(run: str) -> None:
    client = mlflow.MlflowClient(place)
    client.download_artifacts(run, file.rsplit("/", 1)[1], folder)


if how == "mlflow":
    import mlflow

    up, down = mlflow_up, mlflow_down
else:
    import wandb

    up, down = wandb_up, wandb_down
seconds: dict[str, float] = {}
name = up()
started = time.perf_counter()
down(name)
seconds["down"] = time.perf_counter() - started
print(json.dumps(seconds))
