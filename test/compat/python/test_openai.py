"""The released OpenAI client, unmodified: only `base_url` and `api_key` differ."""

import asyncio
import json
import time
import urllib.request

import openai
import pytest
from product import Product

REQUESTS_AT_ONCE = 2
HELLO = [{"role": "user", "content": "Hello!"}]


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    folder = tmp_path_factory.mktemp("product")
    product = Product(folder, CHAT_REQUESTS_PER_USER=str(REQUESTS_AT_ONCE))
    product.start()
    yield product
    product.stop()


@pytest.fixture(scope="module")
def openai_client(product):
    with openai.OpenAI(api_key=product.api_key, base_url=f"{product.url}/v1", max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def model(product) -> str:
    body = {"entity": None, "project": "chat", "name": "asked", "base_model": "heddle/shuttle-1m"}
    headers = {"authorization": f"Bearer {product.api_key}", "content-type": "application/json"}
    request = urllib.request.Request(f"{product.url}/v1/preview/models", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        registered = json.load(answer)
    return "wandb-artifact:///{entity}/{project}/{name}".format(**registered)


@pytest.fixture
def ask(openai_client, model):
    def create(**fields):
        asked = {"model": model, "messages": HELLO, "max_completion_tokens": 12, "temperature": 0}
        return openai_client.chat.completions.create(**{**asked, **fields})

    return create


def test_a_chat(ask, model):
    completion = ask()
    assert completion.object == "chat.completion"
    assert completion.model == model
    [choice] = completion.choices
    assert choice.message.role == "assistant" and choice.message.content
    assert choice.finish_reason in ("stop", "length")
    usage = completion.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens


def test_models_are_listed_and_shown(openai_client, model):
    assert [served.id for served in openai_client.models.list()] == ["heddle/shuttle-1m", model]
    assert openai_client.models.retrieve(model).id == model


def test_a_stream_adds_up_to_what_comes_at_once(ask):
    fields = {"n": 2, "seed": 3, "temperature": 1, "logprobs": True}
    whole = ask(**fields)
    texts, tokens, reasons, usages = ["", ""], [[], []], [None, None], []
    for chunk in ask(**fields, stream=True, stream_options={"include_usage": True}):
        usages += [chunk.usage] if chunk.usage else []
        for choice in chunk.choices:
            texts[choice.index] += choice.delta.content or ""
            tokens[choice.index] += choice.logprobs.content if choice.logprobs else []
            reasons[choice.index] = choice.finish_reason or reasons[choice.index]
    assert texts == [choice.message.content for choice in whole.choices]
    assert tokens == [choice.logprobs.content for choice in whole.choices]
    assert reasons == [choice.finish_reason for choice in whole.choices]
    assert usages == [whole.usage]


def test_as_many_choices_as_asked_for_with_the_likeliest_tokens(ask):
    choices = ask(n=3, logprobs=True, top_logprobs=2).choices
    assert [choice.index for choice in choices] == [0, 1, 2]
    for choice in choices:
        assert choice.logprobs.content
        for token in choice.logprobs.content:
            first, second = token.top_logprobs
            assert token.logprob == first.logprob >= second.logprob


def test_the_words_that_stop_it(ask):
    whole = ask().choices[0].message.content
    stop = whole[3:5]
    stopped = ask(stop=[stop]).choices[0]
    assert stopped.message.content == whole[: whole.index(stop)]
    assert stopped.finish_reason == "stop"


class TestRoutesBesideChat:
    """What clients of this major version ask for by themselves."""

    @pytest.fixture
    def asked(self, model):
        return {"model": model, "temperature": 0}

    def test_a_response_and_its_stream(self, openai_client, asked):
        whole = openai_client.responses.create(input="Hello!", max_output_tokens=12, **asked)
        assert whole.output_text and whole.usage.output_tokens <= 12
        with openai_client.responses.stream(input="Hello!", max_output_tokens=12, **asked) as stream:
            text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        assert text == whole.output_text

    def test_a_response_that_goes_on_from_a_stored_one(self, openai_client, asked):
        first = openai_client.responses.create(input="Hello!", max_output_tokens=12, **asked)
        second = openai_client.responses.create(
            input="Why?", previous_response_id=first.id, max_output_tokens=12, **asked
        )
        assert second.previous_response_id == first.id
        assert second.usage.input_tokens > first.usage.total_tokens
        assert openai_client.responses.retrieve(first.id).output_text == first.output_text

    def test_a_response_in_the_background(self, openai_client, asked):
        whole = openai_client.responses.create(input="Hello!", max_output_tokens=12, **asked)
        response = openai_client.responses.create(input="Hello!", max_output_tokens=12, background=True, **asked)
        assert response.status == "queued" and response.background
        while response.status in {"queued", "in_progress"}:
            time.sleep(0.05)
            response = openai_client.responses.retrieve(response.id)
        assert (response.status, response.output_text) == (whole.status, whole.output_text)
        with pytest.raises(openai.BadRequestError) as failure:
            openai_client.responses.create(input="Hello!", background=True, store=False, **asked)
        assert failure.value.param == "background"

    def test_a_response_in_the_background_is_cancelled(self, openai_client, asked):
        endless = {"background": True, "max_output_tokens": 900, "extra_body": {"ignore_eos": True}}
        response = openai_client.responses.create(input="Hello!", **endless, **asked)
        assert openai_client.responses.cancel(response.id).status == "cancelled"
        assert openai_client.responses.retrieve(response.id).status == "cancelled"

    def test_the_stream_of_a_response_in_the_background_is_resumed(self, openai_client, asked):
        stream = openai_client.responses.create(
            input="Hello!", background=True, stream=True, max_output_tokens=60, extra_body={"ignore_eos": True}, **asked
        )
        events = []
        for event in stream:
            events.append(event)
            if event.type == "response.output_text.delta":
                break
        stream.close()
        created = events[0].response
        rest = openai_client.responses.retrieve(created.id, stream=True, starting_after=events[-1].sequence_number)
        events += rest
        assert [event.sequence_number for event in events] == list(range(len(events)))
        assert events[-1].type == "response.incomplete"
        text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
        assert text == openai_client.responses.retrieve(created.id).output_text == events[-1].response.output_text
        with openai_client.responses.stream(response_id=created.id, starting_after=3) as again:
            told = "".join(event.delta for event in again if event.type == "response.output_text.delta")
        assert told == text

    def test_what_a_response_would_be_given_is_counted(self, openai_client, asked):
        fields = {"model": asked["model"], "input": "Tell me a joke.", "instructions": "Be brief."}
        counted = openai_client.responses.input_tokens.count(**fields)
        assert counted.object == "response.input_tokens"
        assert counted.input_tokens == openai_client.responses.create(max_output_tokens=1, **fields).usage.input_tokens

    def test_some_of_the_tools_are_allowed(self, openai_client, ask, asked):
        described = [{"name": name, "parameters": {"type": "object", "properties": {}}} for name in ("a", "b")]
        named = {"type": "function", "function": {"name": "b"}}
        choice = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [named]}}
        tools = [{"type": "function", "function": function} for function in described]
        [call] = ask(tools=tools, tool_choice=choice, max_completion_tokens=100).choices[0].message.tool_calls
        assert call.function.name == "b"
        response = openai_client.responses.create(
            input="Hello!",
            tools=[{"type": "function", **function} for function in described],
            tool_choice={"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "b"}]},
            **asked,
        )
        assert [item.name for item in response.output] == ["b"]

    def test_a_completion_of_a_text(self, openai_client, asked):
        completion = openai_client.completions.create(prompt="Hello", max_tokens=7, echo=True, **asked)
        assert completion.choices[0].text.startswith("Hello")

    def test_what_is_not_here(self, openai_client, asked):
        with pytest.raises(openai.BadRequestError, match="no embeddings here"):
            openai_client.embeddings.create(model=asked["model"], input="Hello!")
        with pytest.raises(openai.NotFoundError, match="There is no route GET /v1/batches"):
            openai_client.batches.list()


class TestFailures:
    """Each is the client's own exception."""

    def test_a_field_that_is_not_valid(self, ask):
        with pytest.raises(openai.BadRequestError) as failure:
            ask(temperature=-1)
        assert failure.value.param == "temperature"
        assert failure.value.type == "invalid_request_error"

    def test_too_long_a_prompt(self, ask):
        with pytest.raises(openai.BadRequestError) as failure:
            ask(messages=[{"role": "user", "content": "word " * 5000}])
        assert failure.value.code == "context_length_exceeded"

    def test_a_wrong_key(self, product):
        with openai.OpenAI(api_key="wrong", base_url=f"{product.url}/v1", max_retries=0) as stranger:
            with pytest.raises(openai.AuthenticationError):
                stranger.models.list()

    def test_a_step_that_is_not_there(self, ask, model):
        with pytest.raises(openai.NotFoundError) as failure:
            ask(model=f"{model}:step9")
        assert failure.value.code == "model_not_found"

    def test_more_requests_than_allowed(self, ask, endless):
        for _ in range(REQUESTS_AT_ONCE):
            endless()
        with pytest.raises(openai.RateLimitError) as failure:
            ask()
        assert failure.value.code == "rate_limit_exceeded"
        assert int(failure.value.response.headers["retry-after"]) > 0

    def test_waiting_for_too_long(self, openai_client, model, free):
        impatient = openai_client.with_options(timeout=0.2)
        with pytest.raises(openai.APITimeoutError):
            impatient.chat.completions.create(model=model, messages=HELLO, n=100, extra_body={"ignore_eos": True})
        assert free()


class TestLeaving:
    """Whoever leaves ends the generation, and its place is free again."""

    def test_a_stream_that_is_closed(self, endless, free):
        streams = [endless() for _ in range(REQUESTS_AT_ONCE)]
        next(iter(streams[0]))
        streams[0].close()
        assert free()

    def test_a_task_that_is_cancelled(self, product, model, free):
        async def cancel() -> None:
            async with openai.AsyncOpenAI(api_key=product.api_key, base_url=f"{product.url}/v1") as client:
                asked = client.chat.completions.create(
                    model=model, messages=HELLO, n=100, extra_body={"ignore_eos": True}
                )
                task = asyncio.create_task(asked)
                await asyncio.sleep(0.2)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

        asyncio.run(cancel())
        assert free()


@pytest.fixture
def endless(openai_client, model, free):
    """Opens streams that go on for longer than any test."""
    opened = []

    def start():
        stream = openai_client.chat.completions.create(
            model=model, messages=HELLO, n=16, stream=True, extra_body={"ignore_eos": True}
        )
        opened.append(stream)
        return stream

    yield start
    for stream in opened:
        stream.close()
    assert free()


@pytest.fixture
def free(ask):
    """Whether a request is answered again, at the latest after some seconds."""

    def eventually() -> bool:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                return bool(ask(max_completion_tokens=1))
            except openai.RateLimitError:
                time.sleep(0.05)
        return False

    return eventually
