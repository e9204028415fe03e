"""What ART's own API lets its users set, unmodified: the reference of the KL penalty, and fine-tuning files."""

import base64
import json
import uuid

import httpx
import pytest
from art_client import art, connect, nothing_but_base_url_and_api_key, within_time  # noqa: F401
from product import Product
from test_art import rollout, scenarios


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    product = Product(tmp_path_factory.mktemp("product"))
    product.start()
    yield product
    product.stop()


async def groups_of(model: art.TrainableModel) -> list[art.TrajectoryGroup]:
    return await art.gather_trajectory_groups(
        art.TrajectoryGroup(rollout(model, prompt) for _ in range(8)) for prompt in scenarios()[:6]
    )


def test_a_kl_penalty_compares_with_the_step_that_it_names(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"kl-{uuid.uuid4().hex[:8]}", str(tmp_path))
        groups = await groups_of(model)
        for step in (1, 2):
            assert (await backend.train(model, groups, learning_rate=1e-3)).step == step

        async def mean_kl(**reference) -> float:
            """Of the first gradient step, before anything is learnt; nothing is learnt later, either."""
            penalty = {"kl_penalty_coef": 0.1, "kl_penalty_source": "current_learner"}
            result = await backend.train(model, groups, learning_rate=0.0, **penalty, **reference)
            names = [name for name in result.metrics if name.endswith("kl_policy_ref")]
            assert len(names) == 1, result.metrics
            return result.metrics[names[0]]

        to_base = await mean_kl()
        to_first = await mean_kl(kl_penalty_reference_step=1)
        # From step 4 on, whose weights are those of step 2.
        assert await mean_kl(kl_penalty_step_lag=2) == 0
        assert await mean_kl(kl_penalty_step_lag=4) == pytest.approx(to_first, abs=1e-9)
        assert await mean_kl(kl_penalty_reference_step=0) == pytest.approx(to_base, abs=1e-9)
        assert to_first != pytest.approx(to_base, abs=1e-3)

        with pytest.raises(Exception, match="kl_penalty_reference_step.*step 99"):
            await backend.train(model, groups, kl_penalty_coef=0.1, kl_penalty_reference_step=99)
        await backend.close()

    within_time(run())


def dataset(product: Product, name: str, lines: list[dict]) -> str:
    """Where the wandb SDK would put ART's file; its URL."""
    headers = {"Authorization": f"Bearer {product.api_key}"}
    path = f"{product.url}/v1/projects/admin/art/artifacts"
    httpx.post(path, headers=headers, json={"name": name, "type": "dataset"}).raise_for_status()
    content = base64.b64encode("\n".join(map(json.dumps, lines)).encode()).decode()
    files = [{"path": "train.jsonl", "content": content}]
    httpx.post(f"{path}/{name}/versions", headers=headers, json={"files": files}).raise_for_status()
    return f"wandb-artifact:///admin/art/{name}:v0"


def test_fine_tuning_learns_what_is_weighted_and_shows_what_nobody_reads(product, tmp_path):
    turns = [
        {"role": "user", "content": "yes or no?"},
        {"role": "assistant", "content": "maybe"},
        {"role": "user", "content": "again?"},
        {"role": "assistant", "content": "no"},
    ]

    async def run() -> None:
        model, backend = await connect(product, f"sft-{uuid.uuid4().hex[:8]}", str(tmp_path))

        async def steps(url: str, **config) -> list[dict]:
            """Metrics of the gradient steps, as ART's client reads them."""
            job = await backend._client.sft_training_jobs.create(
                model_id=model.id, training_data_url=url, config={"batch_size": 1, **config}
            )
            found, ends, after = [], [], None
            while not ends:
                events = backend._client.sft_training_jobs.events
                cursor = {} if after is None else {"after": after}
                async for event in events.list(training_job_id=job.id, **cursor):
                    after = event.id
                    if event.type == "gradient_step":
                        found.append({name: float(value) for name, value in event.data.items()})
                    if event.type in ("training_ended", "training_failed"):
                        ends.append(event)
            assert ends[0].type == "training_ended", ends[0].data
            return found

        def weighted(first: int, second: int, **more) -> dict:
            marked = [turns[0], {**turns[1], "weight": first}, turns[2], {**turns[3], "weight": second}]
            return {"messages": marked, **more}

        lines = [weighted(1, 1), weighted(1, 0), weighted(0, 1)]
        whole, first, second = await steps(dataset(product, "weighted", lines), learning_rate=0.0)
        assert first["num_trainable_tokens"] + second["num_trainable_tokens"] == whole["num_trainable_tokens"]
        learnt = sum(part["loss"] * part["num_trainable_tokens"] for part in (first, second))
        assert learnt == pytest.approx(whole["loss"] * whole["num_trainable_tokens"], abs=1e-4)
        assert "num_unknown_keys" not in whole

        (odd,) = await steps(dataset(product, "odd", [weighted(1, 1, identifier=7)]))
        assert odd["num_unknown_keys"] == 1

        with pytest.raises(Exception, match="has 2 entries, but 1 examples in batches of 1 make 1 batches"):
            await steps(dataset(product, "rates", [weighted(1, 1)]), learning_rate=[1e-4, 1e-5])
        await backend.close()

    within_time(run())
