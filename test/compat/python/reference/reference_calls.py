"""The same calls in Weave's own server and in Heddle, and the same questions: they must find the same calls.

Run by pytest under its own configuration (`python_files=reference_*.py`). What differs on purpose is listed in
`known_differences.toml`; one that isn't listed fails, and so does a listed one that no longer occurs.
"""

import json
import re
import secrets
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from both_servers import ENTITY, Answers, BothServers
from generated import Generator

KNOWN = tomllib.loads((Path(__file__).parent / "known_differences.toml").read_text())
SEEDS = [1, 2, 3]
CALLS = 60
QUESTIONS = 60
KINDS = ["comparison", "expression", "filter", "sort", "page", "mixed"]
OCCURRED: Counter[str] = Counter()


@pytest.fixture(scope="module")
def both() -> BothServers:
    return BothServers()


@pytest.fixture(scope="module", params=SEEDS)
def given(request, both) -> Generator:
    generator = Generator(request.param, f"{ENTITY}/reference-{secrets.token_hex(4)}")
    answers = both.ask("/call/upsert_batch", {"batch": generator.calls(CALLS)})
    assert (answers.reference_refused, answers.heddle_refused) == (None, None)
    return generator


def differ(answers: Answers, ordered: bool) -> str | None:
    """How the answers differ, if they do."""
    if answers.reference_refused or answers.heddle_refused:
        if answers.reference_refused and answers.heddle_refused:
            return None
        return f"reference: {answers.reference_refused}, Heddle: {answers.heddle_refused}"
    reference, heddle = ([call["id"] for call in said] for said in (answers.reference, answers.heddle))
    if ordered and reference != heddle:
        return f"reference: {reference}, Heddle: {heddle}"
    only = set(reference) ^ set(heddle)
    return f"found by one of them only: {sorted(only)}" if only else None


@pytest.mark.parametrize("kind", KINDS)
def test_questions(both, given, kind):
    differences = []
    occurred: Counter[str] = Counter()
    for _ in range(QUESTIONS):
        body = {"project_id": given.project, **question(given, kind)}
        answers = both.ask("/calls/stream_query", body)
        difference = differ(answers, ordered="sort_by" in body)
        if difference is None:
            continue
        known = [name for name, entry in KNOWN.items() if kind in entry["kinds"] and re.search(entry["part"], json.dumps(body))]
        occurred.update(known)
        if not known:
            differences.append(f"{json.dumps(body, ensure_ascii=False)}\n  {difference}")
    assert not differences, f"{len(differences)} of {QUESTIONS}:\n" + "\n".join(differences[:10])
    OCCURRED.update(occurred)


def question(given: Generator, kind: str) -> dict:
    if kind == "comparison":
        return {"query": {"$expr": given.comparison()}}
    if kind == "expression":
        return {"query": {"$expr": given.expression()}, "filter": given.filter()}
    if kind == "filter":
        return {"filter": given.filter()}
    if kind == "sort":
        return {"sort_by": given.sort()}
    if kind == "page":
        return {"sort_by": [{"field": "started_at", "direction": given.random.choice(["asc", "desc"])}], **given.page()}
    return {"query": {"$expr": given.comparison("any")}}


def test_known_differences_still_occur():
    ours = [name for name, entry in KNOWN.items() if set(KINDS) & set(entry["kinds"])]
    assert not [name for name in ours if not OCCURRED[name]]


def test_counts_are_those_of_the_queries(both, given):
    for _ in range(10):
        body = {"project_id": given.project, "query": {"$expr": given.comparison()}}
        answers = both.ask("/calls/query_stats", body)
        assert answers.heddle["count"] == answers.reference["count"], json.dumps(body)


def test_calls_are_read_back_alike(both, given):
    body = {"project_id": given.project, "sort_by": [{"field": "started_at", "direction": "asc"}]}
    answers = both.ask("/calls/stream_query", body)
    fields = ["id", "trace_id", "parent_id", "op_name", "display_name", "thread_id", "turn_id", "exception"]
    payloads = ["attributes", "inputs", "output"]
    for reference, heddle in zip(answers.reference, answers.heddle, strict=True):
        for field in [*fields, *payloads]:
            assert heddle.get(field) == reference.get(field), f"{field} of {reference['id']}"
        # trace_name: see known_differences.toml
        for computed in ("status", "latency_ms"):
            assert heddle["summary"]["weave"].get(computed) == reference["summary"]["weave"].get(computed), computed


def test_deleted_calls_are_gone_with_their_descendants(both, given):
    body = {"project_id": given.project, "call_ids": ["call-0"]}
    both.ask("/calls/delete", body, user=True)
    answers = both.ask("/calls/stream_query", {"project_id": given.project})
    assert differ(answers, ordered=False) is None
