"""ART's `train_sft`, unmodified: its data goes through the wandb SDK into an artifact, which a fine-tuning job trains on."""

import os
import subprocess
import sys
import textwrap
import uuid

from wandb_rest import rest

PROGRAM = """
    import asyncio, os, sys
    import art
    from art.serverless.backend import ServerlessBackend

    async def main() -> None:
        backend = ServerlessBackend(base_url=os.environ["WANDB_BASE_URL"] + "/v1", api_key=os.environ["WANDB_API_KEY"])
        name, project = sys.argv[1:]
        model = art.TrainableModel(name=name, run_name=name, project=project, base_model="heddle/shuttle-1m")
        await model.register(backend)
        messages = [{"role": "user", "content": "ping"}, {"role": "assistant", "content": "pong"}]
        examples = [art.Trajectory(messages_and_choices=messages, reward=0.0) for _ in range(40)]
        await model.train_sft(examples, art.TrainSFTConfig(learning_rate=1e-4))
        client = model.openai_client()
        asked = {"model": model.get_inference_name(), "messages": messages[:1], "temperature": 0, "max_tokens": 8}
        print("ANSWER", (await client.chat.completions.create(**asked)).choices[0].message.content)

    asyncio.run(main())
"""


def test_it_trains_on_an_artifact_and_its_run_stays_one(tmp_path):
    name, project = "answers", f"art-{uuid.uuid4().hex[:12]}"
    environment = {**os.environ, "TQDM_DISABLE": "1", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "WANDB_SILENT": "true"}
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), name, project],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "ANSWER pong" in ran.stdout
    # The client finds the model's run by its id, and leaves alone what it says of the model.
    [run] = rest(f"/v1/projects/admin/{project}/runs")["data"]
    assert run["name"] == name
    assert run["config"]["base_model"] == "heddle/shuttle-1m"
