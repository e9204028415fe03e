"""The released OpenPipe ART, unmodified, trains a real instruct model that BASE_MODELS names by its name on the hub."""

import json
import os
import uuid

import pytest
from art_client import art, connect, mean_reward, nothing_but_base_url_and_api_key, within_time  # noqa: F401
from product import Product
from smollm2 import HUB_ID
from yes_or_no import YES_OR_NO, reward_of

ROLLOUTS = 12
STEPS = 2
LEARNING_RATE = 5e-5
# As base-models.example.yaml has it.
LORA = {"rank": 8, "alpha": 512}


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    folder = tmp_path_factory.mktemp("product")
    entry = {"id": HUB_ID, "source": os.environ["SMOLLM2_DIRECTORY"], "lora": LORA}
    (folder / "models.yaml").write_text(json.dumps([entry]))
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


def test_reward_of_smollm2_rises(product, tmp_path):
    async def run() -> list[float]:
        model, backend = await connect(product, f"yes-or-no-{uuid.uuid4().hex[:8]}", str(tmp_path), base_model=HUB_ID)
        groups = await roll_out(model)
        rewards = [mean_reward(groups)]
        for step in range(1, STEPS + 1):
            assert (await backend.train(model, groups, learning_rate=LEARNING_RATE)).step == step
            groups = await roll_out(model)
            rewards.append(mean_reward(groups))
        await backend.close()
        return rewards

    # Of 96 answers each: chance alone moves them by 0.05.
    before, *after = within_time(run(), 400)
    assert before < 0.5
    assert after[-1] > before + 0.5, after
