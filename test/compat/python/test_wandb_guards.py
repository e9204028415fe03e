"""What the released wandb SDK gets with the key of somebody who is not of the team: nothing."""

import os
import subprocess
import sys
import textwrap
import uuid

import pytest
import wandb
from wandb_rest import rest


@pytest.fixture(scope="module")
def stranger() -> dict[str, str]:
    """Of another team. @returns what the SDK needs to be him"""
    name = f"stranger-{uuid.uuid4().hex[:8]}"
    rest("/v1/users", {"username": name})
    rest("/v1/teams", {"name": name})
    rest(f"/v1/teams/{name}/members/{name}", {"role": "admin"}, "PUT")
    key = rest(f"/v1/users/{name}/api-keys", {"name": "sdk"})["key"]
    return {"WANDB_API_KEY": key, "WANDB_ENTITY": name}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> dict[str, str]:
    """A run with a file, a version, and a registry that links it."""
    os.chdir(tmp_path_factory.mktemp("guards"))
    project, registry = f"guards-{uuid.uuid4().hex[:12]}", f"g-{uuid.uuid4().hex[:8]}"
    wandb.Api().create_registry(name=registry, organization="admin", visibility="organization")
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    with wandb.init(project=project, id="private", settings=settings) as run:
        run.log({"x": 1})
        artifact = wandb.Artifact("data", "dataset")
        with artifact.new_file("secret.txt") as file:
            file.write("of the team")
        run.log_artifact(artifact).wait()
        run.link_artifact(artifact, f"wandb-registry-{registry}/prod")
    return {"project": project, "registry": f"wandb-registry-{registry}", "artifact": artifact.id}


SETTINGS = 'wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")'
ATTEMPTS = {
    "reads a run": 'wandb.Api().run("admin/{project}/private")',
    "lists runs": 'len(wandb.Api().runs("admin/{project}"))',
    "begins a run": 'wandb.init(entity="admin", project="{project}", settings={settings})',
    "resumes a run": 'wandb.init(entity="admin", project="{project}", id="private", resume="must", settings={settings})',
    "reads an artifact": 'wandb.Api().artifact("admin/{project}/data:v0")',
    "reads a linked artifact": 'wandb.Api().artifact("admin/{registry}/prod:v0")',
    "reads an artifact by its id": """
        from wandb.sdk.artifacts.artifact import Artifact
        api = wandb.Api()
        client = getattr(api, "_service_api", None) or api.client
        found = Artifact._from_id("{artifact}", client)
        assert found is not None, "not found"
    """,
    "links into a registry": """
        with wandb.init(project="mine", settings={settings}) as run:
            artifact = wandb.Artifact("mine", "dataset")
            with artifact.new_file("a.txt") as file:
                file.write("a")
            run.log_artifact(artifact).wait()
            wandb.Api().artifact(artifact.qualified_name).link("admin/{registry}/prod")
    """,
}


def attempt(program: str, environment: dict[str, str], folder) -> subprocess.CompletedProcess:
    known = {key: value for key, value in os.environ.items() if key != "WANDB_SERVICE"}
    command = [sys.executable, "-c", "import wandb\n" + textwrap.dedent(program)]
    return subprocess.run(
        command, env={**known, **environment}, cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("what", ATTEMPTS)
def test_a_stranger_is_refused_who(what, place, stranger, tmp_path):
    program = ATTEMPTS[what].format(settings=SETTINGS, **place)
    refused = attempt(program, stranger, tmp_path)
    assert refused.returncode != 0 and "of the team" not in refused.stdout, refused.stderr
    said = refused.stderr.lower()
    missing = ["not found", "could not find", "does not exist", "has not been initialized", "unable to find organization"]
    words = [*missing, "permission", "there is no registry"]
    assert any(word in said for word in words), refused.stderr
    # The same by one of the team is no error: it's not the program that fails.
    if "wandb.init(" not in program:
        assert attempt(program, {}, tmp_path).returncode == 0


def test_nothing_came_of_it(place):
    run = rest(f"/v1/projects/admin/{place['project']}/runs/private")
    assert (run["state"], run["last_step"]) == ("FINISHED", 0)
    runs = rest(f"/v1/projects/admin/{place['project']}/runs")["data"]
    assert [each["name"] for each in runs] == ["private"]
    name = place["registry"].removeprefix("wandb-registry-")
    assert len(rest(f"/v1/registries/admin/{name}/collections/prod/versions")["data"]) == 1


def test_a_key_that_is_none_gets_nothing(place, tmp_path):
    for what in ["reads a run", "begins a run", "reads an artifact"]:
        program = ATTEMPTS[what].format(settings=SETTINGS, **place)
        refused = attempt(program, {"WANDB_API_KEY": "local" + "a" * 40}, tmp_path)
        assert refused.returncode != 0 and any(word in refused.stderr.lower() for word in ["key", "authenticat", "401"])
        assert "no message" not in refused.stderr
