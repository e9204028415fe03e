"""The released OpenPipe ART, unmodified, trains a real instruct model that BASE_MODELS names by its name on the hub."""

import os

import pytest
from art_client import art, connect, mean_reward, nothing_but_base_url_and_api_key, within_time  # noqa: F401
from product import Product
from smollm2 import HUB_ID
from yes_or_no import YES_OR_NO, reward_of

ROLLOUTS = 12


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    folder = tmp_path_factory.mktemp("product")
    (folder / "models.yaml").write_text(f"- id: {HUB_ID}\n  source: {os.environ['SMOLLM2_DIRECTORY']}\n")
    product = Product(folder, BASE_MODELS=str(folder / "models.yaml"))
    product.start()
    yield product
    product.stop()


async def rollout(model: art.TrainableModel, question: str) -> art.Trajectory:
    messages = [{"role": "user", "content": question}]
    completion = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(), messages=messages, max_tokens=12, timeout=200
    )
    choice = completion.choices[0]
    return art.Trajectory(messages_and_choices=[*messages, choice], reward=reward_of(choice.message.content or ""))


async def roll_out(model: art.TrainableModel) -> list[art.TrajectoryGroup]:
    return await art.gather_trajectory_groups(
        art.TrajectoryGroup(rollout(model, question) for _ in range(ROLLOUTS)) for question in YES_OR_NO
    )


def test_one_step_raises_the_reward_of_smollm2(product, tmp_path, record_property):
    async def run() -> list[float]:
        model, backend = await connect(product, "yes-or-no", str(tmp_path), base_model=HUB_ID)
        before = await roll_out(model)
        result = await backend.train(model, before, learning_rate=3e-4)
        assert result.step == 1
        after = await roll_out(model)
        await backend.close()
        return [mean_reward(before), mean_reward(after)]

    before, after = within_time(run(), 400)
    record_property("rewards", f"{before:.3f} {after:.3f}")
    assert before < 0.5
    assert after > before + 0.3
