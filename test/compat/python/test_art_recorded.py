"""ART's present idiom, unmodified: what goes over the wire inside `with art.Trajectory()` is what is trained on."""

import time
import uuid

import httpx
import pytest
from art_client import art, connect, mean_reward, nothing_but_base_url_and_api_key, within_time  # noqa: F401
from openai import OpenAI
from product import Product
from test_art import MAX_STEPS, REWARDS, ROLLOUTS, scenarios


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    product = Product(tmp_path_factory.mktemp("product"))
    product.start()
    yield product
    product.stop()


async def ask(model: art.TrainableModel, messages: list[dict], **options):
    return await model.openai_client().chat.completions.create(
        model=model.get_inference_name(), messages=messages, max_tokens=16, timeout=100, **options
    )


async def rollout(model: art.TrainableModel, prompt: str) -> art.Trajectory:
    with art.Trajectory() as trajectory:
        completion = await ask(model, [{"role": "user", "content": prompt}])
    answer = (completion.choices[0].message.content or "").strip().lower()
    trajectory.reward = REWARDS.get(answer, 0.0)
    return trajectory


async def roll_out(model: art.TrainableModel) -> list[art.TrajectoryGroup]:
    return await art.gather_trajectory_groups(
        art.trajectory_group(rollout(model, prompt) for _ in range(ROLLOUTS)) for prompt in scenarios()
    )


def test_yes_no_maybe_is_learned_from_what_was_recorded(product, tmp_path, record_property):
    rewards: list[float] = []

    async def train() -> None:
        model, backend = await connect(product, f"recorded-{uuid.uuid4().hex[:8]}", str(tmp_path))
        for step in range(MAX_STEPS):
            groups = await roll_out(model)
            rewards.append(mean_reward(groups))
            if rewards[-1] > 0.95:
                break
            result = await backend.train(model, groups, learning_rate=1e-4)
            assert result.step == step + 1
        await backend.close()

    begun = time.monotonic()
    within_time(train())
    record_property("rewards", " ".join(f"{reward:.3f}" for reward in rewards))
    assert rewards[0] < 0.9
    assert rewards[-1] > 0.95, rewards
    assert time.monotonic() - begun < 180


def sampled_tokens(trajectory: art.Trajectory, name: str) -> int:
    """How many tokens the client itself would train on."""
    tokenized = trajectory.tokenize(multi_history=True, model=name)
    masks = art.trajectories.first_occurrence_masks(tokenized.histories, where=art.trajectories.TokenFlag.SAMPLED)
    return sum(sum(mask) for mask in masks)


def job_of(product: Product, model: art.TrainableModel) -> tuple[dict, dict]:
    """The model's newest job, and the data of its start."""
    headers = {"Authorization": f"Bearer {product.api_key}"}
    with httpx.Client(base_url=f"{product.url}/v1/preview", headers=headers) as client:
        job = client.get(f"/models/{model.id}/training-jobs", params={"order": "desc", "limit": 1}).json()["data"][0]
        started = client.get(f"/training-jobs/{job['id']}/events").json()["data"][0]
    return job, started["data"]


async def branching(model: art.TrainableModel, product: Product, reward: float) -> art.Trajectory:
    """A conversation that goes on, one that branches off it, one with two answers, one as a stream, and a judge's."""
    with art.Trajectory() as trajectory:
        question = [{"role": "user", "content": "respond with yes, no or maybe"}]
        first = (await ask(model, question)).choices[0].message
        for more in ("just respond with no or yes", "respond with maybe or no"):
            await ask(model, [*question, first, {"role": "user", "content": more}])
        await ask(model, [{"role": "user", "content": "respond with no or maybe"}], n=2)
        stream = await ask(model, [{"role": "user", "content": "just respond with yes or no"}], stream=True)
        async for _ in stream:
            pass
        judge = OpenAI(base_url=f"{product.url}/v1", api_key=product.api_key)
        judge.chat.completions.create(
            model="heddle/shuttle-1m", messages=question, max_tokens=4, extra_body={"return_token_ids": True}
        )
    trajectory.reward = reward
    return trajectory


def test_what_is_trained_on_is_what_the_client_would_train_on(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"branching-{uuid.uuid4().hex[:8]}", str(tmp_path))
        trajectories = [await branching(model, product, reward) for reward in (0.0, 1.0)]
        assert all(len(each.exchanges.chat_completions) == 6 for each in trajectories)
        await backend.train(model, [art.TrajectoryGroup(trajectories)], learning_rate=1e-4)
        _, started = job_of(product, model)
        name = model.get_inference_name()
        assert started["num_trainable_tokens"] == sum(sampled_tokens(each, name) for each in trajectories)
        assert not [warning for warning in started.get("warnings", []) if "not trained on" in warning]
        await backend.close()

    within_time(run())


async def respond(model: art.TrainableModel, **request):
    return await model.openai_client().responses.create(
        model=model.get_inference_name(),
        max_output_tokens=16,
        timeout=100,
        extra_body={"return_token_ids": True},
        **request,
    )


async def answered(model: art.TrainableModel, reward: float) -> art.Trajectory:
    """Through `/v1/responses`: one that goes on, one that branches off it, and one as a stream."""
    with art.Trajectory() as trajectory:
        first = await respond(model, input="respond with yes, no or maybe")
        for more in ("just respond with no or yes", "respond with maybe or no"):
            await respond(model, input=more, previous_response_id=first.id)
        async for _ in await respond(model, input="respond with no or maybe", stream=True):
            pass
    trajectory.reward = reward
    return trajectory


def test_responses_are_trained_on_as_the_client_would(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"responses-{uuid.uuid4().hex[:8]}", str(tmp_path))
        trajectories = [await answered(model, reward) for reward in (0.0, 1.0)]
        assert all(len(each.exchanges.responses) >= 3 for each in trajectories)
        await backend.train(model, [art.TrajectoryGroup(trajectories)], learning_rate=1e-4)
        _, started = job_of(product, model)
        name = model.get_inference_name()
        expected = sum(sampled_tokens(each, name) for each in trajectories)
        assert (started["num_trainable_tokens"], started.get("warnings", [])) == (expected, [])
        assert expected > 0
        await backend.close()

    within_time(run())


def test_what_has_its_default_is_left_out(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"defaults-{uuid.uuid4().hex[:8]}", str(tmp_path))
        groups = [
            art.TrajectoryGroup([]),
            art.TrajectoryGroup([ValueError("the tool broke"), ValueError("again")]),
            art.TrajectoryGroup([art.Trajectory(), art.Trajectory(reward=1.0)]),
        ]
        assert [group.model_dump(mode="json") for group in groups][::2] == [{}, {"trajectories": [{}, {"reward": 1.0}]}]
        result = await backend.train(model, groups, learning_rate=1e-4)
        assert result.step == 1
        await backend._client.models.log(model_id=model.id, trajectory_groups=groups, split="val")
        logged = [each async for each in backend._client.models.checkpoints.list(model_id=model.id)][-1].metrics
        assert (logged["val/reward"], logged["val/exception_rate"]) == (0.5, 0.5)
        await backend.close()

    within_time(run())
