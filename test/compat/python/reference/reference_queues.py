"""Annotation queues: made, found, filled and worked through alike. Each server has ids of its own."""

import itertools
import secrets
import tomllib
from pathlib import Path

import pytest
from alike import Differences, difference, normal
from both_servers import ENTITY, Answers, BothServers

KNOWN = tomllib.loads((Path(__file__).parent / "known_differences.toml").read_text())
STATES = ["in_progress", "completed", "skipped"]
# The reference shows an id of its own in the place of the project of an item.
OWN = ("added_by", "annotator_user_id", "updated_at", "project_id")


@pytest.fixture
def asked(request):
    differences = Differences(request.node.name, KNOWN)
    yield differences
    differences.check()


class Queues:
    """Asks both of queues and items by the order in which they were made."""

    def __init__(self, asked: Differences) -> None:
        self._both = BothServers()
        self._asked = asked
        self.project = f"{ENTITY}/queues-{secrets.token_hex(4)}"
        self._queues: list[tuple[str, str]] = []

    def calls(self, *ids: str) -> None:
        batch = []
        for n, call in enumerate(ids):
            start = {"project_id": self.project, "id": call, "trace_id": f"t-{n % 2}", "op_name": f"op-{n % 3}"}
            start |= {"started_at": f"2026-01-31T12:{59 - n:02}:00Z", "attributes": {}, "inputs": {}}
            batch.append({"mode": "start", "req": {"start": start}})
        self._both.ask("/call/upsert_batch", {"batch": batch})

    def queue(self, name: str) -> int:
        body = {"project_id": self.project, "name": name, "scorer_refs": []}
        made = self._both.ask("/annotation_queues", body, user=True)
        self._queues.append((made.reference["id"], made.heddle["id"]))
        return len(self._queues) - 1

    def ask(self, path: str, body: dict, queue: int | None = None, item: str | None = None, **more) -> None:
        ids = self._queues[queue] if queue is not None else ("", "")
        items = self._items(ids, item) if item is not None else ("", "")
        paths = [path.format(queue=one, item=other) for one, other in zip(ids, items)]
        said, refused = self._both.reference(paths[0], self._body(body, 0, ids, items, path), user=True, **more)
        heddle, heddle_refused = self._both.heddle(paths[1], self._body(body, 1), **more)
        found = difference(Answers(self._plain(said), self._plain(heddle), refused, heddle_refused))
        self._asked.note(path, body, found)

    def _body(self, body: dict, server: int, ids=("", ""), items=("", ""), path="") -> dict:
        named = {"queue_id": ids[server]} if "{queue}" in path else {}
        named |= {"item_id": items[server]} if "{item}" in path else {}
        whole = {"project_id": self.project, **body, **named}
        if "queue_ids" in body:
            whole["queue_ids"] = [self._queues[n][server] if isinstance(n, int) else n for n in body["queue_ids"]]
        return whole

    def _items(self, ids: tuple[str, str], call: str) -> tuple[str, str]:
        found = []
        filter = {"project_id": self.project, "filter": {"call_id": call}}
        reference, _ = self._both.reference(f"/annotation_queues/{ids[0]}/items/query", {**filter, "queue_id": ids[0]})
        heddle, _ = self._both.heddle(f"/annotation_queues/{ids[1]}/items/query", filter)
        for answer in (reference, heddle):
            found.append(answer["items"][0]["id"] if answer["items"] else "none")
        return found[0], found[1]

    def _plain(self, answer):
        """Without ids and users; whether somebody annotated is compared by the state."""
        if isinstance(answer, list):
            return [self._plain(one) for one in answer]
        if isinstance(answer, dict):
            kept = {name: self._plain(one) for name, one in answer.items() if name not in (*OWN, "queue_id")}
            return normal(kept)
        return answer.replace("+00:00", "Z").replace(".000000Z", "Z") if isinstance(answer, str) else answer


@pytest.fixture
def queues(asked) -> Queues:
    return Queues(asked)


def test_queues(queues):
    for name in ["Errors", "errors again", "Other"]:
        queues.queue(name)
    for more in [{}, {"name": "ERR"}, {"name": "none"}, {"limit": 1, "offset": 1}, {"limit": 0}]:
        for direction in ["asc", "desc"]:
            sort_by = [{"field": "name", "direction": direction}]
            queues.ask("/annotation_queues/query", {"sort_by": sort_by, **more})
    queues.ask("/annotation_queues/query", {"sort_by": [{"field": "secret", "direction": "asc"}]})
    for changes in [{}, {"name": "New"}, {"description": "why"}, {"scorer_refs": ["weave:///a/b/object/c:v0"]}]:
        queues.ask("/annotation_queues/{queue}", changes, queue=0, method="PUT")
        queues.ask("/annotation_queues/{queue}", {}, queue=0, method="GET")
    for method in ["DELETE", "GET", "DELETE", "PUT"]:
        queues.ask("/annotation_queues/{queue}", {}, queue=0, method=method)
    queues.ask("/annotation_queues", {"name": "a"})


def test_items(queues):
    queues.calls(*[f"c-{n}" for n in range(6)])
    queue = queues.queue("queue")
    fields = {"display_fields": ["inputs.a", "output"]}
    for ids in [["c-0", "c-1"], ["c-1", "c-2", "none"], [], ["none"], ["c-5", "c-4", "c-3"]]:
        queues.ask("/annotation_queues/{queue}/items", {"call_ids": ids, **fields}, queue=queue)
    for call, state in [("c-1", "completed"), ("c-2", "in_progress"), ("c-3", "skipped")]:
        queues.ask("/annotation_queues/{queue}/items/{item}/progress", {"annotation_state": state}, queue, call)
    filters = [{}, {"call_id": "c-2"}, {"call_op_name": "op-1"}, {"call_trace_id": "t-0"}, {"call_id": "none"}]
    filters += [{"annotation_states": states} for states in [[], ["unstarted"], ["completed", "skipped"], ["in_progress"]]]
    pages = [{}, {"limit": 2, "offset": 1, "include_position": True}]
    sorts = [{"field": field, "direction": way} for field in ["call_started_at", "secret"] for way in ["asc", "desc"]]
    for filter, page, sort in itertools.product(filters, pages, sorts):
        queues.ask("/annotation_queues/{queue}/items/query", {"filter": filter, "sort_by": [sort], **page}, queue=queue)
    queues.ask("/annotation_queues/stats", {"queue_ids": [queue, "none", queue]})
    queues.ask("/annotation_queues/stats", {"queue_ids": []})


def test_progress(queues):
    pairs = list(itertools.product(STATES, [*STATES, "unstarted", "none"]))
    queues.calls(*[f"{one}-{other}" for one, other in pairs])
    queue = queues.queue("queue")
    calls = [f"{one}-{other}" for one, other in pairs]
    queues.ask("/annotation_queues/{queue}/items", {"call_ids": calls, "display_fields": []}, queue=queue)
    for call, states in zip(calls, pairs):
        for state in states:
            queues.ask("/annotation_queues/{queue}/items/{item}/progress", {"annotation_state": state}, queue, call)
    queues.ask("/annotation_queues/{queue}/items/{item}/progress", {"annotation_state": "completed"}, queue, "none")
