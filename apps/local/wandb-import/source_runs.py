"""Runs: what they were set to, what they logged, and their files."""

import json
from itertools import groupby
from pathlib import Path

from pieces import Piece
from source_project import SourceProject, leave_out, say
from values import is_path, moment, moment_of, numbers, storable

STATES = {"finished": "FINISHED", "failed": "FAILED", "killed": "FAILED", "crashed": "CRASHED", "preempted": "CRASHED"}
# The Api gives a sample of what the machine did: of as many lines, all.
MAX_EVENTS = 100_000


def fetch_runs(source: SourceProject):
    """Yields the folder of each run's piece."""
    for run in source.api.runs(source.name, order="+created_at", per_page=50):
        if run.state not in STATES:
            leave_out(f"run {run.id}", f"it is {run.state}; once it is over, the same command brings it")
            continue
        piece = Piece(source.folder("runs", source.id("run", run.id)))
        if not piece.is_fetched(f"{run.state} {run.heartbeat_at}"):
            say(f"run {run.id}")
            with piece:
                RunFetcher(source, run, piece).fetch()
        yield piece.folder


class RunFetcher:
    def __init__(self, source: SourceProject, run, piece: Piece) -> None:
        self._source, self._run, self._piece = source, run, piece
        self._id = source.id("run", run.id)
        self._metadata: dict = {}

    def fetch(self) -> None:
        run = self._run
        run.load_full_data(force=True)
        last_step = self._history()
        for number, event in enumerate(run.history(samples=MAX_EVENTS, pandas=False, stream="system")):
            self._line("events", number, json.dumps(event))
        self._console()
        self._files()
        git = self._metadata.get("git")
        self._piece.row(
            "runs",
            id=self._id,
            name=run.id,
            display_name=run.name or run.id,
            state=STATES[run.state],
            config=json.dumps(storable(dict(run.config))),
            client_config=run.json_config,
            summary=json.dumps(run.summary_metrics),
            notes=run.notes or None,
            tags=list(run.tags or []),
            group_name=run.group or None,
            job_type=run.job_type or None,
            host=self._metadata.get("host"),
            program=self._metadata.get("program"),
            git_commit=run.commit or (git.get("commit") if isinstance(git, dict) else None),
            last_step=last_step,
            created_by=self._source.author(run.user),
            created_at=moment(run.created_at),
            state_changed_at=moment(run.heartbeat_at or run.created_at),
            stop_requested=False,
        )

    def _line(self, stream: str, number: int, body: str, step: int | None = None) -> None:
        self._piece.row("run_lines", run_id=self._id, stream=stream, line_no=number, step=step, body=body)

    def _history(self) -> int | None:
        lines = enumerate(self._run.scan_history(page_size=1000, use_cache=False))
        last = None
        for step, group in groupby(lines, key=lambda each: int(each[1].get("_step", each[0]))):
            metrics = {}
            for number, line in group:
                # The SDK gives keys in any order.
                self._line("history", number, json.dumps(line, sort_keys=True), step)
                at = moment_of(line.get("_timestamp")) or moment(self._run.created_at)
                # Of several values at one step the last counts.
                metrics.update({name: (value, at) for name, value in numbers(line)})
            for name, (value, at) in metrics.items():
                self._piece.row("run_metrics", run_id=self._id, name=name, step=step, value=value, logged_at=at)
            last = step if last is None else max(last, step)
        return last

    def _console(self) -> None:
        for line in self._run.console_logs():
            time = line.timestamp.replace(tzinfo=None).isoformat(timespec="microseconds") if line.timestamp else None
            level = "ERROR " if line.level == "error" else ""
            self._line("log", line.number, line.content if time is None else f"{level}{time} {line.content}")

    def _files(self) -> None:
        for file in self._run.files(per_page=500):
            if not is_path(file.name):
                leave_out(f"file {file.name!r} of run {self._run.id}", "no file here may have such a path")
                continue
            scratch = self._piece.scratch()
            file.download(root=str(scratch), replace=True).close()
            path = scratch / file.name
            if file.name == "wandb-metadata.json":
                self._metadata = _read_object(path)
            when = moment(file.updated_at or self._run.created_at)
            sha256 = self._piece.keep(path)
            self._piece.row("run_files", run_id=self._id, path=file.name, sha256=sha256, uploaded_at=when)


def _read_object(path: Path) -> dict:
    try:
        value = json.loads(path.read_bytes())
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
