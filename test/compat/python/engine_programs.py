"""Runs the programs that use the built engine as its own code does: test/compat/programs/engine-*.mjs."""

import json
import subprocess
from pathlib import Path

PROGRAMS = Path(__file__).parent.parent / "programs"


def run_program(name: str, request: dict):
    """What the program answers to `request`."""
    ended = subprocess.run(
        ["node", PROGRAMS / f"engine-{name}.mjs"],
        input=json.dumps(request, allow_nan=False),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, f"engine-{name}.mjs failed:\n{ended.stderr}"
    return json.loads(ended.stdout)


def generate(base: Path, adapter: Path | None, requests: list[dict]) -> list[dict]:
    """For each of the requests, {prompt, options}, its prompt's tokens and its choices."""
    whole = [{"base": "base", "adapter": adapter and str(adapter), **request} for request in requests]
    return run_program("generate", {"models": [{"id": "base", "directory": str(base)}], "requests": whole})


def score(base: Path, adapter: Path | None, groups: list[list[dict]]) -> list[list[list[float]]]:
    """Log probabilities of the tokens of each sequence, {tokens, from}, in each of the groups."""
    return run_program("score", {"directory": str(base), "adapter": adapter and str(adapter), "groups": groups})


def train(base: Path, jobs: list[dict]) -> list[list[dict]]:
    """The events of each of the jobs, {from, to, data, shape?}, run one after the other."""
    whole = [
        {"base": "base", "seed": 1, **job, "from": job["from"] and str(job["from"]), "to": str(job["to"])}
        for job in jobs
    ]
    return run_program("train", {"models": [{"id": "base", "directory": str(base)}], "jobs": whole})
