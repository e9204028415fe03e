"""The released OpenPipe ART, unmodified: only `base_url` and `api_key` differ."""

import asyncio
import os

import pytest
from product import Product

# They are read while ART is imported.
os.environ["TQDM_DISABLE"] = "1"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import art  # noqa: E402
from art.serverless.backend import ServerlessBackend  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def nothing_but_base_url_and_api_key():
    """Where these are set, ART also reports to the hosted services."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("WANDB_API_KEY", "WANDB_BASE_URL", "WF_TRACE_SERVER_URL"):
            environment.delenv(name)
        environment.setenv("WANDB_MODE", "disabled")
        yield


def within_time(coroutine, seconds: float = 240):
    """ART follows a job for ever: a test must not."""
    return asyncio.run(asyncio.wait_for(coroutine, seconds))


def mean_reward(groups: list[art.TrajectoryGroup]) -> float:
    rewards = [trajectory.reward for group in groups for trajectory in group]
    return sum(rewards) / len(rewards)


async def connect(
    product: Product, name: str, folder: str, base_model: str = "heddle/shuttle-1m"
) -> tuple[art.TrainableModel, ServerlessBackend]:
    backend = ServerlessBackend(api_key=product.api_key, base_url=f"{product.url}/v1")
    model = art.TrainableModel(
        name=name, run_name=name, project="art", base_model=base_model, base_path=folder, report_metrics=[]
    )
    await model.register(backend)
    return model, backend
