"""The same request to the reference and to Heddle, and what both said."""

import base64
import copy
import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any

from weave_reference import reference_server, tsi

URL = os.environ["HEDDLE_URL"].rstrip("/")
# The default entity of the key's user.
ENTITY = os.environ.get("HEDDLE_ENTITY", "admin")
USER = base64.b64encode(f"api:{os.environ['HEDDLE_API_KEY']}".encode()).decode()

# Path: method of the reference, class of its request.
ROUTES = {
    "/call/upsert_batch": ("call_start_batch", tsi.CallCreateBatchReq),
    "/call/read": ("call_read", tsi.CallReadReq),
    "/call/update": ("call_update", tsi.CallUpdateReq),
    "/calls/delete": ("calls_delete", tsi.CallsDeleteReq),
    "/calls/stream_query": ("calls_query_stream", tsi.CallsQueryReq),
    "/calls/query_stats": ("calls_query_stats", tsi.CallsQueryStatsReq),
    "/calls/usage": ("calls_usage", tsi.CallsUsageReq),
    "/obj/create": ("obj_create", tsi.ObjCreateReq),
    "/obj/read": ("obj_read", tsi.ObjReadReq),
    "/objs/query": ("objs_query", tsi.ObjQueryReq),
    "/obj/delete": ("obj_delete", tsi.ObjDeleteReq),
    "/table/create": ("table_create", tsi.TableCreateReq),
    "/table/query": ("table_query", tsi.TableQueryReq),
    "/table/update": ("table_update", tsi.TableUpdateReq),
    "/table/query_stats": ("table_query_stats", tsi.TableQueryStatsReq),
    "/table/query_stats_batch": ("table_query_stats_batch", tsi.TableQueryStatsBatchReq),
    "/refs/read_batch": ("refs_read_batch", tsi.RefsReadBatchReq),
    "/feedback/create": ("feedback_create", tsi.FeedbackCreateReq),
    "/feedback/query": ("feedback_query", tsi.FeedbackQueryReq),
    "/feedback/purge": ("feedback_purge", tsi.FeedbackPurgeReq),
    "/cost/create": ("cost_create", tsi.CostCreateReq),
    "/cost/query": ("cost_query", tsi.CostQueryReq),
    "/cost/purge": ("cost_purge", tsi.CostPurgeReq),
}


# Of those whose path names an object, the last part.
LABEL_ROUTES = {
    "aliases": ("obj_set_aliases", tsi.ObjSetAliasesReq),
    "tags": ("obj_add_tags", tsi.ObjAddTagsReq),
}

# Of annotation queues, by the method and what follows `/annotation_queues`; ids are `*`.
QUEUE_ROUTES = {
    ("POST", ""): ("annotation_queue_create", tsi.AnnotationQueueCreateReq),
    ("POST", "/query"): ("annotation_queues_query_stream", tsi.AnnotationQueuesQueryReq),
    ("POST", "/stats"): ("annotation_queues_stats", tsi.AnnotationQueuesStatsReq),
    ("GET", "/*"): ("annotation_queue_read", tsi.AnnotationQueueReadReq),
    ("PUT", "/*"): ("annotation_queue_update", tsi.AnnotationQueueUpdateReq),
    ("DELETE", "/*"): ("annotation_queue_delete", tsi.AnnotationQueueDeleteReq),
    ("POST", "/*/items"): ("annotation_queue_add_calls", tsi.AnnotationQueueAddCallsReq),
    ("POST", "/*/items/query"): ("annotation_queue_items_query", tsi.AnnotationQueueItemsQueryReq),
    ("POST", "/*/items/*/progress"): ("annotator_queue_items_progress_update", tsi.AnnotatorQueueItemsProgressUpdateReq),
}
LINES = ("stream_query", "annotation_queues/query")


def route(path: str, method: str) -> tuple[str, type]:
    if path.startswith("/annotation_queues"):
        rest = path.removeprefix("/annotation_queues")
        return QUEUE_ROUTES.get((method, rest)) or QUEUE_ROUTES[method, re.sub(r"(^/|(?<=/items/)(?!query))[^/]+", r"\1*", rest)]
    return ROUTES.get(path) or LABEL_ROUTES[path.rsplit("/", 1)[1]]


@dataclass
class Answers:
    """`refused` is the reason as text, of which nothing is compared; `said` is None then."""

    reference: Any
    heddle: Any
    reference_refused: str | None
    heddle_refused: str | None


class BothServers:
    def __init__(self) -> None:
        self._reference = reference_server()
        self.user = "reference-user"

    def ask(self, path: str, body: dict, user: bool = False, method: str = "POST") -> Answers:
        heddle, heddle_refused = self._heddle(path, body, method)
        reference, refused = self.reference(path, body, user, method)
        return Answers(reference, heddle, refused, heddle_refused)

    def heddle(self, path: str, body: dict, method: str = "POST") -> tuple[Any, str | None]:
        return self._heddle(path, body, method)

    def reference(self, path: str, body: dict, user: bool = False, method: str = "POST") -> tuple[Any, str | None]:
        told = {**copy.deepcopy(body), "wb_user_id": self.user} if user else copy.deepcopy(body)
        try:
            return self._plain(path, told, method), None
        except Exception as error:  # noqa: BLE001: whatever it raises is its refusal
            return None, f"{type(error).__name__}: {str(error)[:300]}"

    def _plain(self, path: str, body: dict, method: str) -> Any:
        name, request = route(path, method)
        answer = getattr(self._reference, name)(request.model_validate(body))
        if path.endswith(LINES):
            return [line.model_dump(mode="json") for line in answer]
        return answer.model_dump(mode="json", by_alias=True)

    def _heddle(self, path: str, body: dict, method: str) -> tuple[Any, str | None]:
        headers = {"authorization": f"Basic {USER}", "content-type": "application/json"}
        asked = f"?{urllib.parse.urlencode({'project_id': body['project_id']})}" if method in ("GET", "DELETE") else ""
        data = None if asked else json.dumps(body).encode()
        request = urllib.request.Request(f"{URL}{path}{asked}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as error:
            answer = error.read().decode()
            assert error.code < 500, f"{path} {json.dumps(body)[:2000]}: {error.code} {answer}"
            return None, f"{error.code} {answer[:300]}"
        if path.endswith(LINES):
            return [json.loads(line) for line in text.splitlines() if line], None
        return json.loads(text) if text else {}, None
