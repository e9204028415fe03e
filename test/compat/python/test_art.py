"""The released OpenPipe ART, unmodified, trains against Heddle: only `base_url` and `api_key` differ."""

import itertools
import time
import uuid

import pytest
from art_client import art, connect, mean_reward, nothing_but_base_url_and_api_key, within_time  # noqa: F401
from product import Product

ROLLOUTS = 16
MAX_STEPS = 12
REWARDS = {"yes": 0.5, "no": 0.75, "maybe": 1.0}


def scenarios() -> list[str]:
    """48 prompts: three or two of the words in every order, quoted or not, asked in two ways."""
    prompts = []
    for verb, quoted, count in itertools.product(("respond", "just respond"), (True, False), (3, 2)):
        for words in itertools.permutations(REWARDS, count):
            shown = [f"'{word}'" if quoted else word for word in words]
            prompts.append(f"{verb} with {(', ' if count == 3 else ' or ').join(shown)}")
    return prompts


async def rollout(model: art.TrainableModel, prompt: str, step: int | None = None) -> art.Trajectory:
    messages = [{"role": "user", "content": prompt}]
    completion = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(step), messages=messages, max_tokens=16, timeout=100
    )
    choice = completion.choices[0]
    answer = (choice.message.content or "").strip().lower()
    return art.Trajectory(messages_and_choices=[*messages, choice], reward=REWARDS.get(answer, 0.0))


async def roll_out(model: art.TrainableModel) -> list[art.TrajectoryGroup]:
    return await art.gather_trajectory_groups(
        art.TrajectoryGroup(rollout(model, prompt) for _ in range(ROLLOUTS)) for prompt in scenarios()
    )


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    product = Product(tmp_path_factory.mktemp("product"))
    product.start()
    yield product
    product.stop()


def test_yes_no_maybe_is_learned_over_a_restart_of_everything(product, tmp_path, record_property):
    name = f"yes-no-maybe-{uuid.uuid4().hex[:8]}"
    rewards: list[float] = []
    seconds = 0.0

    async def train(until_step: int) -> int:
        """A client from its registration on; returns the step that it ended at."""
        nonlocal seconds
        model, backend = await connect(product, name, str(tmp_path))
        step = await model.get_step()
        begun = time.monotonic()
        while step < until_step:
            groups = await roll_out(model)
            rewards.append(mean_reward(groups))
            if rewards[-1] > 0.95:
                break
            result = await backend.train(model, groups, learning_rate=1e-4)
            assert result.step == step + 1
            assert result.metrics
            step = result.step
        seconds += time.monotonic() - begun
        await backend.close()
        return step

    assert within_time(train(1)) == 1
    product.stop()
    product.start()
    assert within_time(train(MAX_STEPS)) > 1
    record_property("rewards", " ".join(f"{reward:.3f}" for reward in rewards))
    assert rewards[0] < 0.75
    assert rewards[-1] > 0.95, rewards
    assert seconds < 180


def test_checkpoints_are_kept_by_the_best_metric_and_served_by_step(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"kept-{uuid.uuid4().hex[:8]}", str(tmp_path))
        prompts = scenarios()[:4]
        for reward in (0.2, 0.9, 0.1):
            groups = await art.gather_trajectory_groups(
                art.TrajectoryGroup(rollout(model, prompt) for _ in range(8)) for prompt in prompts
            )
            result = await backend.train(model, groups, learning_rate=1e-4)
            await model.log(split="val", metrics={"reward": reward}, step=result.step)
        assert await model.get_step() == 3
        trajectory = await rollout(model, prompts[0], step=2)
        assert trajectory.messages_and_choices
        await model.delete_checkpoints(best_checkpoint_metric="val/reward")
        kept = [checkpoint.step async for checkpoint in backend._client.models.checkpoints.list(model_id=model.id)]
        assert kept == [2, 3]
        with pytest.raises(Exception, match="404|not found|does not exist"):
            await rollout(model, prompts[0], step=1)
        await backend.delete(model)
        await backend.close()

    within_time(run())


def test_a_job_with_nothing_to_train_on_still_ends_and_makes_a_checkpoint(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"equal-{uuid.uuid4().hex[:8]}", str(tmp_path))
        messages = [{"role": "user", "content": "Hello"}]
        completion = await model.openai_client().chat.completions.create(
            model=model.get_inference_name(), messages=messages, max_tokens=4
        )
        same = [art.Trajectory(messages_and_choices=[*messages, completion.choices[0]], reward=1.0) for _ in range(3)]
        result = await backend.train(model, [art.TrajectoryGroup(same)], learning_rate=1e-4)
        assert result.step == 1
        await backend.close()

    within_time(run())
