"""Objects, tables, references, prices and files: published, read, deleted and refused alike."""

import secrets
import tomllib
from pathlib import Path

import pytest
from alike import Differences
from both_servers import ENTITY, BothServers

KNOWN = tomllib.loads((Path(__file__).parent / "known_differences.toml").read_text())
VALUES = [1, 2.5, "text", True, [1, {"a": [2]}], {"a": {"b": "ünï"}, "n": None}, {}]


@pytest.fixture(scope="module")
def both() -> BothServers:
    return BothServers()


@pytest.fixture
def project() -> str:
    return f"{ENTITY}/reference-{secrets.token_hex(4)}"


@pytest.fixture
def asked(request):
    differences = Differences(request.node.name, KNOWN)
    yield differences
    differences.check()


def create(asked, both, project, object_id, val, **more):
    obj = {"project_id": project, "object_id": object_id, "val": val, **more}
    return asked.ask(both, "/obj/create", {"obj": {**obj, "wb_user_id": None}}).heddle


def read(asked, both, project, object_id, digest):
    asked.ask(both, "/obj/read", {"project_id": project, "object_id": object_id, "digest": digest})


def test_versions(both, project, asked):
    for val in VALUES:
        create(asked, both, project, "thing", val)
    create(asked, both, project, "thing", VALUES[1])
    for digest in ["latest", "v0", "v1", "v6", "v7", "vx", "none", ""]:
        read(asked, both, project, "thing", digest)
    read(asked, both, project, "nothing", "latest")
    sort_by = [{"field": "object_id", "direction": "asc"}]
    for filter in [{"object_ids": ["thing"], "latest_only": True}, {"is_op": True}, {"object_ids": ["x"]}]:
        asked.ask(both, "/objs/query", {"project_id": project, "filter": filter, "sort_by": sort_by})


def test_deletions(both, project, asked):
    digests = [create(asked, both, project, "gone", val)["digest"] for val in VALUES[:4]]
    for chosen in [[digests[3]], [digests[0], digests[1]], ["none"], ["v2"]]:
        asked.ask(both, "/obj/delete", {"project_id": project, "object_id": "gone", "digests": chosen})
        for digest in ["latest", "v0", "v3", digests[0]]:
            read(asked, both, project, "gone", digest)
    create(asked, both, project, "gone", VALUES[0])
    read(asked, both, project, "gone", "latest")
    asked.ask(both, "/obj/delete", {"project_id": project, "object_id": "gone"})
    asked.ask(both, "/obj/delete", {"project_id": project, "object_id": "gone"})


@pytest.mark.parametrize("name", ["a.b-c_1", "größe", "a/b", "a:b", "a b", "", "x" * 128, "x" * 129, "a*"])
def test_names(both, project, name):
    asked = Differences("names", KNOWN)
    create(asked, both, project, name, 1)
    asked.check()


LABELS = ["latest", "v0", "v1x", "prod", "a/b", "a:b", " ", "", "two words", "x" * 129, "x" * 257]


@pytest.mark.parametrize("label", LABELS)
def test_labels(both, project, label):
    asked = Differences("labels", KNOWN)
    digest = create(asked, both, project, "thing", 1)["digest"]
    common = {"project_id": project, "object_id": "thing", "digest": digest}
    asked.ask(both, "/objs/thing/aliases", {**common, "aliases": [label]}, method="PUT")
    asked.ask(both, f"/objs/thing/versions/{digest}/tags", {**common, "tags": [label]}, method="PUT")
    asked.check()


CLASSES = [
    ("Leaderboard", {"columns": []}),
    ("Leaderboard", {}),
    ("Leaderboard", {"columns": [{"scorer_name": 1}]}),
    ("AnnotationSpec", {"field_schema": {"type": "integer"}}),
    ("AnnotationSpec", {"field_schema": "integer"}),
    ("ComparisonView", {"label": "a", "definition": {"evaluation_call_ids": ["1"]}}),
    ("ComparisonView", {"label": "a", "definition": {}}),
    ("ProviderModel", {"provider": "weave:///a/b/object/c:v0", "max_tokens": 10}),
    ("ProviderModel", {"provider": 1, "max_tokens": 10}),
    ("SavedView", {"view_type": "traces", "label": "a", "definition": {"page": "x"}}),
    ("Unknown", {}),
    ("Leaderboard", [1]),
    ("Leaderboard", {"_class_name": "X", "_bases": ["Object", "BaseModel"]}),
]


@pytest.mark.parametrize("name,val", CLASSES)
def test_built_in_classes(both, project, name, val):
    """Which are refused: what is stored of the others is in known_differences.toml."""
    obj = {"project_id": project, "object_id": "thing", "val": val, "builtin_object_class": name}
    answers = both.ask("/obj/create", {"obj": obj})
    assert bool(answers.reference_refused) == bool(answers.heddle_refused), answers
    if not answers.heddle_refused:
        body = {"project_id": project, "filter": {"base_object_classes": [name]}}
        classes = [both.ask("/objs/query", body)]
        for found in classes:
            assert [o["leaf_object_class"] for o in found.heddle["objs"]] == [o["leaf_object_class"] for o in found.reference["objs"]]


def test_tables_and_references(both, project, asked):
    rows = [{"a": 1, "b": {"c": "x"}}, {"a": 2}, {"a": 1, "b": {"c": "x"}}, {"b": None}]
    table = asked.ask(both, "/table/create", {"table": {"project_id": project, "rows": rows}}).heddle
    common = {"project_id": project, "digest": table["digest"]}
    for more in [{}, {"limit": 2}, {"offset": 3}, {"filter": {"row_digests": table["row_digests"][:1]}}]:
        asked.ask(both, "/table/query", {**common, **more})
    for field in ["a", "b.c", "none"]:
        for direction in ["asc", "desc"]:
            asked.ask(both, "/table/query", {**common, "sort_by": [{"field": field, "direction": direction}]})
    asked.ask(both, "/table/query", {**common, "digest": "none"})
    asked.ask(both, "/table/query_stats", common)
    asked.ask(both, "/table/query_stats_batch", {"project_id": project, "digests": [table["digest"], "none"]})
    create(asked, both, project, "dataset", {"rows": f"weave:///{project}/table/{table['digest']}"})
    digest = create(asked, both, project, "data", {"list": [1, {"k": "v"}], "n": None})["digest"]
    start = f"weave:///{project}/object/data:{digest}"
    ends = ["", "/attr/list", "/attr/list/index/1/key/k", "/attr/list/index/9", "/attr/none", "/attr/n"]
    for end in ends:
        asked.ask(both, "/refs/read_batch", {"refs": [start + end]})
    asked.ask(both, "/refs/read_batch", {"refs": [start + end for end in ends]})


def test_table_updates(both, project, asked):
    rows = [{"a": n} for n in range(4)]
    digest = asked.ask(both, "/table/create", {"table": {"project_id": project, "rows": rows}}).heddle["digest"]
    updates = [[{"append": {"row": {"a": 9}}}], [{"pop": {"index": 0}}], [{"insert": {"index": 1, "row": {"a": 7}}}]]
    for update in [*updates, sum(updates, []), [{"pop": {"index": 9}}]]:
        asked.ask(both, "/table/update", {"project_id": project, "base_digest": digest, "updates": update})


def test_prices(both, project, asked):
    price = {"prompt_token_cost": 0.5, "completion_token_cost": 2}
    dated = {**price, "effective_date": "2026-01-01T00:00:00Z", "provider_id": "ours"}
    body = {"project_id": project, "costs": {"model-a": price, "model-b": dated}}
    made = both.ask("/cost/create", body, user=True)
    assert [name for _, name in made.reference["ids"]] == [name for _, name in made.heddle["ids"]]
    fields = ["llm_id", "prompt_token_cost", "completion_token_cost", "provider_id", "prompt_token_cost_unit"]
    for name in ["model-a", "model-b", "none"]:
        query = {"$expr": {"$eq": [{"$getField": "llm_id"}, {"$literal": name}]}}
        asked.ask(both, "/cost/query", {"project_id": project, "fields": fields, "query": query})
