"""Logs STEPS steps of METRICS metrics as a training loop does, and prints how many seconds that took, first to last word."""

import json
import sys
import time

how, place, steps, metrics = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
names = [f"group/metric_{i}" for i in range(metrics)]


def values(step: int) -> dict[str, float]:
    return {name: step + i / 7 for i, name in enumerate(names)}


def with_wandb() -> None:
    settings = wandb.Settings(mode=how, init_timeout=120, x_disable_stats=True, console="off", silent=True)
    with wandb.init(project=place, settings=settings) as run:
        for step in range(steps):
            run.log(values(step))


def with_mlflow() -> None:
    client = mlflow.MlflowClient(place)
    run = client.create_run(client.get_experiment_by_name("bench").experiment_id).info.run_id
    # As many values as one request may have.
    batch = []
    for step in range(steps):
        now = int(time.time() * 1000)
        batch += [Metric(name, value, now, step) for name, value in values(step).items()]
        if len(batch) + metrics > 1000 or step == steps - 1:
            client.log_batch(run, metrics=batch)
            batch = []
    client.set_terminated(run)


if how == "mlflow":
    import mlflow
    from mlflow.entities import Metric
else:
    import wandb
started = time.perf_counter()
with_mlflow() if how == "mlflow" else with_wandb()
print(json.dumps({"seconds": time.perf_counter() - started}))
