"""Automations that fire from programs of the wandb SDK: the webhook arrives."""

import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue

import pytest
import wandb
from wandb_rest import rest

SECONDS = 30


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def received():
    """What arrives at a webhook of a name of its own: `received.name` and a queue of payloads."""
    payloads: Queue = Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            payloads.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    webhook = rest(
        "/v1/teams/admin/webhooks",
        {"name": f"wandb-{uuid.uuid4().hex[:8]}", "url_endpoint": f"http://127.0.0.1:{server.server_port}/"},
    )
    payloads.webhook_id = webhook["id"]
    yield payloads
    server.shutdown()


def automate(received, project: str, event: dict, scope: dict | None = None, **payload: str) -> None:
    rest(
        "/v1/automations",
        {
            "name": f"wandb-{uuid.uuid4().hex[:8]}",
            "scope": scope or {"scope_type": "PROJECT", "scope_id": f"admin/{project}"},
            "event": event,
            "action": {
                "action_type": "Webhooks",
                "team": "admin",
                "webhook_id": received.webhook_id,
                "request_payload": {"told": "${event_type}", "project": "${project_name}", **payload},
            },
        },
    )


def start(project: str, **arguments):
    return wandb.init(project=project, settings=wandb.Settings(init_timeout=60), **arguments)


def test_a_metric_automation_fires_from_run_log(received):
    project = f"wandb-{uuid.uuid4().hex[:12]}"
    with start(project) as run:
        run.log({"reward": 0.1})
    threshold = {"name": "reward", "agg_op": "AVERAGE", "window_size": 1, "cmp_op": ">=", "threshold": 0.9}
    automate(received, project, {"event_type": "RUN_METRIC", "filter": threshold})
    with start(project, id=run.id, resume="must") as run:
        run.log({"reward": 0.95})
    assert received.get(timeout=SECONDS) == {"told": "RUN_METRIC", "project": project}


def test_an_alias_automation_fires_from_artifact_save(received):
    project = f"wandb-{uuid.uuid4().hex[:12]}"
    with start(project) as run:
        artifact = wandb.Artifact("model", "model")
        with artifact.new_file("weights.txt") as file:
            file.write("1 2 3")
        run.log_artifact(artifact).wait()
    automate(received, project, {"event_type": "ADD_ARTIFACT_ALIAS", "filter": {"alias_regex": "^prod$"}})
    seen = wandb.Api().artifact(f"admin/{project}/model:v0")
    seen.aliases.append("prod")
    seen.save()
    assert received.get(timeout=SECONDS) == {"told": "ADD_ARTIFACT_ALIAS", "project": project}


def test_a_run_state_automation_fires_from_finish(received):
    project = f"wandb-{uuid.uuid4().hex[:12]}"
    with start(project):
        automate(received, project, {"event_type": "RUN_STATE", "filter": {"states": ["FINISHED"]}})
    assert received.get(timeout=SECONDS) == {"told": "RUN_STATE", "project": project}


def test_an_alert_of_a_run_fires_once_within_the_time_it_waits(received):
    project = f"wandb-{uuid.uuid4().hex[:12]}"
    with start(project, name="nightly") as run:
        said = {"title": "${alert_title}", "text": "${alert_text}", "severity": "${alert_severity}", "run": "${run_name}"}
        automate(received, project, {"event_type": "RUN_ALERT", "filter": {"severities": ["WARN", "ERROR"]}}, **said)
        run.alert("Low accuracy", "It is \"0.2\"\n", level=wandb.AlertLevel.WARN, wait_duration=300)
        run.alert("Low accuracy", "said before", level=wandb.AlertLevel.WARN, wait_duration=300)
        run.alert("For information", "nobody listens", level=wandb.AlertLevel.INFO)
        run.alert("Diverged", "at once", level="ERROR", wait_duration=0)
    told = {"told": "RUN_ALERT", "project": project, "run": "nightly"}
    assert sorted([received.get(timeout=SECONDS), received.get(timeout=SECONDS)], key=lambda each: each["title"]) == [
        {**told, "title": "Diverged", "text": "at once", "severity": "ERROR"},
        {**told, "title": "Low accuracy", "text": 'It is "0.2"\n', "severity": "WARN"},
    ]
    assert received.empty()


def test_a_link_and_its_alias_fire_automations_of_their_registry(received):
    project, registry = f"wandb-{uuid.uuid4().hex[:12]}", f"r-{uuid.uuid4().hex[:8]}"
    wandb.Api().create_registry(name=registry, organization="admin", visibility="organization")
    scope = {"scope_type": "REGISTRY", "scope_id": f"admin/{registry}"}
    automate(received, project, {"event_type": "LINK_ARTIFACT"}, scope, version="${artifact_version}")
    automate(received, project, {"event_type": "ADD_ARTIFACT_ALIAS", "filter": {"alias_regex": "^prod$"}}, scope)
    with start(project) as run:
        artifact = wandb.Artifact("model", "model")
        with artifact.new_file("weights.txt") as file:
            file.write("1 2 3")
        linked = run.link_artifact(artifact, f"wandb-registry-{registry}/best")
    assert received.get(timeout=SECONDS) == {"told": "LINK_ARTIFACT", "project": registry, "version": f"admin/{registry}/best:v0"}
    linked.aliases.append("prod")
    linked.save()
    assert received.get(timeout=SECONDS) == {"told": "ADD_ARTIFACT_ALIAS", "project": registry}
