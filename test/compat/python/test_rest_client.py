"""The served description is valid, and what openapi-python-client makes of it is a client of every operation, which works."""

import importlib
import json
import pkgutil
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

CONFIG = Path(__file__).with_name("openapi_python_client.yaml")
NAME = f"rest_{uuid.uuid4().hex[:12]}"
SECONDS = 30


@pytest.fixture(scope="module")
def description(server) -> dict:
    with urllib.request.urlopen(f"{server}/openapi.json") as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def generated(description, tmp_path_factory):
    """The package that the generator made, and what it said."""
    folder = tmp_path_factory.mktemp("rest-client")
    (folder / "openapi.json").write_text(json.dumps(description))
    command = "generate --path openapi.json --meta none --output-path heddle_rest --config".split()
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", *command, str(CONFIG)], cwd=folder, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module("heddle_rest"), made.stdout
    sys.path.remove(str(folder))


@pytest.fixture
def receiver():
    arrived: Queue = Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            arrived.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    arrived.url = f"http://127.0.0.1:{server.server_port}/"
    yield arrived
    server.shutdown()


def test_the_description_is_valid(description):
    assert [error.message for error in OpenAPIV31SpecValidator(description).iter_errors()] == []
    assert len(description["webhooks"]) == 15


def test_no_operation_is_left_out_or_cut(generated, description):
    package, said = generated
    assert "WARNING" not in said
    modules = [name for _, name, is_package in pkgutil.walk_packages(package.__path__, "heddle_rest.") if not is_package]
    for name in modules:
        importlib.import_module(name)
    operations = [operation for methods in description["paths"].values() for operation in methods.values()]
    assert len([name for name in modules if name.startswith("heddle_rest.api.")]) == len(operations)


def test_an_automation_from_its_secret_to_its_delivery(generated, server, api_key, receiver):
    package, _ = generated
    client = package.AuthenticatedClient(base_url=server, token=api_key, raise_on_unexpected_status=True)

    def call(operation: str, *path, body: tuple | None = None):
        """Sends one request. body: name of its class, and its fields."""
        module = importlib.import_module(f"heddle_rest.api.{operation}")
        given = {"body": getattr(importlib.import_module("heddle_rest.models"), body[0]).from_dict(body[1])} if body else {}
        response = module.sync_detailed(*path, client=client, **given)
        assert response.status_code < 300, response.content
        return response.parsed

    team = call("accounts.me_get").default_entity
    call("secrets.secrets_create", team, body=("CreateSecretDto", {"name": NAME, "value": "the-receiver-knows-it"}))
    webhook = call(
        "webhooks.webhooks_create",
        team,
        body=("CreateWebhookDto", {"name": NAME, "url_endpoint": receiver.url, "secret_ref": NAME}),
    )
    call("projects.projects_create", body=("CreateProjectDto", {"name": NAME}))
    automation = call(
        "automations.automations_create",
        body=(
            "AutomationsCreateBody",
            {
                "name": NAME,
                "scope": {"scope_type": "PROJECT", "scope_id": f"{team}/{NAME}"},
                "event": {
                    "event_type": "RUN_METRIC",
                    "filter": {"name": "val/reward", "cmp_op": ">=", "threshold": 0.9},
                },
                "action": {
                    "action_type": "Webhooks",
                    "team": team,
                    "webhook_id": str(webhook.id),
                    "request_payload": {"run": "${run_name}", "value": "${metric_value}"},
                },
            },
        ),
    )
    call("runs.runs_create", team, NAME, body=("CreateRunDto", {"name": "nightly"}))
    points = [{"step": 0, "metrics": {"val/reward": 0.5}}, {"step": 1, "metrics": {"val/reward": 0.95}}]
    call("runs.history_log", team, NAME, "nightly", body=("HistoryLogBody", {"points": points}))

    assert receiver.get(timeout=SECONDS) == {"run": "nightly", "value": "0.95"}
    deadline = time.monotonic() + SECONDS
    while (execution := call("deliveries.executions_list", automation.id).data[0]).state.value != "FINISHED":
        assert time.monotonic() < deadline, execution
        time.sleep(0.1)
    assert execution.attempts == 1
