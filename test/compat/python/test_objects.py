"""Datasets, prompts, models and evaluations."""

import asyncio

import weave

ROWS = [
    {"question": "one", "expected": "ONE", "weight": 1.5},
    {"question": "two", "expected": "TWO", "weight": 2},
    {"question": "two", "expected": "TWO", "weight": 2},
    {"question": "drei", "expected": "THREE", "weight": 3},
]


class Shouter(weave.Model):
    suffix: str

    @weave.op
    def predict(self, question: str) -> str:
        return question.upper() + self.suffix


@weave.op
def exact(expected: str, output: str) -> dict:
    return {"correct": expected == output}


def test_a_dataset_is_published_once_and_read_back(client):
    ref = weave.publish(weave.Dataset(name="shouting", rows=ROWS))
    again = weave.publish(weave.Dataset(name="shouting", rows=ROWS))
    assert again.uri() == ref.uri()
    dataset = weave.ref(ref.uri()).get()
    assert [dict(row) for row in dataset.rows] == ROWS
    longer = weave.publish(weave.Dataset(name="shouting", rows=[*ROWS, {"question": "five"}]))
    assert longer.uri() != ref.uri()
    assert len(list(weave.ref("shouting").get().rows)) == 5
    assert len(list(weave.ref("shouting:v0").get().rows)) == 4


def test_a_large_dataset_keeps_its_order(client):
    rows = [{"n": n, "text": "x" * 200} for n in range(3000)]
    ref = weave.publish(weave.Dataset(name="large", rows=rows))
    assert [row["n"] for row in weave.ref(ref.uri()).get().rows] == list(range(3000))


def test_a_prompt_and_a_plain_value_are_read_back(client):
    prompt = weave.publish(weave.StringPrompt("Hello {name}"), name="greeting")
    assert prompt.get().format(name="Ada") == "Hello Ada"
    value = weave.publish({"a": [1, 2.5, None, "ü"]}, name="plain")
    assert value.get() == {"a": [1, 2.5, None, "ü"]}


def test_an_op_is_published_with_its_code(client):
    ref = weave.publish(exact)
    client.flush()
    assert "expected == output" in ref.get().get_captured_code()


def test_objects_are_listed_and_deleted(client):
    ref = weave.publish({"to": "delete"}, name="deletable")
    assert "deletable" in {obj.object_id for obj in client._objects()}
    client.delete_object_version(ref)
    assert "deletable" not in {obj.object_id for obj in client._objects()}


def test_an_evaluation_is_recorded(client):
    dataset = weave.Dataset(name="shouting", rows=ROWS)
    evaluation = weave.Evaluation(name="shouting-eval", dataset=dataset, scorers=[exact])
    summary = asyncio.run(evaluation.evaluate(Shouter(name="shouter", suffix="")))
    client.flush()
    assert summary["exact"]["correct"] == {"true_count": 3, "true_fraction": 0.75}
    named = f"weave:///{client.project_id}/op/{{}}:*".format
    [evaluate] = client.get_calls(filter={"op_names": [named("Evaluation.evaluate")]})
    assert evaluate.output["exact"]["correct"]["true_count"] == 3
    predictions = list(client.get_calls(filter={"op_names": [named("Shouter.predict")]}))
    assert sorted(call.output for call in predictions) == ["DREI", "ONE", "TWO", "TWO"]
    scores = client.get_calls(filter={"op_names": [named("exact")]})
    assert len(list(scores)) == 4
    by_model = client.get_calls(filter={"input_refs": [predictions[0].inputs["self"].ref.uri()]})
    assert len(list(by_model)) >= 4


def test_an_evaluation_is_logged_step_by_step(client):
    log = weave.EvaluationLogger(name="by-hand", model="hand-model", dataset="hand-data")
    for row in ROWS[:2]:
        prediction = log.log_prediction(inputs={"question": row["question"]}, output=row["expected"])
        prediction.log_score(scorer="good", score=True)
        prediction.finish()
    log.log_summary({"mean": 1.0})
    client.flush()
    [evaluate] = [call for call in client.get_calls(filter={"op_names": [f"weave:///{client.project_id}/op/Evaluation.evaluate:*"]}) if call.display_name == "by-hand"]
    assert evaluate.output["output"]["mean"] == 1.0
