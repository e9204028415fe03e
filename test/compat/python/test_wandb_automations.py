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


def automate(received, project: str, event: dict) -> None:
    rest(
        "/v1/automations",
        {
            "name": f"wandb-{uuid.uuid4().hex[:8]}",
            "scope": {"scope_type": "PROJECT", "scope_id": f"admin/{project}"},
            "event": event,
            "action": {
                "action_type": "Webhooks",
                "team": "admin",
                "webhook_id": received.webhook_id,
                "request_payload": {"told": "${event_type}", "project": "${project_name}"},
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
