"""Every field that ART's client can send, taken from its own models: it is read, or a warning of the job names it, and what is
logged is kept as it was sent. A field that a newer client adds fails here until somebody has looked at it."""

import typing
import uuid

import httpx
import openai
import pydantic
import pytest
from art.serverless.client import ExperimentalTrainingConfig, SFTTrainingConfig
from art.types import SFTMetricLoggingConfig
from art_client import art, connect, nothing_but_base_url_and_api_key, within_time  # noqa: F401
from product import Product
from recorded_exchanges import RandomExchanges
from test_art_recorded import ask, job_of
from test_art_settings import dataset

# What says how a trainer on a GPU computes or draws, and nothing of what is learnt.
WITHOUT_EFFECT = {"logprob_calculation_chunk_size", "plot_tensors"}
# Of these any value is a path, which is the client's.
UNREAD = {"kl_ref_adapter_path"}
NOT_A_VALUE = {"no": "value"}

TURNS = [{"role": "user", "content": "ping"}, {"role": "assistant", "content": "pong"}]
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    product = Product(tmp_path_factory.mktemp("product"))
    product.start()
    yield product
    product.stop()


async def pair(model: art.TrainableModel) -> list[art.TrajectoryGroup]:
    """One group, of which something can be learnt."""
    trajectories = []
    for reward in (0.0, 1.0):
        with art.Trajectory() as trajectory:
            await ask(model, TURNS[:1])
        trajectory.reward = reward
        trajectories.append(trajectory)
    return [art.TrajectoryGroup(trajectories)]


async def ended(events, job_id: str) -> None:
    last = [event async for event in events.list(training_job_id=job_id)]
    while not last or last[-1].type not in ("training_ended", "training_failed"):
        cursor = {"after": last[-1].id} if last else {}
        last += [event async for event in events.list(training_job_id=job_id, **cursor)]
    assert last[-1].type == "training_ended", last[-1].data


def test_every_setting_of_training_is_read_or_named(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"settings-{uuid.uuid4().hex[:8]}", str(tmp_path))
        groups, jobs = await pair(model), backend._client.training_jobs
        unread = set()
        for name in typing.get_type_hints(ExperimentalTrainingConfig):
            config = {name: NOT_A_VALUE, **({} if name == "kl_penalty_coef" else {"kl_penalty_coef": 0.1})}
            try:
                job = await jobs.create(model_id=model.id, trajectory_groups=groups, experimental_config=config)
            except openai.UnprocessableEntityError as refusal:
                assert name in str(refusal)
                continue
            unread.add(name)
            await ended(jobs.events, job.id)
            _, started = job_of(product, model)
            is_named = any(name in warning for warning in started.get("warnings", []))
            assert is_named or name in WITHOUT_EFFECT, f"{name} is neither read nor named in a warning"
        assert unread == WITHOUT_EFFECT | UNREAD
        # What is read and yet does nothing is named too.
        document = httpx.get(f"{product.url}/openapi.json").text
        assert document.count("Ignored with a warning") == 1
        config = {"scale_learning_rate_by_reward_std_dev": True}
        job = await jobs.create(model_id=model.id, trajectory_groups=groups, experimental_config=config)
        await ended(jobs.events, job.id)
        _, started = job_of(product, model)
        assert any("scale_learning_rate_by_reward_std_dev" in warning for warning in started["warnings"])
        await backend.close()

    within_time(run())


def test_every_setting_of_fine_tuning_is_read(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"tuning-{uuid.uuid4().hex[:8]}", str(tmp_path))
        url = dataset(product, f"fields-{uuid.uuid4().hex[:8]}", [{"messages": TURNS}])
        settings = [{name: NOT_A_VALUE} for name in typing.get_type_hints(SFTTrainingConfig) if name != "metric_logging"]
        nested = typing.get_type_hints(SFTMetricLoggingConfig)
        settings += [{"metric_logging": {"enabled": True, name: NOT_A_VALUE}} for name in nested]
        for config in settings:
            with pytest.raises(openai.UnprocessableEntityError) as refusal:
                await backend._client.sft_training_jobs.create(model_id=model.id, training_data_url=url, config=config)
            assert all(name in str(refusal.value) for name in config)
        await backend.close()

    within_time(run())


def values(first: dict) -> dict[type[pydantic.BaseModel], dict]:
    """A value other than the default of each field of each model that a group is made of."""
    choice = first["response"]["choices"][0]
    random = RandomExchanges(5)
    completion = {
        "id": "cmpl-1",
        "object": "text_completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "text": "b", "finish_reason": "stop", "logprobs": None, "token_ids": [7]}],
    }
    trajectories = art.trajectories
    history = {"messages_and_choices": [TURNS[0], choice], "tools": [TOOL]}
    exchanges = {
        "chat_completions": [first],
        "completions": [random.exchange({"model": "m", "prompt": "a"}, completion)],
        **random.trajectory("responses"),
        **random.trajectory("messages"),
    }
    return {
        trajectories.LegacyHistory: history,
        trajectories.TrajectoryExchanges: exchanges,
        trajectories.PydanticException: {"type": "ValueError", "message": "broke", "traceback": "at line 1"},
        trajectories.Trajectory: {
            **history,
            "exchanges": exchanges,
            "additional_histories": [history],
            "reward": 0.5,
            "initial_policy_version": 1,
            "final_policy_version": 2,
            "metrics": {"is_short": True, "turns": 3, "share": 0.25},
            "metadata": {"scenario": 7},
            "logs": ["began"],
            # Not sent.
            "start_time": "2026-11-29T00:00:00Z",
        },
        trajectories.TrajectoryGroup: {
            "trajectories": [],
            "exceptions": [{"type": "ValueError", "message": "broke", "traceback": "at line 1"}],
            "metadata": {"split": "hard"},
            "metrics": {"judged": 1.0},
            "logs": ["gathered"],
        },
    }


def models_of(annotation: object) -> set[type[pydantic.BaseModel]]:
    """Those of ART's own that a type is made of."""
    found = set().union(*map(models_of, typing.get_args(annotation)))
    if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        if annotation.__module__.startswith("art.") and not annotation.__name__.endswith("Exchange"):
            found.add(annotation)
            for field in annotation.model_fields.values():
                found |= models_of(field.annotation)
    return found


def test_every_field_of_a_trajectory_goes_through_as_it_was_sent(product, tmp_path):
    async def run() -> None:
        model, backend = await connect(product, f"fields-{uuid.uuid4().hex[:8]}", str(tmp_path))
        recorded = [group.model_dump(mode="json") for group in await pair(model)]
        of = values(recorded[0]["trajectories"][0]["exchanges"]["chat_completions"][0])
        assert set(of) == models_of(art.TrajectoryGroup)
        for each, fields in of.items():
            assert set(fields) == set(each.model_fields), f"fields of {each.__name__} that nobody has looked at"
        whole = of[art.Trajectory]
        histories = ("messages_and_choices", "tools", "additional_histories")
        written = {name: value for name, value in whole.items() if name != "exchanges"}
        told = {name: value for name, value in whole.items() if name not in histories}
        group = {**of[art.TrajectoryGroup], "trajectories": [written, {**told, "reward": 1.5}]}
        groups = [art.TrajectoryGroup.model_validate(group)]
        [sent] = [each.model_dump(mode="json") for each in groups]
        assert set(sent) == set(art.TrajectoryGroup.model_fields)
        seen = set().union(*sent["trajectories"])
        assert seen == set(art.Trajectory.model_fields) - {"start_time"}

        headers = {"Authorization": f"Bearer {product.api_key}"}
        with httpx.Client(base_url=f"{product.url}/v1/preview", headers=headers) as client:
            result = await backend.train(model, groups, learning_rate=1e-4)
            job, started = job_of(product, model)
            trained = client.get(f"/training-jobs/{job['id']}/trajectories").json()
            assert trained["trajectory_groups"] == [sent]
            await backend._client.models.log(model_id=model.id, trajectory_groups=groups, split="val")
            [log] = client.get(f"/models/{model.id}/trajectories").json()["data"]
            kept = client.get(f"/models/{model.id}/trajectories/{log['id']}").json()
            assert kept["trajectory_groups"] == [sent]
        assert result.step == 1
        # Each metric that a trajectory has is one of the step's.
        checkpoints = [each async for each in backend._client.models.checkpoints.list(model_id=model.id)]
        metrics = checkpoints[-1].metrics
        expected = {"reward": 1.0, "exception_rate": 1 / 3, "is_short": 1.0, "turns": 3.0, "share": 0.25}
        assert {name: metrics[f"val/{name}"] for name in expected} == pytest.approx(expected)
        assert started["num_trainable_tokens"] > 0
        await backend.close()

    within_time(run())
