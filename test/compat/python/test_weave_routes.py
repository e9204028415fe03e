"""The routes that the client reaches by its bindings alone: datasets, models, scorers, evaluations and what they make."""

import uuid

import pytest
from weave.trace_server_bindings.remote_http_trace_server import RemoteHTTPTraceServer
from weave.vendor.weave_server_sdk import APIStatusError


@pytest.fixture(scope="module")
def bindings(server, api_key):
    remote = RemoteHTTPTraceServer(server, should_batch=False)
    remote.set_auth(("api", api_key))
    return remote


@pytest.fixture(scope="module")
def project():
    return f"admin/routes-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def ask(bindings, project):
    return lambda method, **fields: getattr(bindings, method)({"project_id": project, **fields})


def test_datasets(ask, project):
    rows = [{"question": "a?", "n": 2**60}, {"question": "b?", "n": None}]
    first = ask("dataset_create", name="My Questions", rows=rows, description="some")
    again = ask("dataset_create", name="My Questions", rows=rows[:1])
    assert (first.object_id, first.version_index, again.version_index) == ("my_questions", 0, 1)
    read = ask("dataset_read", object_id="my_questions", digest=first.digest)
    assert (read.name, read.description) == ("My Questions", "some")
    table = ask("table_query", digest=read.rows.rsplit("/", 1)[1])
    assert [row.val for row in table.rows] == rows
    listed = list(ask("dataset_list"))
    assert [dataset.digest for dataset in listed] == [first.digest, again.digest]
    assert [dataset.digest for dataset in ask("dataset_list", limit=1, offset=1)] == [again.digest]
    assert ask("dataset_delete", object_id="my_questions", digests=[first.digest]).num_deleted == 1
    assert ask("dataset_delete", object_id="my_questions").num_deleted == 1
    assert list(ask("dataset_list")) == []


def test_ops_and_models(ask):
    op = ask("op_create", name="answer", source_code="def answer(): return 'ü'")
    assert ask("op_read", object_id="answer", digest=op.digest).code == "def answer(): return 'ü'"
    assert "answer" in [found.object_id for found in ask("op_list")]
    model = ask("model_create", name="Assistant", source_code="class A: ...", attributes={"temperature": 0.5})
    read = ask("model_read", object_id=model.object_id, digest=model.digest)
    assert (read.name, read.source_code, read.attributes) == ("Assistant", "class A: ...", {"temperature": 0.5})
    assert [found.digest for found in ask("model_list")] == [model.digest]
    assert ask("op_delete", object_id="answer").num_deleted == 1
    assert ask("model_delete", object_id="assistant").num_deleted == 1


def test_an_evaluation_from_its_parts_to_its_results(ask, project):
    dataset = ask("dataset_create", name="rows", rows=[{"q": 1}])
    scorer = ask("scorer_create", name="exact", op_source_code="def score(): ...", description="same")
    assert ask("scorer_read", object_id="exact", digest=scorer.digest).description == "same"
    assert [found.object_id for found in ask("scorer_list")] == ["exact"]
    model = ask("model_create", name="m", source_code="class M: ...")
    made = ask(
        "evaluation_create",
        name="quality",
        dataset=f"weave:///{project}/object/rows:{dataset.digest}",
        scorers=[scorer.scorer],
        trials=2,
        eval_attributes={"team": "x"},
    )
    evaluation = ask("evaluation_read", object_id="quality", digest=made.digest)
    assert (evaluation.trials, evaluation.scorers) == (2, [scorer.scorer])
    assert [found.digest for found in ask("evaluation_list")] == [made.digest]

    run = ask("evaluation_run_create", evaluation=made.evaluation_ref, model=model.api_model_ref).evaluation_run_id
    assert ask("evaluation_run_read", evaluation_run_id=run).status == "running"
    prediction = ask(
        "prediction_create",
        model=model.api_model_ref,
        inputs={"q": 1, "large": 2**60},
        output={"answer": 3},
        evaluation_run_id=run,
    ).prediction_id
    read = ask("prediction_read", prediction_id=prediction)
    assert (read.inputs, read.output, read.evaluation_run_id) == ({"q": 1, "large": 2**60}, {"answer": 3}, run)
    score = ask(
        "score_create", prediction_id=prediction, scorer=scorer.scorer, value=0.5, evaluation_run_id=run
    ).score_id
    read = ask("score_read", score_id=score)
    assert (read.value, read.scorer, read.evaluation_run_id) == (0.5, scorer.scorer, run)
    assert ask("prediction_finish", prediction_id=prediction).success
    assert ask("evaluation_run_finish", evaluation_run_id=run, summary={"note": "done"}).success
    finished = ask("evaluation_run_read", evaluation_run_id=run)
    assert (finished.status, finished.summary["note"]) == ("success", "done")
    assert ask("call_read", id=run).call.output == {"exact": {"mean": 0.5}}

    assert [found.evaluation_run_id for found in ask("evaluation_run_list", filter={"models": [model.api_model_ref]})] == [run]
    assert list(ask("evaluation_run_list", filter={"models": ["weave:///none"]})) == []
    assert [found.prediction_id for found in ask("prediction_list", evaluation_run_id=run)] == [prediction]
    assert [found.score_id for found in ask("score_list", evaluation_run_id=run)] == [score]
    about = {"$eq": [{"$getField": "weave_ref"}, {"$literal": f"weave:///{project}/call/{prediction}"}]}
    feedback = ask("feedback_query", query={"$expr": about}).result
    assert [(found["feedback_type"], found["payload"]) for found in feedback] == [("wandb.runnable.exact", {"output": 0.5})]
    assert ask("evaluation_run_delete", evaluation_run_ids=[run]).num_deleted == 1
    assert list(ask("prediction_list", evaluation_run_id=run)) == []


def test_reports_of_feedback(ask, project):
    for i, score in enumerate([0.25, 0.75]):
        ask(
            "feedback_create",
            weave_ref=f"weave:///{project}/call/{i}",
            feedback_type="wandb.runnable.judge",
            runnable_ref=f"weave:///{project}/object/judge:v0",
            payload={"output": {"score": score, "passed": score > 0.5, "why": "x"}},
            scorer_tags=["good"],
            scorer_ratings={"_rating_": score},
        )
    kind = {"feedback_type": "wandb.runnable.judge", "start": "2020-01-01T00:00:00Z"}
    paths = {path.json_path: path.value_type for path in ask("feedback_payload_schema", **kind).paths}
    assert paths == {"output.passed": "boolean", "output.score": "numeric", "output.why": "categorical"}
    metrics = [{"json_path": "output.score", "aggregations": ["avg", "max"], "percentiles": [50]}]
    stats = ask("feedback_stats", **kind, metrics=metrics)
    assert stats.window_stats == {"output_score": {"avg": 0.5, "max": 0.75, "p50": 0.5}}
    assert sum(bucket["count"] for bucket in stats.buckets) == 2
    found = ask("feedback_aggregate", after_ms=0, before_ms=4102444800000, group_by=["scorer_id"], rating_min=0.5)
    assert [bucket.model_dump(exclude={"time_bucket_start_ms"}) for bucket in found.buckets] == [
        {
            "group": {"scorer_id": "judge"},
            "rating_counts": {"_rating_": 1},
            "rating_sums": {"_rating_": 0.75},
            "scored_count": 1,
            "tag_counts": {"good": 1},
            "total_count": 1,
        }
    ]


def test_settings_of_a_project(bindings, ask, project):
    [info] = bindings.projects_info({"project_ids": [project, "admin/none", "none/none"]})
    assert info.external_project_id == project
    assert ask("project_stats").objects_storage_size_bytes > 0
    assert ask("project_ttl_settings_read").retention_days is None
    assert ask("project_ttl_settings_update", retention_days=30).retention_days == 30
    assert ask("project_ttl_settings_read").retention_days == 30
    assert ask("project_ttl_settings_update", retention_days=None).retention_days is None


def test_annotation_queues(bindings, ask, project):
    start = {"project_id": project, "id": "looked-at", "op_name": "op", "trace_id": "t", "attributes": {}, "inputs": {}}
    bindings.call_start({"start": {**start, "started_at": "2026-01-31T12:00:00Z"}})
    queue = ask("annotation_queue_create", name="Errors", scorer_refs=[], description="look").id
    assert [found.id for found in ask("annotation_queues_query_stream", name="err")] == [queue]
    assert ask("annotation_queue_read", queue_id=queue).queue.description == "look"
    assert ask("annotation_queue_update", queue_id=queue, name="Grave").queue.name == "Grave"
    added = ask("annotation_queue_add_calls", queue_id=queue, call_ids=["looked-at", "none"], display_fields=["inputs"])
    assert (added.added_count, added.duplicates) == (1, 0)
    [item] = ask("annotation_queue_items_query", queue_id=queue, include_position=True).items
    assert (item.call_id, item.annotation_state, item.position_in_queue) == ("looked-at", "unstarted", 1)
    done = {"queue_id": queue, "item_id": item.id, "annotation_state": "completed"}
    assert ask("annotator_queue_items_progress_update", **done).item.annotation_state == "completed"
    [stats] = ask("annotation_queues_stats", queue_ids=[queue]).stats
    assert (stats.total_items, stats.completed_items) == (1, 1)
    assert ask("annotation_queue_delete", queue_id=queue).queue.deleted_at is not None


def test_sources_of_datasets(ask):
    source = {"source_kind": "conversation", "source_id": "talk", "source_trace_id": ""}
    dataset = {"dataset_object_id": "questions"}
    links = [{"row_digest": "row", "sources": [source], "link_metadata": {"by": "hand"}}]
    linked = ask("dataset_sources_link", **dataset, dataset_digest="v0", links=links, include_created_status=True)
    assert [entry.created for entry in linked.entries] == [True]
    [link] = ask("dataset_sources_query", **dataset).links
    assert (link.source_id, link.link_metadata, link.deleted_at) == ("talk", {"by": "hand"}, None)
    [membership] = ask("source_datasets_query", sources=[source]).memberships
    assert (membership.dataset_object_id, membership.row_digests) == ("questions", ["row"])
    assert [entry.deleted for entry in ask("dataset_sources_link_delete", link_ids=[link.id]).entries] == [True]


def test_what_is_not_built_says_so(ask):
    with pytest.raises(APIStatusError) as refused:
        ask("image_create", inputs={"prompt": "a cat", "model": "none"})
    assert refused.value.status_code == 501
    assert "/image/create is not built" in refused.value.response.json()["reason"]
