"""The first examples of each framework's own documentation, word for word: what differs is the name of the model, and where the
clients find it, which the environment says. The model that ships is weak: what it says is anything, its form is not."""

import asyncio

import pytest


@pytest.fixture(scope="module", autouse=True)
def environment(base_url, api_key):
    with pytest.MonkeyPatch.context() as variables:
        variables.setenv("OPENAI_API_KEY", api_key)
        variables.setenv("OPENAI_BASE_URL", base_url)
        variables.setenv("OPENAI_API_BASE", base_url)
        variables.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
        yield


class TestOpenAI:
    """README of openai-python."""

    def test_responses(self, model):
        from openai import OpenAI

        client = OpenAI()

        response = client.responses.create(
            model=model,
            instructions="You are a coding assistant that talks like a pirate.",
            input="How do I check if a Python object is an instance of a class?",
        )

        assert isinstance(response.output_text, str) and response.status in ("completed", "incomplete")

    def test_chat_completions(self, model):
        from openai import OpenAI

        client = OpenAI()

        completion = client.chat.completions.create(
            model=model,
            messages=[
                {"role": "developer", "content": "Talk like a pirate."},
                {
                    "role": "user",
                    "content": "How do I check if a Python object is an instance of a class?",
                },
            ],
        )

        assert isinstance(completion.choices[0].message.content, str)

    def test_async_usage(self, model):
        from openai import AsyncOpenAI

        client = AsyncOpenAI()

        async def main() -> None:
            response = await client.responses.create(model=model, input="Explain disestablishmentarianism to a smart five year old.")
            assert isinstance(response.output_text, str)

        asyncio.run(main())

    def test_streaming(self, model):
        from openai import OpenAI

        client = OpenAI()

        stream = client.responses.create(
            model=model,
            input="Write a one-sentence bedtime story about a unicorn.",
            stream=True,
        )

        types = [event.type for event in stream]
        assert types[0] == "response.created" and types[-1] in ("response.completed", "response.incomplete")

    def test_nested_params(self, model):
        from openai import OpenAI

        client = OpenAI()

        response = client.chat.completions.create(
            messages=[
                {
                    "role": "user",
                    "content": "How much ?",
                }
            ],
            model=model,
            response_format={"type": "json_object"},
        )
        assert response.choices[0].message.content.startswith("{")


class TestLangChain:
    """Reference of ChatOpenAI."""

    def test_instantiate_invoke_stream(self, model):
        from langchain_openai import ChatOpenAI

        llm = ChatOpenAI(
            model=model,
            temperature=0,
            max_tokens=None,
            timeout=None,
            max_retries=2,
        )
        messages = [
            (
                "system",
                "You are a helpful translator. Translate the user sentence to French.",
            ),
            ("human", "I love programming."),
        ]
        message = llm.invoke(messages)
        full = None
        for chunk in llm.stream(messages):
            full = chunk if full is None else full + chunk
        assert full.text == message.text
        assert message.usage_metadata["total_tokens"] > 0

        async def asynchronously():
            return await llm.ainvoke(messages)

        assert asyncio.run(asynchronously()).text == message.text

    def test_tool_calling(self, model):
        from langchain_openai import ChatOpenAI
        from pydantic import BaseModel, Field

        llm = ChatOpenAI(model=model, temperature=0)

        class GetWeather(BaseModel):
            '''Get the current weather in a given location'''

            location: str = Field(..., description="The city and state, e.g. San Francisco, CA")

        class GetPopulation(BaseModel):
            '''Get the current population in a given location'''

            location: str = Field(..., description="The city and state, e.g. San Francisco, CA")

        llm_with_tools = llm.bind_tools([GetWeather, GetPopulation], strict=True)
        ai_msg = llm_with_tools.invoke("Which city is hotter today and which is bigger: LA or NY?")
        for call in ai_msg.tool_calls:
            {"GetWeather": GetWeather, "GetPopulation": GetPopulation}[call["name"]].model_validate(call["args"])

    def test_chains(self, model):
        from langchain_core.prompts import ChatPromptTemplate
        from langchain_openai import ChatOpenAI

        llm = ChatOpenAI(model=model)
        prompt = ChatPromptTemplate.from_messages(
            [
                ("system", "You are a helpful assistant that translates {input_language} to {output_language}."),
                ("human", "{input}"),
            ]
        )
        chain = prompt | llm
        answer = chain.invoke({"input_language": "English", "output_language": "German", "input": "I love programming."})
        assert isinstance(answer.content, str)


class TestLiteLLM:
    """README of LiteLLM."""

    def test_completion(self, model):
        from litellm import completion

        messages = [{"content": "Hello, how are you?", "role": "user"}]

        response = completion(model=f"openai/{model}", messages=messages)
        assert isinstance(response.choices[0].message.content, str)

    def test_async(self, model):
        from litellm import acompletion

        async def test_get_response():
            user_message = "Hello, how are you?"
            messages = [{"content": user_message, "role": "user"}]
            response = await acompletion(model=f"openai/{model}", messages=messages)
            return response

        assert asyncio.run(test_get_response()).usage.total_tokens > 0

    def test_streaming(self, model):
        from litellm import completion

        messages = [{"content": "Hello, how are you?", "role": "user"}]

        response = completion(model=f"openai/{model}", messages=messages, stream=True)
        assert [part.choices[0].finish_reason for part in response][-1] in ("stop", "length")


class TestInstructor:
    """README of Instructor."""

    def test_from_provider(self, model):
        import instructor
        from pydantic import BaseModel

        class User(BaseModel):
            name: str
            age: int

        client = instructor.from_provider(f"openai/{model}")
        user = client.chat.completions.create(
            response_model=User,
            messages=[{"role": "user", "content": "John is 25 years old"}],
        )
        assert isinstance(user, User)


class TestOpenAIAgents:
    """README of the OpenAI Agents SDK, which takes what stands before a slash for the name of a provider."""

    @pytest.fixture
    def model(self, model):
        return f"openai/{model}"

    def test_hello_world(self, model):
        from agents import Agent, Runner

        agent = Agent(name="Assistant", instructions="You are a helpful assistant", model=model)

        result = Runner.run_sync(agent, "Write a haiku about recursion in programming.")
        assert isinstance(result.final_output, str)

    def test_functions(self, model):
        from agents import Agent, Runner, function_tool

        @function_tool
        def get_weather(city: str) -> str:
            return f"The weather in {city} is sunny."

        agent = Agent(
            name="Hello world",
            instructions="You are a helpful agent.",
            tools=[get_weather],
            model=model,
        )

        async def main():
            return await Runner.run(agent, input="What's the weather in Tokyo?")

        assert isinstance(asyncio.run(main()).final_output, str)

    def test_handoffs(self, model):
        from agents import Agent, Runner

        spanish_agent = Agent(name="Spanish agent", instructions="You only speak Spanish.", model=model)
        english_agent = Agent(name="English agent", instructions="You only speak English", model=model)
        triage_agent = Agent(
            name="Triage agent",
            instructions="Handoff to the appropriate agent based on the language of the request.",
            handoffs=[spanish_agent, english_agent],
            model=model,
        )

        async def main():
            return await Runner.run(triage_agent, input="Hola, ¿cómo estás?")

        assert isinstance(asyncio.run(main()).final_output, str)

    def test_sessions(self, model):
        from agents import Agent, Runner, SQLiteSession

        agent = Agent(name="Assistant", instructions="Reply very concisely.", model=model)
        session = SQLiteSession("conversation_123")

        async def main():
            await Runner.run(agent, "What city is the Golden Gate Bridge in?", session=session)
            result = await Runner.run(agent, "What state is it in?", session=session)
            return result, await session.get_items()

        result, items = asyncio.run(main())
        assert isinstance(result.final_output, str) and len(items) == 4


class TestPydanticAI:
    """The front page of Pydantic AI's documentation."""

    @pytest.mark.parametrize("kind", ["openai-chat", "openai-responses"])
    def test_hello_world(self, kind, model):
        from pydantic_ai import Agent

        agent = Agent(
            f"{kind}:{model}",
            instructions="Be concise, reply with one sentence.",
        )

        result = agent.run_sync('Where does "hello world" come from?')
        assert isinstance(result.output, str)
