"""Feedback: taken, refused, found and looked for in calls alike."""

import secrets
import tomllib
from pathlib import Path

import pytest
from alike import Differences
from both_servers import ENTITY, BothServers

KNOWN = tomllib.loads((Path(__file__).parent / "known_differences.toml").read_text())


@pytest.fixture(scope="module")
def both() -> BothServers:
    return BothServers()


@pytest.fixture(scope="module")
def project() -> str:
    return f"{ENTITY}/reference-{secrets.token_hex(4)}"


@pytest.fixture
def asked(request):
    differences = Differences(request.node.originalname, KNOWN)
    yield differences
    differences.check()


def feedback(project, call="call-1", **more):
    ref = f"weave:///{project}/call/{call}"
    return {"project_id": project, "weave_ref": ref, "feedback_type": "custom", "payload": {"a": 1}, **more}


def judged(project, name="judge", **more):
    ref = f"weave:///{project}/object/{name}:v1"
    kind = {"feedback_type": f"wandb.runnable.{name}", "runnable_ref": ref}
    return {**feedback(project), **kind, "payload": {"output": 1}, **more}


EMOJIS = ["👍", "👍🏿", "☝🏽", "👨🏽‍🦰", "🧑🏻‍🤝‍🧑🏿", "🇩🇪", "❤️", "🎉", "", "a", "👍👎"]
NOTES = ["", "x", "x" * 1024, "x" * 1025, "ü" * 1024, 5]


def test_kinds(both, project, asked):
    call = f"weave:///{project}/call/call-2"
    op = f"weave:///{project}/op/judge:v1"
    trigger = f"weave:///{project}/object/monitor:v1"
    bodies = [
        feedback(project),
        feedback(project, feedback_type=""),
        *[feedback(project, feedback_type="wandb.reaction.1", payload={"emoji": emoji}) for emoji in EMOJIS],
        *[feedback(project, feedback_type="wandb.note.1", payload={"note": note}) for note in NOTES],
        feedback(project, feedback_type="wandb.note.1", payload={}),
        feedback(project, feedback_type="wandb.reaction.1", payload={}),
        judged(project),
        judged(project, payload={}),
        judged(project, runnable_ref=None),
        judged(project, runnable_ref=call),
        judged(project, runnable_ref="judge"),
        judged(project, runnable_ref=op),
        judged(project, runnable_ref=op, call_ref=call),
        judged(project, call_ref=op),
        judged(project, feedback_type="wandb.runnable.other"),
        judged(project, feedback_type="wandb.runnable"),
        judged(project, feedback_type="custom"),
        feedback(project, call_ref=call),
        feedback(project, trigger_ref=trigger),
        judged(project, feedback_type="wandb.agent_monitor"),
        judged(project, feedback_type="wandb.agent_monitor", call_ref=call, trigger_ref=trigger),
    ]
    for body in bodies:
        asked.ask(both, "/feedback/create", body, user=True)


SPECS = {
    "whole": {"type": "integer", "minimum": 0, "maximum": 10},
    "choice": {"type": "string", "enum": ["a", "b"]},
    "any": {},
    "short": {"type": "string", "maxLength": 3, "pattern": "^[a-z]+$"},
}


def test_annotations(both, project, asked):
    digests = {"none": "none"}
    for name, schema in SPECS.items():
        obj = {"project_id": project, "object_id": name, "val": {"name": name, "field_schema": schema}}
        digests[name] = both.ask("/obj/create", {"obj": obj}).heddle["digest"]
    for name in [*SPECS, "none"]:
        for value in [0, 5, 11, 1.5, "a", "c", "abcd", None, True, {"a": 1}]:
            ref = f"weave:///{project}/object/{name}:{digests[name]}"
            kind = {"feedback_type": f"wandb.annotation.{name}", "annotation_ref": ref}
            asked.ask(both, "/feedback/create", feedback(project, **kind, payload={"value": value}), user=True)
    ref = f"weave:///{project}/object/any:{digests['any']}"
    for more in [{}, {"annotation_ref": ref, "feedback_type": "custom"}, {"annotation_ref": ref, "payload": {}}]:
        body = {**feedback(project, feedback_type="wandb.annotation.any"), **more}
        asked.ask(both, "/feedback/create", body, user=True)


def given(both, project):
    calls = []
    for i in range(4):
        start = {"project_id": project, "id": f"call-{i}", "trace_id": "t", "op_name": "op"}
        start |= {"started_at": f"2026-01-31T12:00:0{i}Z", "attributes": {}, "inputs": {}}
        calls.append({"mode": "start", "req": {"start": start}})
    both.ask("/call/upsert_batch", {"batch": calls})
    bodies = [
        feedback(project, "call-0", feedback_type="wandb.note.1", payload={"note": "first note"}),
        feedback(project, "call-0", feedback_type="wandb.note.1", payload={"note": "second"}),
        feedback(project, "call-1", feedback_type="wandb.reaction.1", payload={"emoji": "👍"}),
        feedback(project, "call-1", feedback_type="wandb.reaction.1", payload={"emoji": "🎉"}),
        {**judged(project, payload={"output": {"score": 0.5, "label": "good"}}), "weave_ref": f"weave:///{project}/call/call-2"},
        {**judged(project, payload={"output": {"score": 0.9, "label": "bad"}}), "weave_ref": f"weave:///{project}/call/call-3"},
    ]
    for body in bodies:
        both.ask("/feedback/create", body, user=True)


FIELDS = {
    "feedback.[wandb.note.1].payload.note": ["first note", "second", "none", ""],
    "feedback.[wandb.reaction.1].payload.emoji": ["👍", "🎉", "👎"],
    "feedback.[wandb.runnable.judge].payload.output.score": [0.5, 0.9, 0.7],
    "feedback.[wandb.runnable.judge].payload.output.label": ["good", "bad"],
    "feedback.[wandb.runnable.judge].runnable_ref": ["weave:///{project}/object/judge:v1", "none"],
    "feedback.[*].runnable_ref": ["weave:///{project}/object/judge:v1", "none"],
    "feedback.[*].payload.output.label": ["good", "none"],
}


def conditions(project):
    for name, values in FIELDS.items():
        field = {"$getField": name}
        for value in values:
            literal = {"$literal": value.format(project=project) if isinstance(value, str) else value}
            yield {"$eq": [field, literal]}
            yield {"$in": [field, [literal]]}
            if isinstance(value, float):
                yield {"$gt": [field, literal]}
                yield {"$not": [{"$gte": [field, literal]}]}
            elif value:
                yield {"$contains": {"input": field, "substr": literal}}
                yield {"$not": [{"$eq": [field, literal]}]}


def test_calls_by_feedback(both, asked):
    project = f"{ENTITY}/reference-{secrets.token_hex(4)}"
    given(both, project)
    for condition in conditions(project):
        body = {"project_id": project, "query": {"$expr": condition}, "columns": ["id"]}
        answers = both.ask("/calls/stream_query", body)
        found = [sorted(call["id"] for call in said or []) for said in (answers.reference, answers.heddle)]
        refused = [bool(answers.reference_refused), bool(answers.heddle_refused)]
        alike = found[0] == found[1] and refused[0] == refused[1]
        asked.note("/calls/stream_query", body, None if alike else f"reference: {found[0]}, Heddle: {found[1]} {refused}")


def test_queries(both, asked):
    project = f"{ENTITY}/reference-{secrets.token_hex(4)}"
    given(both, project)
    notes = {"query": {"$expr": {"$eq": [{"$getField": "feedback_type"}, {"$literal": "wandb.note.1"}]}}}
    oldest = {"sort_by": [{"field": "created_at", "direction": "asc"}]}
    bodies = [
        notes,
        {**notes, "fields": ["count(*)"]},
        {"fields": ["count(*)"]},
        {"fields": ["feedback_type", "payload.output.score", "payload.output.label", "payload.note"]},
        {"fields": ["payload"], "limit": 2, "offset": 1},
        {"fields": ["secret"]},
        {"query": {"$expr": {"$eq": [{"$getField": "secret"}, {"$literal": 1}]}}},
        {"query": {"$expr": {"$gt": [{"$getField": "payload.output.score"}, {"$literal": 0.6}]}}},
        {"query": {"$expr": {"$contains": {"input": {"$getField": "payload.note"}, "substr": {"$literal": "sec"}}}}},
    ]
    for body in bodies:
        asked.ask(both, "/feedback/query", {"project_id": project, **oldest, **body})
