"""Frameworks over the OpenAI client, unmodified: see test_agents_clients.py."""

import asyncio

import pytest
from places import City, Place

LIMITS = {"temperature": 0, "max_tokens": 12}


class TestLangChain:
    @pytest.fixture(params=["chat", "responses"])
    def llm(self, request, base_url, api_key, model):
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(
            model=model,
            base_url=base_url,
            api_key=api_key,
            max_retries=0,
            temperature=0,
            max_tokens=100,
            use_responses_api=request.param == "responses",
        )

    def test_invokes_and_streams(self, llm):
        messages = [
            ("system", "You are a helpful translator. Translate the user sentence to French."),
            ("human", "I love programming."),
        ]
        whole = llm.invoke(messages)
        assert whole.text and whole.usage_metadata["total_tokens"] > 0
        parts = list(llm.stream(messages))
        assert "".join(part.text for part in parts) == whole.text
        assert len(llm.batch([messages, messages])) == 2

    def test_calls_tools(self, llm):
        bound = llm.bind_tools([Place], tool_choice="required")
        [call] = bound.invoke("Where?").tool_calls
        Place.model_validate(call["args"])
        streamed = None
        for chunk in bound.stream("Where?"):
            streamed = chunk if streamed is None else streamed + chunk
        assert [called["args"] for called in streamed.tool_calls] == [call["args"]]

    @pytest.mark.parametrize("method", ["json_schema", "function_calling"])
    def test_gives_structured_output(self, llm, method):
        assert isinstance(llm.with_structured_output(Place, method=method).invoke("Where?"), Place)

    def test_completes_texts(self, base_url, api_key, model):
        from langchain_openai import OpenAI

        llm = OpenAI(model=model, base_url=base_url, api_key=api_key, max_retries=0, temperature=0, max_tokens=12)
        assert "".join(llm.stream("Once upon")) == llm.invoke("Once upon")
        assert len(llm.generate(["Once", "I am", "No"]).generations) == 3


class TestOpenAIAgents:
    @pytest.fixture(params=["responses", "chat"])
    def agent(self, request, base_url, api_key, model):
        import agents
        import openai

        agents.set_tracing_disabled(True)
        client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=0)
        kinds = {"responses": agents.OpenAIResponsesModel, "chat": agents.OpenAIChatCompletionsModel}
        told = {"name": "Assistant", "instructions": "You are a helpful assistant"}
        answering = kinds[request.param](model=model, openai_client=client)

        def make(max_tokens=12, tool_choice=None, **more):
            settings = agents.ModelSettings(temperature=0, max_tokens=max_tokens, tool_choice=tool_choice)
            return agents.Agent(model=answering, model_settings=settings, **told, **more)

        return make

    def test_runs_and_streams(self, agent):
        from agents import Runner

        async def main():
            whole = await Runner.run(agent(), "Write a haiku about recursion in programming.")
            streamed = Runner.run_streamed(agent(), "Write a haiku about recursion in programming.")
            events = [event async for event in streamed.stream_events()]
            return whole, streamed, events

        whole, streamed, events = asyncio.run(main())
        assert whole.final_output and streamed.final_output == whole.final_output
        deltas = [event.data.delta for event in events if getattr(getattr(event, "data", None), "type", "") == "response.output_text.delta"]
        assert "".join(deltas) == whole.final_output

    def test_uses_tools(self, agent):
        from agents import Runner, function_tool

        asked = []

        @function_tool
        def get_weather(city: City) -> str:
            """Gets the weather of a city."""
            asked.append(city)
            return f"The weather in {city.value} is sunny."

        assistant = agent(tools=[get_weather], tool_choice="required", max_tokens=200)
        result = asyncio.run(Runner.run(assistant, "What's the weather in Oslo?", max_turns=20))
        assert asked and isinstance(result.final_output, str)

    def test_gives_an_output_type(self, agent):
        from agents import Runner

        result = asyncio.run(Runner.run(agent(output_type=Place, max_tokens=100), "Where?"))
        assert isinstance(result.final_output, Place)


class TestPydanticAI:
    @pytest.fixture(params=["chat", "responses"])
    def answering(self, request, base_url, api_key, model):
        from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
        from pydantic_ai.providers.openai import OpenAIProvider

        kinds = {"chat": OpenAIChatModel, "responses": OpenAIResponsesModel}
        return kinds[request.param](model, provider=OpenAIProvider(base_url=base_url, api_key=api_key))

    def test_runs_and_streams(self, answering):
        from pydantic_ai import Agent

        agent = Agent(answering, instructions="Be concise, reply with one sentence.", model_settings=LIMITS)
        whole = agent.run_sync('Where does "hello world" come from?')

        async def streamed():
            async with agent.run_stream('Where does "hello world" come from?') as result:
                return [text async for text in result.stream_text(debounce_by=None)][-1]

        assert whole.output and asyncio.run(streamed()) == whole.output
        assert whole.usage.total_tokens > 0

    @pytest.mark.parametrize("kind", ["ToolOutput", "NativeOutput"])
    def test_gives_an_output_type(self, answering, kind):
        import pydantic_ai

        output_type = getattr(pydantic_ai, kind)(Place)
        agent = pydantic_ai.Agent(answering, output_type=output_type, model_settings={"temperature": 0, "max_tokens": 200})
        assert isinstance(agent.run_sync("Where?").output, Place)
