"""Reactions, notes and feedback of one's own."""

import asyncio

import pytest
import weave


@weave.op
def reply(text: str) -> str:
    return text[::-1]


@weave.op
def other(text: str) -> str:
    return text


@pytest.fixture(scope="module")
def call(client):
    other("unrelated")
    _, call = reply.call("heddle")
    client.flush()
    return client.get_call(call.id)


def test_feedback_is_added_and_listed(client, call):
    reaction = call.feedback.add_reaction("👍")
    note = call.feedback.add_note("Backwards, as promised.")
    custom = call.feedback.add("correctness", {"value": 0.75, "labels": ["a", "ü"]})
    # Like calls, feedback is sent in the background.
    client.flush()
    rows = {row.id: row for row in call.feedback}
    assert set(rows) == {reaction, note, custom}
    assert rows[reaction].payload["emoji"] == "👍"
    assert rows[note].payload == {"note": "Backwards, as promised."}
    assert rows[custom].payload == {"value": 0.75, "labels": ["a", "ü"]}
    assert {row.feedback_type for row in rows.values()} == {"wandb.reaction.1", "wandb.note.1", "correctness"}
    assert len({row.wb_user_id for row in rows.values()}) == 1


def test_feedback_is_found_by_type_and_by_reaction(client, call):
    call.feedback.add_reaction("🎉")
    client.flush()
    assert [row.payload["emoji"] for row in client.get_feedback(reaction="🎉")] == ["🎉"]
    by_type = {"$expr": {"$eq": [{"$getField": "feedback_type"}, {"$literal": "correctness"}]}}
    assert [row.payload["value"] for row in client.get_feedback(query=by_type)] == [0.75]


def test_calls_are_read_and_filtered_with_their_feedback(client, call):
    read = client.get_call(call.id, include_feedback=True)
    types = {row["feedback_type"] for row in read.summary["weave"]["feedback"]}
    assert "correctness" in types
    good = {"$expr": {"$gt": [{"$getField": "feedback.[correctness].payload.value"}, {"$literal": 0.5}]}}
    assert [found.id for found in client.get_calls(query=good)] == [call.id]


def test_feedback_is_purged(client, call):
    note = call.feedback.add_note("Gone soon.")
    client.flush()
    assert note in {row.id for row in call.feedback.refresh()}
    call.feedback.purge(note)
    assert note not in {row.id for row in call.feedback.refresh()}


def test_a_scorer_applied_to_a_call_is_feedback(client, call):
    class Length(weave.Scorer):
        @weave.op
        def score(self, *, output: str) -> dict:
            return {"length": len(output)}

    result = asyncio.run(call.apply_scorer(Length()))
    client.flush()
    assert result.result == {"length": 6}
    scored = client.get_calls(scored_by=["Length"])
    assert [found.id for found in scored] == [call.id]
