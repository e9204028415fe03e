"""The project on the other server, and which ids its parts get."""

import uuid
from pathlib import Path

import wandb

_NAMESPACE = uuid.UUID("6f0d9f0e-5a53-4a8e-9a55-0a5e9c3b7a10")


class SourceProject:
    def __init__(self, name: str, work: Path) -> None:
        self.name = name
        self.entity, self.project = name.split("/")
        self.work = work
        self.api = wandb.Api(timeout=60)

    def id(self, kind: str, name: str) -> str:
        """The same for the same thing, however often it comes."""
        return str(uuid.uuid5(_NAMESPACE, f"{self.api.settings['base_url']} {self.name} {kind} {name}"))

    def run_id(self, run) -> str | None:
        """Of a run that versions name; None for one of another project."""
        is_of_project = run is not None and (run.entity, run.project) == (self.entity, self.project)
        return self.id("run", run.id) if is_of_project else None

    def folder(self, kind: str, part_id: str) -> Path:
        return self.work / kind / part_id

    def author(self, user) -> str:
        return getattr(user, "username", None) or self.entity


def say(line: str) -> None:
    print(line, flush=True)


def leave_out(what: str, why: str) -> None:
    say(f"left out: {what}: {why}")
