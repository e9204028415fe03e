"""What REST shows of what an SDK wrote."""

import base64
import json
import os
import urllib.request

import wandb
from wandb.sdk.lib.service.service_connection import WandbApiFailedError

# What the SDK raises of an answer with errors: one kind or the other, by which of its parts asked.
REFUSED = (wandb.errors.CommError, WandbApiFailedError)


def rest(path: str, body: object = None, method: str | None = None) -> object:
    request = urllib.request.Request(
        os.environ["WANDB_BASE_URL"] + path,
        method=method or ("GET" if body is None else "POST"),
        data=None if body is None else json.dumps(body).encode(),
        headers={"authorization": f"Bearer {os.environ['WANDB_API_KEY']}", "content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def graphql(query: str, **variables: object) -> dict:
    """The answer with its errors, as no client would show it."""
    request = urllib.request.Request(
        os.environ["WANDB_BASE_URL"] + "/graphql",
        data=json.dumps({"query": query, "variables": variables}).encode(),
        headers={
            "authorization": "Basic " + base64.b64encode(f"api:{os.environ['WANDB_API_KEY']}".encode()).decode(),
            "content-type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)
