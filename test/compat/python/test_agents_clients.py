"""Frameworks over the OpenAI client, unmodified, as their own documentation uses them: only the address, the key and the
model differ. The model that ships is weak, so what is checked is the form: types, calls, streams, usage.
"""

import pytest
from places import Place

LIMITS = {"temperature": 0, "max_tokens": 12}


class TestOpenAI:
    """The client's own examples, in its newest version."""

    @pytest.fixture(scope="class")
    def client(self, base_url, api_key):
        import openai

        with openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0) as client:
            yield client

    def test_a_response(self, client, model):
        response = client.responses.create(
            model=model,
            instructions="You are a coding assistant that talks like a pirate.",
            input="How do I check if a Python object is an instance of a class?",
            max_output_tokens=12,
        )
        assert response.output_text and response.status in ("completed", "incomplete")
        assert response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens

    def test_a_streamed_response(self, client, model):
        asked = {"model": model, "input": "Write a one-sentence bedtime story.", "temperature": 0}
        whole = client.responses.create(max_output_tokens=12, **asked)
        events = list(client.responses.create(stream=True, max_output_tokens=12, **asked))
        assert [event.sequence_number for event in events] == list(range(len(events)))
        assert all(type(event).__name__ != "BaseModel" for event in events)
        assert events[-1].response.output_text == whole.output_text
        # Only an answer that ends by itself is one that this helper takes.
        with client.responses.stream(text_format=Place, **asked) as stream:
            text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
            final = stream.get_final_response()
        assert final.output_text == text and isinstance(final.output_parsed, Place)

    def test_a_parsed_response(self, client, model):
        response = client.responses.parse(model=model, input="Where?", text_format=Place, max_output_tokens=100)
        assert isinstance(response.output_parsed, Place)

    def test_a_tool_of_a_response(self, client, model):
        import openai

        tools = [openai.pydantic_function_tool(Place, name="look")["function"] | {"type": "function"}]
        asked = {"model": model, "tools": tools, "max_output_tokens": 200}
        first = client.responses.create(input="Where?", tool_choice="required", **asked)
        [call] = first.output
        Place.model_validate_json(call.arguments)
        output = {"type": "function_call_output", "call_id": call.call_id, "output": "snow"}
        second = client.responses.create(input=[output], previous_response_id=first.id, tool_choice="none", **asked)
        assert second.previous_response_id == first.id and second.output[0].type == "message"
        items = list(client.responses.input_items.list(second.id))
        assert [item.type for item in items] == ["function_call_output"]
        assert client.responses.retrieve(first.id).output[0].call_id == call.call_id
        client.responses.delete(first.id)
        with pytest.raises(openai.NotFoundError):
            client.responses.retrieve(first.id)

    def test_a_completion(self, client, model):
        asked = {"model": model, "prompt": "Say this is a test", "temperature": 0, "max_tokens": 7}
        completion = client.completions.create(logprobs=2, **asked)
        [choice] = completion.choices
        assert choice.text and len(choice.logprobs.tokens) == completion.usage.completion_tokens
        streamed = client.completions.create(stream=True, **asked)
        assert "".join(chunk.choices[0].text for chunk in streamed) == choice.text

    def test_what_is_not_here(self, client, model):
        import openai

        with pytest.raises(openai.NotFoundError, match="There is no route POST /v1/moderations"):
            client.moderations.create(input="Hello!")
        with pytest.raises(openai.NotFoundError, match="heddle/shuttle-1m"):
            client.responses.create(model="gpt-4o", input="Hello!")
        with pytest.raises(openai.BadRequestError, match="no embeddings here"):
            client.embeddings.create(model=model, input="Hello!")
        with pytest.raises(openai.BadRequestError, match="web_search"):
            client.responses.create(model=model, input="Hello!", tools=[{"type": "web_search"}])


class TestLiteLLM:
    @pytest.fixture
    def asked(self, base_url, api_key, model):
        return {"model": f"openai/{model}", "api_base": base_url, "api_key": api_key, "num_retries": 0}

    def test_chats_and_streams(self, asked):
        import litellm

        messages = [{"role": "user", "content": "Hello, how are you?"}]
        whole = litellm.completion(messages=messages, **LIMITS, **asked)
        assert whole.choices[0].message.content and whole.usage.total_tokens > 0
        parts = litellm.completion(messages=messages, stream=True, **LIMITS, **asked)
        text = "".join(part.choices[0].delta.content or "" for part in parts)
        assert text == whole.choices[0].message.content

    def test_calls_tools_and_parses(self, asked):
        import litellm

        messages = [{"role": "user", "content": "Where?"}]
        tool = {"type": "function", "function": {"name": "look", "parameters": Place.model_json_schema()}}
        called = litellm.completion(messages=messages, tools=[tool], tool_choice="required", max_tokens=200, **asked)
        Place.model_validate_json(called.choices[0].message.tool_calls[0].function.arguments)
        parsed = litellm.completion(messages=messages, response_format=Place, max_tokens=100, **asked)
        Place.model_validate_json(parsed.choices[0].message.content)

    def test_responds_and_completes(self, asked):
        import litellm

        response = litellm.responses(input="Tell me a story.", max_output_tokens=12, **asked)
        assert response.output[0].content[0].text
        completed = litellm.text_completion(prompt="Say this is a test", max_tokens=7, **{**asked, "model": asked["model"].replace("openai/", "text-completion-openai/")})
        assert completed.choices[0].text is not None


class TestInstructor:
    @pytest.mark.parametrize("mode", ["TOOLS", "TOOLS_STRICT", "JSON_SCHEMA", "RESPONSES_TOOLS"])
    def test_extracts(self, mode, base_url, api_key, model):
        import instructor
        import openai

        client = instructor.from_openai(openai.OpenAI(base_url=base_url, api_key=api_key), mode=instructor.Mode[mode])
        limit = {"max_output_tokens": 200} if mode == "RESPONSES_TOOLS" else {"max_tokens": 200}
        assert isinstance(self.extract(client, model, limit), Place)

    def extract(self, client, model, limit):
        messages = [{"role": "user", "content": "It snows in Oslo."}]
        return client.chat.completions.create(model=model, response_model=Place, messages=messages, max_retries=1, **limit)
