"""Calls and questions about them, made from a seed: the same seed makes the same ones."""

import random
from typing import Any

TEXTS = ["", "a", "A", "ab", "abc", "x.y", "%", "_", "ünï 🪡"]
WHOLE = [0, 1, 5, -1, 100]
FRACTIONS = [0.5, 1.5, -2.25, 99.75]
OPS = ["weave:///{project}/op/answer:v1", "weave:///{project}/op/answer:v2", "weave:///{project}/op/search:v1", "plain"]

# Fields whose values have one type, where they are there; of `inputs.any` each call may have another.
FIELDS = {
    "whole": ["inputs.count", "summary.sum"],
    "fraction": ["output.score"],
    "text": ["inputs.name", "output.text", "attributes.k", "inputs.deep.name"],
    "boolean": ["inputs.flag"],
    "any": ["inputs.any"],
}
COLUMNS = ["id", "op_name", "trace_id", "parent_id", "exception", "display_name", "thread_id", "turn_id"]


class Generator:
    def __init__(self, seed: int, project: str) -> None:
        self.random = random.Random(seed)
        self.project = project

    def scalar(self, kind: str) -> Any:
        if kind == "any":
            kind = self.random.choice(["whole", "fraction", "text", "boolean"])
        if kind == "boolean":
            return self.random.random() < 0.5
        return self.random.choice({"whole": WHOLE, "fraction": FRACTIONS, "text": TEXTS}[kind])

    def maybe(self, **values: Any) -> dict:
        return {name: value for name, value in values.items() if self.random.random() < 0.7}

    def ref(self) -> str:
        return f"weave:///{self.project}/object/data:{self.random.choice(['v1', 'v2', 'abc'])}"

    def calls(self, count: int) -> list[dict]:
        """Items of `/call/upsert_batch`: starts, most of them with their ends. No two start at the same time."""
        items: list[dict] = []
        for i in range(count):
            start = {
                "project_id": self.project,
                "id": f"call-{i}",
                "trace_id": f"trace-{self.random.randrange(5)}",
                "op_name": self.random.choice(OPS).format(project=self.project),
                "started_at": f"2026-01-31T12:{i % 60:02d}:{i // 60:02d}.{self.random.randrange(10**6):06d}Z",
                "attributes": self.maybe(k=self.scalar("text")),
                "inputs": self.maybe(
                    count=self.scalar("whole"),
                    name=self.scalar("text"),
                    flag=self.scalar("boolean"),
                    any=self.scalar("any"),
                    deep={"name": self.scalar("text")},
                    ref=self.ref(),
                ),
            }
            if i and self.random.random() < 0.5:
                parent = self.random.choice([item["req"]["start"] for item in items if item["mode"] == "start"])
                start.update(parent_id=parent["id"], trace_id=parent["trace_id"])
            if self.random.random() < 0.3:
                start["display_name"] = self.random.choice(TEXTS[1:])
            if self.random.random() < 0.3:
                start["thread_id"] = f"thread-{self.random.randrange(2)}"
                start["turn_id"] = start["id"]
            items.append({"mode": "start", "req": {"start": start}})
            if self.random.random() < 0.8:
                items.append({"mode": "end", "req": {"end": self.end(start)}})
        return items

    def end(self, start: dict) -> dict:
        end = {
            "project_id": self.project,
            "id": start["id"],
            "ended_at": start["started_at"].replace("T12:", "T13:"),
            "output": self.maybe(score=self.scalar("fraction"), text=self.scalar("text")),
            "summary": self.maybe(sum=self.scalar("whole")),
        }
        if self.random.random() < 0.3:
            end["exception"] = self.random.choice(["boom", "KeyError: x"])
        return end

    def comparison(self, kind: str | None = None) -> dict:
        kind = kind or self.random.choice(["whole", "fraction", "text", "text", "boolean", "column"])
        if kind == "column":
            values = ["call-1", "trace-1", "plain", "boom", "a", "thread-1"]
            literals = [{"$literal": self.random.choice(values)} for _ in range(2)]
            field = {"$getField": self.random.choice(COLUMNS)}
        else:
            literals = [{"$literal": self.scalar(kind)} for _ in range(2)]
            field = {"$getField": self.random.choice(FIELDS[kind])}
        if kind == "text" and self.random.random() < 0.4:
            insensitive = self.random.random() < 0.5
            return {"$contains": {"input": field, "substr": literals[0], "case_insensitive": insensitive}}
        if self.random.random() < 0.2:
            return {"$in": [field, literals]}
        if kind == "boolean":
            return {"$eq": [field, literals[0]]}
        return {self.random.choice(["$eq", "$gt", "$gte"] if kind != "column" else ["$eq"]): [field, literals[0]]}

    def expression(self, depth: int = 3) -> dict:
        kind = self.random.randrange(5)
        if depth == 0 or kind == 4:
            return self.comparison()
        if kind < 2:
            return {"$not": [self.expression(depth - 1) if kind == 0 else self.comparison()]}
        return {"$and" if kind == 2 else "$or": [self.expression(depth - 1) for _ in range(2)]}

    def filter(self) -> dict:
        project = self.project
        every = {
            "op_names": [[f"weave:///{project}/op/answer:v1"], [f"weave:///{project}/op/answer:*", "plain"]],
            "input_refs": [[f"weave:///{project}/object/data:v1"], [f"weave:///{project}/object/data:*"]],
            "parent_ids": [["call-0", "call-1"]],
            "trace_ids": [["trace-1", "none"]],
            "call_ids": [["call-3", "call-4", "none"]],
            "trace_roots_only": [True, False],
            "thread_ids": [["thread-1"]],
            "turn_ids": [["call-2", "call-5", "call-9"]],
        }
        names = self.random.sample(sorted(every), self.random.randrange(1, 3))
        return {name: self.random.choice(every[name]) for name in names}

    def sort(self) -> list[dict]:
        fields = [*FIELDS["whole"], *FIELDS["fraction"], *FIELDS["text"], "op_name", "started_at", "ended_at", "summary.weave.latency_ms"]
        order = {"field": self.random.choice(fields), "direction": self.random.choice(["asc", "desc"])}
        return [order, {"field": "started_at", "direction": "asc"}]

    def page(self) -> dict:
        return {"limit": self.random.randrange(1, 20), "offset": self.random.randrange(30)}
