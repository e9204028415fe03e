"""The released OpenPipe ART, unmodified, trains through Heddle on SkyRL while vLLM answers its rollouts."""

import json
import subprocess
import uuid

import pytest
from art_client import art, connect, mean_reward, nothing_but_base_url_and_api_key, within_time  # noqa: F401
from product import ROOT, Product

BASE_MODEL = "team/shuttle-elsewhere"
ROLLOUTS = 12
MAX_STEPS = 6
REWARDS = {"yes": 0.5, "no": 0.75, "maybe": 1.0}
PROMPTS = [
    f"{verb} with {words}"
    for verb in ("respond", "just respond")
    for words in ("yes, no, maybe", "maybe, yes, no", "no, maybe, yes", "yes or maybe", "maybe or no", "no or yes")
]


@pytest.fixture(scope="module")
def servers():
    """The real ones; they need environments of their own, which SKYRL_PYTHON and VLLM_PYTHON name."""
    process = subprocess.Popen(
        ["node", "test/trainer/serve.mjs"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    line = process.stdout.readline()
    assert line, "the servers did not start"
    yield json.loads(line)
    process.stdin.close()
    process.wait(timeout=60)


@pytest.fixture(scope="module")
def product(servers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("product")
    (folder / "models.yaml").write_text(
        f"""
- id: {BASE_MODEL}
  source: {servers["base"]}
  lora: {{ rank: 8 }}
  engine: {{ tinker: {{ url: {servers["trainer"]}, model: {servers["base"]} }} }}
  inference:
    - openai: {{ url: {servers["inference"]}, model: shuttle }}
"""
    )
    product = Product(folder, BASE_MODELS=str(folder / "models.yaml"))
    product.start()
    yield product
    product.stop()


async def rollout(model: art.TrainableModel, prompt: str) -> art.Trajectory:
    messages = [{"role": "user", "content": prompt}]
    completion = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(), messages=messages, max_tokens=16, timeout=100
    )
    choice = completion.choices[0]
    answer = (choice.message.content or "").strip().lower()
    return art.Trajectory(messages_and_choices=[*messages, choice], reward=REWARDS.get(answer, 0.0))


async def roll_out(model: art.TrainableModel) -> list[art.TrajectoryGroup]:
    return await art.gather_trajectory_groups(
        art.TrajectoryGroup(rollout(model, prompt) for _ in range(ROLLOUTS)) for prompt in PROMPTS
    )


def test_the_reward_climbs(product, tmp_path, record_property):
    async def run() -> list[float]:
        name = f"elsewhere-{uuid.uuid4().hex[:8]}"
        model, backend = await connect(product, name, str(tmp_path), base_model=BASE_MODEL)
        groups = await roll_out(model)
        rewards = [mean_reward(groups)]
        while rewards[-1] < 0.9 and len(rewards) <= MAX_STEPS:
            assert (await backend.train(model, groups, learning_rate=1.5e-3)).step == len(rewards)
            groups = await roll_out(model)
            rewards.append(mean_reward(groups))
        await backend.close()
        return rewards

    rewards = within_time(run(), 400)
    record_property("rewards", " ".join(f"{reward:.3f}" for reward in rewards))
    assert rewards[-1] > max(0.9, rewards[0] + 0.1), rewards
