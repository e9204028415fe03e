"""Generated requests, well-formed and not, against every operation of /openapi.json: no 5xx, and no answer but those
that the description names. Each operation is one test; both authentication schemes are used where the operation says so.
"""

import os

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

KEY = os.environ["HEDDLE_API_KEY"]

config = SchemathesisConfig.from_dict(
    {
        "auth": {"openapi": {"bearer": {"bearer": KEY}, "basic": {"username": "api", "password": KEY}}},
        "checks": {
            # Clients send more and less than they should, and lose their data if they are refused for it.
            "negative_data_rejection": {"enabled": False},
            # A description can't tell which ids exist, nor which names are taken.
            "positive_data_acceptance": {"enabled": False},
            # A method that a path doesn't have is answered as a path that isn't there.
            "unsupported_method": {"enabled": False},
        },
        "phases": {"stateful": {"enabled": False}},
    }
)
schema = schemathesis.openapi.from_url(os.environ["HEDDLE_URL"].rstrip("/") + "/openapi.json", config=config)


def as_it_is(_context, value) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


for media_type in ("application/x-ndjson", "application/x-tar"):
    schemathesis.serializer(media_type)(as_it_is)


@schema.parametrize()
@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_operation(case: schemathesis.Case) -> None:
    case.call_and_validate()
