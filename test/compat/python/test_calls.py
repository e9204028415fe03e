"""Ops traced with default settings, and read back."""

import asyncio
from types import SimpleNamespace

import pytest
import weave


@weave.op
def retrieve(query: str, limit: int = 2) -> list[dict]:
    return [{"title": f"{query} {i}", "score": 0.25 * i} for i in range(limit)]


@weave.op(call_display_name="Completion")
def complete(prompt: str) -> dict:
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return {"model": "compat-model", "text": f"Echo: {prompt}", "usage": usage}


@weave.op
def answer(question: str) -> dict:
    documents = retrieve(question)
    return {"documents": documents, "texts": [complete(f"{question} 🪡 \x00 ünï")["text"], complete("again")["text"]]}


@weave.op
def fail(cause: str) -> None:
    raise RuntimeError(cause)


@weave.op(accumulator=lambda state, chunk: (state or "") + chunk)
def stream(count: int):
    for i in range(count):
        yield f"t{i}"


@weave.op(eager_call_start=True)
async def slow(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "done"


def only(calls):
    calls = list(calls)
    assert len(calls) == 1
    return calls[0]


@pytest.fixture(scope="module")
def traced(client):
    client.add_cost(llm_id="compat-model", prompt_token_cost=0.001, completion_token_cost=0.002)
    result, call = answer.call("what is a heddle?")
    with pytest.raises(RuntimeError):
        fail("out of thread")
    tokens = list(stream(3))
    with weave.attributes({"request": {"id": "r-1"}}), weave.thread("thread-1"):
        retrieve("attributed", limit=1)
    asyncio.run(slow(0.01))
    client.flush()
    return SimpleNamespace(result=result, call=call, tokens=tokens)


def named(client, name, **more):
    return list(client.get_calls(filter={"op_names": [f"weave:///{client.project_id}/op/{name}:*"]}, **more))


def test_nested_ops_make_a_tree(client, traced):
    root = client.get_call(traced.call.id)
    children = list(client.get_calls(filter={"parent_ids": [root.id]}, sort_by=[{"field": "started_at", "direction": "asc"}]))
    assert [child.summary["weave"]["trace_name"] for child in children] == ["retrieve", "Completion", "Completion"]
    assert {child.trace_id for child in children} == {root.trace_id}
    assert root.inputs["question"] == "what is a heddle?"
    assert dict(root.output) == traced.result
    assert root.output["texts"][0] == "Echo: what is a heddle? 🪡 \x00 ünï"
    assert root.parent_id is None
    assert root.summary["weave"]["status"] == "success"


def test_a_failing_op_is_a_failed_call(client, traced):
    call = only(named(client, "fail"))
    assert "out of thread" in call.exception
    assert call.summary["weave"]["status"] == "error"
    assert call.output is None


def test_a_streaming_op_stores_what_it_added_up_to(client, traced):
    assert traced.tokens == ["t0", "t1", "t2"]
    assert only(named(client, "stream")).output == "t0t1t2"


def test_an_eager_op_is_stored_by_start_and_end(client, traced):
    call = only(named(client, "slow"))
    assert call.output == "done"
    assert call.ended_at > call.started_at


def test_usage_is_summed_up_the_tree_and_costs_are_added(client, traced):
    leaf = named(client, "complete", include_costs=True)[0]
    assert leaf.summary["usage"] == {"compat-model": {"requests": 1, "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}
    root = client.get_call(traced.call.id, include_costs=True)
    cost = root.summary["weave"]["costs"]["compat-model"]
    assert (cost["requests"], cost["prompt_tokens"], cost["completion_tokens"]) == (2, 22, 14)
    assert cost["prompt_tokens_total_cost"] == pytest.approx(0.022)
    assert cost["completion_tokens_total_cost"] == pytest.approx(0.028)
    assert "costs" not in client.get_call(traced.call.id).summary["weave"]


def test_costs_can_be_listed_and_purged(client, traced):
    row = only(client.query_costs(llm_ids=["compat-model"]))
    assert row.prompt_token_cost == pytest.approx(0.001)
    extra = client.add_cost(llm_id="unused-model", prompt_token_cost=1, completion_token_cost=2)
    assert len(client.query_costs(llm_ids=["unused-model"])) == 1
    client.purge_costs([cost_id for cost_id, _ in extra.ids])
    assert client.query_costs(llm_ids=["unused-model"]) == []


def test_attributes_and_threads_are_kept(client, traced):
    call = only(client.get_calls(filter={"thread_ids": ["thread-1"]}))
    assert call.attributes["request"]["id"] == "r-1"
    assert call.thread_id == "thread-1"


def test_calls_are_filtered_sorted_and_paged(client, traced):
    by_prompt = {"$expr": {"$contains": {"input": {"$getField": "inputs.prompt"}, "substr": {"$literal": "HEDDLE"}, "case_insensitive": True}}}
    assert only(client.get_calls(query=by_prompt)).inputs["prompt"].startswith("what is a heddle?")
    failed = {"$expr": {"$eq": [{"$getField": "summary.weave.status"}, {"$literal": "error"}]}}
    assert only(client.get_calls(query=failed)).summary["weave"]["trace_name"] == "fail"
    roots = {"trace_roots_only": True}
    everything = [call.id for call in client.get_calls(filter=roots)]
    assert len(everything) == len(client.get_calls(filter=roots)) == 5
    latest_first = client.get_calls(filter=roots, sort_by=[{"field": "started_at", "direction": "desc"}])
    assert [call.id for call in latest_first] == everything[::-1]
    assert [call.id for call in client.get_calls(filter=roots, limit=2, offset=1, page_size=1)] == everything[1:3]


def test_columns_narrow_what_is_read(client, traced):
    call = only(client.get_calls(filter={"call_ids": [traced.call.id]}, columns=["inputs.question"]))
    assert call.inputs["question"] == "what is a heddle?"
    assert not call.output


def test_a_call_is_renamed_and_deleted(client):
    _, call = retrieve.call("short-lived", limit=0)
    client.flush()
    call.set_display_name("Renamed")
    client.flush()
    assert client.get_call(call.id).display_name == "Renamed"
    client.delete_call(call)
    with pytest.raises(ValueError, match="not found"):
        client.get_call(call.id)
