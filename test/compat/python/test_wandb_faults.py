"""What goes wrong on the way of a run, with the released wandb SDK: nothing is lost and nothing doubled."""

import os
import subprocess
import sys
import textwrap
import uuid

import pytest
import wandb
from faulty_proxy import FaultyProxy
from wandb_rest import graphql, rest

PROGRAM = """
    import sys, wandb
    settings = wandb.Settings(
        init_timeout=60, x_disable_stats=True, console="off", x_file_stream_retry_wait_min_seconds=0.1,
        x_file_stream_retry_wait_max_seconds=0.5, x_file_stream_transmit_interval=0.3,
    )
    with wandb.init(project=sys.argv[1], id=sys.argv[2], settings=settings) as run:
        for i in range(200):
            run.log({"x": i, "text": str(i)})
            if i % 50 == 0:
                import time; time.sleep(0.5)
"""


@pytest.fixture(scope="module")
def project() -> str:
    return f"faults-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def proxy(server):
    proxy = FaultyProxy(server, "/file_stream")
    yield proxy
    proxy.close()


def start(project: str, **arguments):
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    return wandb.init(project=project, settings=settings, **arguments)


def rows(project: str, run: str, *keys: str) -> list[tuple]:
    history = wandb.Api().run(f"admin/{project}/{run}").scan_history(keys=["_step", *keys])
    return [tuple(row[key] for key in ("_step", *keys)) for row in history]


@pytest.mark.parametrize(
    "faults",
    [[500, 503, 500], [429, 429], ["cut", "cut"], ["lost", "lost"], ["lost", 500, "cut", 429, "lost"]],
    ids=["500", "429", "cut", "lost answers", "all of it"],
)
def test_a_stream_that_fails_is_sent_again(project, proxy, tmp_path, faults):
    proxy.faults.extend(faults)
    run = uuid.uuid4().hex[:8]
    environment = {**os.environ, "WANDB_BASE_URL": proxy.url, "HOME": str(tmp_path), "WANDB_DIR": str(tmp_path)}
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), project, run]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert proxy.seen == faults
    assert rows(project, run, "x", "text") == [(i, i, str(i)) for i in range(200)]
    assert rest(f"/v1/projects/admin/{project}/runs/{run}")["state"] == "FINISHED"


def test_a_run_that_is_stopped_ends_its_program(project, tmp_path):
    # The SDK asks once in a while whether it should stop. It interrupts its program as Ctrl-C does, which programs that a
    # shell started in the background don't hear.
    program = """
        import signal, sys, time, wandb
        signal.signal(signal.SIGINT, signal.default_int_handler)
        settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off", x_file_stream_transmit_interval=0.3)
        with wandb.init(project=sys.argv[1], id="stopped", settings=settings) as run:
            print("begun", flush=True)
            for i in range(2500):
                run.log({"x": i})
                time.sleep(0.1)
    """
    environment = {**os.environ, "WANDB_SILENT": "true", "WANDB_DIR": str(tmp_path)}
    command = [sys.executable, "-c", textwrap.dedent(program), project]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"begun\n"
        run_id = rest(f"/v1/projects/admin/{project}/runs/stopped")["id"]
        answer = graphql("mutation ($id: ID!) { stopRun(input: {id: $id}) { success } }", id=run_id)
        assert answer["data"]["stopRun"]["success"]
        _, errors = process.communicate(timeout=200)
    assert process.returncode != 0 and b"KeyboardInterrupt" in errors
    assert rest(f"/v1/projects/admin/{project}/runs/stopped")["state"] == "FAILED"


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("mutation { upsertSweep(input: {}) { sweep { id } } }", "upsertSweep"),
        ('{ project(name: "a") { sweeps { edges { node { id } } } } }', "sweeps"),
        ('{ project(name: "a") { allViews { edges { node { id } } } } }', "allViews"),
        ("mutation { createRunQueue(input: {}) { success } }", "createRunQueue"),
        ("mutation { pushToRunQueue(input: {}) { runQueueItemId } }", "pushToRunQueue"),
        ("{ triggers { id } }", "triggers"),
    ],
)
def test_what_is_not_served_is_named(query, name):
    answer = graphql(query)
    assert name in answer["errors"][0]["message"] and answer["errors"][0]["extensions"]["code"] == "BAD_REQUEST"


def test_the_address_that_the_sdk_prints_is_a_page(project):
    import base64
    import urllib.request

    with start(project, name="shown") as run:
        url = run.url
    key = base64.b64encode(f"api:{os.environ['WANDB_API_KEY']}".encode()).decode()
    request = urllib.request.Request(url, headers={"authorization": f"Basic {key}"})
    with urllib.request.urlopen(request, timeout=30) as response:
        assert response.headers["content-type"] == "text/html; charset=utf-8" and "shown" in response.read().decode()
