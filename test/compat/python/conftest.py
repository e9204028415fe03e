"""Points the unmodified clients at HEDDLE_URL, with the environment variables that a user would set.

HEDDLE_API_KEY is a key of a user that has a default entity. Nothing is left in the home directory: it is a temporary one.
"""

import os
import tempfile
import uuid

import pytest

URL = os.environ["HEDDLE_URL"].rstrip("/")
API_KEY = os.environ["HEDDLE_API_KEY"]

_home = tempfile.TemporaryDirectory(prefix="heddle-compat-")
os.environ.update(
    HOME=_home.name,
    WF_TRACE_SERVER_URL=URL,
    WANDB_BASE_URL=URL,
    WANDB_API_KEY=API_KEY,
    # Tests report to nobody.
    WANDB_ERROR_REPORTING="false",
)


@pytest.fixture(scope="session")
def server() -> str:
    return URL


@pytest.fixture(scope="session")
def api_key() -> str:
    return API_KEY


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
