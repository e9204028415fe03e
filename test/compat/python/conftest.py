"""Points the unmodified clients at HEDDLE_URL, with the environment variables that a user would set.

HEDDLE_API_KEY is a key of a user that has a default entity. Nothing is left in the home directory: it is a temporary one.
"""

import json
import os
import sys
import tempfile
import urllib.request
import uuid

import pytest

# The tests of the engine need no server; the others fail without one.
URL = os.environ.get("HEDDLE_URL", "http://heddle.invalid").rstrip("/")
API_KEY = os.environ.get("HEDDLE_API_KEY", "")

_home = tempfile.TemporaryDirectory(prefix="heddle-compat-")
os.environ.update(
    HOME=_home.name,
    WF_TRACE_SERVER_URL=URL,
    WANDB_BASE_URL=URL,
    WANDB_API_KEY=API_KEY,
    # Tests report to nobody.
    WANDB_ERROR_REPORTING="false",
    WANDB_DIR=_home.name,
    HF_HUB_OFFLINE="1",
)


@pytest.fixture(autouse=True)
def artifact_cache():
    """The wandb SDK puts whatever is downloaded after a `skip_cache` at that file's place, of several at once into the same."""
    yield
    if "wandb" in sys.modules:
        from wandb.sdk.artifacts.artifact_file_cache import get_artifact_file_cache

        get_artifact_file_cache()._override_cache_path = None


@pytest.fixture(scope="session")
def server() -> str:
    return URL


@pytest.fixture(scope="session")
def api_key() -> str:
    return API_KEY


@pytest.fixture(scope="session")
def base_models(tmp_path_factory):
    """Directories of models for the embedded engine, by the names of engine_models.MODELS."""
    import engine_models

    return engine_models.make_models(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session")
def base_url(server) -> str:
    """As OpenAI's clients are told it."""
    return f"{server}/v1"


@pytest.fixture(scope="session")
def model(server, api_key) -> str:
    """A new model without checkpoints."""
    body = {"entity": None, "project": "chat", "name": f"asked-{uuid.uuid4().hex[:12]}", "base_model": "heddle/shuttle-1m"}
    headers = {"authorization": f"Bearer {api_key}", "content-type": "application/json"}
    request = urllib.request.Request(f"{server}/v1/preview/models", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        registered = json.load(answer)
    return "wandb-artifact:///{entity}/{project}/{name}".format(**registered)


_greatest: dict[str, tuple[float, float]] = {}


@pytest.fixture(scope="session")
def within():
    """Asserts that a difference is below its limit; the summary says how great it has ever been."""

    def check(what: str, difference: float, limit: float) -> None:
        assert difference < limit, f"{what}: {difference:.1e}"
        _greatest[what] = (max(difference, _greatest.get(what, (0, 0))[0]), limit)

    return check


def pytest_terminal_summary(terminalreporter):
    for what, (difference, limit) in sorted(_greatest.items()):
        terminalreporter.write_line(f"{what}: at most {difference:.1e}, allowed {limit:.0e}")


@pytest.fixture(scope="module")
def client():
    """A client of a project that doesn't exist yet, named as users do it: without an entity."""
    import weave

    client = weave.init(f"python-{uuid.uuid4().hex[:12]}")
    yield client
    weave.finish()


@pytest.fixture(scope="session", autouse=True)
def leaves_no_files():
    yield
    left = {name for _, _, names in os.walk(_home.name) for name in names}
    assert not left & {".netrc", "credentials.json"}, f"left in the home directory: {sorted(left)}"
