"""Programs that write into one run and don't know of each other, with the released wandb SDK: nothing is lost or doubled."""

import os
import subprocess
import sys
import textwrap
import time
import uuid
from pathlib import Path

import pytest
import wandb
from wandb_rest import graphql, rest

STEPS = 60
# Waits for the other at two places, so that their sessions overlap.
WRITER = """
    import sys, time, wandb
    from pathlib import Path
    project, name, label, folder, resume = sys.argv[1:]
    folder = Path(folder)
    def meet(place, other):
        (folder / f"{label}-{place}").touch()
        deadline = time.monotonic() + 120
        while not (folder / f"{other}-{place}").exists():
            assert time.monotonic() < deadline, f"{label} waits at {place}"
            time.sleep(0.05)
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, x_file_stream_transmit_interval=0.2)
    arguments = {} if resume == "no" else {"resume": resume}
    with wandb.init(project=project, id=name, config={f"of_{label}": label}, settings=settings, **arguments) as run:
        meet("runs", OTHER)
        print("hello from", label)
        for percent in range(0, 101, 20):
            print(f"\\r{label} has done {percent}%", end="", flush=True)
            time.sleep(0.3)
        print()
        for i in range(STEPS):
            run.log({f"of_{label}": i, "both": f"{label} {i}"})
            if i % 20 == 0:
                time.sleep(0.4)
        run.config[f"late_{label}"] = True
        (folder / f"{label}.txt").write_text(f"a file of {label}")
        run.save(folder / f"{label}.txt", base_path=folder)
        meet("logged", OTHER)
"""


@pytest.fixture(scope="module")
def project() -> str:
    return f"writers-{uuid.uuid4().hex[:12]}"


def write(folder: Path, project: str, run: str, label: str, other: str, resume: str):
    program = textwrap.dedent(WRITER).replace("STEPS", str(STEPS))
    command = [sys.executable, "-c", program.replace("OTHER", repr(other)), project, run, label, str(folder), resume]
    environment = {**{key: value for key, value in os.environ.items() if key != "WANDB_SERVICE"}, "WANDB_DIR": str(folder)}
    return subprocess.Popen(command, env=environment, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)


def wait(*writers: subprocess.Popen) -> None:
    for writer in writers:
        _, errors = writer.communicate(timeout=180)
        assert writer.returncode == 0, errors.decode()


def check(project: str, run: str, folder: Path, *labels: str) -> None:
    seen = wandb.Api().run(f"admin/{project}/{run}")
    rows = list(seen.scan_history())
    for label in labels:
        assert [row[f"of_{label}"] for row in rows if f"of_{label}" in row] == list(range(STEPS)), label
        assert [row["both"] for row in rows if f"of_{label}" in row] == [f"{label} {i}" for i in range(STEPS)]
    assert len(rows) == len(labels) * STEPS
    counts = {metric["name"]: metric["count"] for metric in rest(f"/v1/projects/admin/{project}/runs/{run}/summary")["metrics"]}
    assert counts == {f"of_{label}": STEPS for label in labels}
    of_rest = rest(f"/v1/projects/admin/{project}/runs/{run}")
    assert of_rest["state"] == "FINISHED"
    assert of_rest["config"] == {key: value for label in labels for key, value in ((f"of_{label}", label), (f"late_{label}", True))}
    for label in labels:
        with seen.file(f"{label}.txt").download(root=str(folder / "down")) as file:
            assert file.read() == f"a file of {label}"
    query = f"""{{ project(name: "{project}", entityName: "admin") {{ run(name: "{run}") {{
        logLines(first: 100) {{ edges {{ node {{ number line }} }} }} }} }} }}"""
    lines = [edge["node"]["line"] for edge in graphql(query)["data"]["project"]["run"]["logLines"]["edges"]]
    said = [text for label in labels for text in (f"hello from {label}", f"{label} has done 100%")]
    assert sorted(line for line in lines if "hello" in line or "done" in line) == sorted(said)


def test_two_programs_begin_the_same_run_at_once(project, tmp_path):
    first = write(tmp_path, project, "at-once", "first", "second", "no")
    second = write(tmp_path, project, "at-once", "second", "first", "no")
    wait(first, second)
    check(project, "at-once", tmp_path, "first", "second")


@pytest.mark.parametrize("resume", ["allow", "must"])
def test_a_run_is_resumed_while_its_first_program_goes_on(project, tmp_path, resume):
    first = write(tmp_path, project, resume, "first", "second", "no")
    deadline = time.monotonic() + 120
    while not (tmp_path / "first-runs").exists():
        assert first.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    second = write(tmp_path, project, resume, "second", "first", resume)
    wait(first, second)
    check(project, resume, tmp_path, "first", "second")
