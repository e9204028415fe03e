"""Spans sent with OpenTelemetry's own exporter become calls."""

import base64
import uuid

import pytest
import weave
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.trace import SpanKind, Status, StatusCode


@pytest.fixture(scope="module", autouse=True)
def price(client):
    client.add_cost(llm_id="gpt-compat", prompt_token_cost=0.001, completion_token_cost=0.01)


def provider(server, headers, resource=None, compression=None):
    provider = TracerProvider(resource=Resource.create(resource or {}))
    exporter = OTLPSpanExporter(endpoint=f"{server}/otel/v1/traces", headers=headers, compression=compression)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider


def chat(tracer, trace_name):
    """A request to a model within an agent's step, as instrumentations record it."""
    with tracer.start_as_current_span(trace_name) as root:
        root.set_attribute("openinference.span.kind", "AGENT")
        root.set_attribute("input.value", '{"question": "2 + 2", "seed": 12345678901234567890}')
        with tracer.start_as_current_span("chat gpt-compat", kind=SpanKind.CLIENT) as span:
            span.set_attributes(
                {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.request.model": "gpt-compat",
                    "gen_ai.request.temperature": 0.5,
                    "gen_ai.usage.input_tokens": 100,
                    "gen_ai.usage.output_tokens": 10,
                    "gen_ai.prompt.0.role": "user",
                    "gen_ai.prompt.0.content": "2 + 2 = ? 🪡",
                    "gen_ai.completion.0.role": "assistant",
                    "gen_ai.completion.0.content": "Four.",
                    "gen_ai.response.finish_reasons": ["stop"],
                }
            )
        with pytest.raises(KeyError), tracer.start_as_current_span("execute_tool add"):
            raise KeyError("no such tool")
    return root, span


@pytest.mark.parametrize("compression", [Compression.NoCompression, Compression.Gzip])
@pytest.mark.parametrize("how", ["basic auth and project_id", "wandb-api-key and resource"])
def test_genai_spans_become_calls(client, server, api_key, how, compression):
    if how.startswith("basic"):
        credentials = base64.b64encode(f"api:{api_key}".encode()).decode()
        headers, resource = {"Authorization": f"Basic {credentials}", "project_id": client.project_id}, None
    else:
        headers, resource = {"wandb-api-key": api_key}, {"wandb.entity": client.entity, "wandb.project": client.project}
    tracers = provider(server, headers, resource, compression)
    name = f"agent {uuid.uuid4().hex}"
    root, span = chat(tracers.get_tracer("compat"), name)
    tracers.shutdown()

    call = client.get_call(f"{span.context.span_id:016x}", include_costs=True)
    assert call.trace_id == f"{span.context.trace_id:032x}"
    assert call.parent_id == f"{root.context.span_id:016x}"
    assert call.inputs["gen_ai.prompt"][0]["content"] == "2 + 2 = ? 🪡"
    assert call.output["gen_ai.completion"][0]["content"] == "Four."
    assert call.summary["usage"]["gpt-compat"]["input_tokens"] == 100
    cost = call.summary["weave"]["costs"]["gpt-compat"]
    assert cost["prompt_tokens_total_cost"] == pytest.approx(0.1)
    assert cost["completion_tokens_total_cost"] == pytest.approx(0.1)
    assert call.started_at.timestamp() == pytest.approx(span.start_time / 1e9, abs=2e-6)
    assert call.attributes["gen_ai"]["response"]["finish_reasons"] == ["stop"]

    [agent] = client.get_calls(filter={"op_names": [name]})
    assert agent.inputs["input.value"]["seed"] == 12345678901234567890
    assert agent.attributes["kind"] == "AGENT"
    children = client.get_calls(filter={"parent_ids": [agent.id]})
    failed = {child.summary["weave"]["trace_name"]: child.exception for child in children}
    assert failed["chat gpt-compat"] is None
    assert "no such tool" in failed["execute_tool add"]


def test_an_explicit_status_is_the_exception(client, server, api_key):
    tracers = provider(server, {"wandb-api-key": api_key, "project_id": client.project_id})
    with tracers.get_tracer("compat").start_as_current_span("refused") as span:
        span.set_status(Status(StatusCode.ERROR, "content filter"))
    tracers.shutdown()
    assert client.get_call(f"{span.context.span_id:016x}").exception == "content filter"


@pytest.mark.parametrize(
    "headers",
    [{}, {"wandb-api-key": "wrong" * 10, "project_id": "a/b"}, {"project_id": "nobody/nothing", "wandb-api-key": None}, {"wandb-api-key": None}],
    ids=["no key", "wrong key", "another team's project", "no project"],
)
def test_the_exporter_sees_a_failure(server, api_key, headers):
    headers = {name: value or api_key for name, value in headers.items()}
    exporter = OTLPSpanExporter(endpoint=f"{server}/otel/v1/traces", headers=headers)
    tracers = TracerProvider()
    span = tracers.get_tracer("compat").start_span("lost")
    span.end()
    assert exporter.export([span]) is SpanExportResult.FAILURE


def test_the_conversations_of_the_weave_sdk_arrive(client):
    """Recent SDKs export agents' conversations by OTLP, to a path of their own."""
    from opentelemetry import trace

    with weave.start_conversation(agent_name="weaver") as conversation:
        with weave.start_turn(user_message="Hi") as turn:
            with weave.start_llm(model="gpt-compat", provider_name="openai") as llm:
                llm.output("Hello.")
    trace.get_tracer_provider().force_flush()
    calls = list(client.get_calls(filter={"thread_ids": [conversation.conversation_id]}))
    assert len(calls) >= 2
    assert turn is not None
