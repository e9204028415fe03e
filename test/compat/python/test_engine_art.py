"""Advantages, weights, losses and gradients of the embedded engine against ART's own code, on the same numbers."""

import random

import engine_art
import pytest
from engine_programs import run_program

pytestmark = pytest.mark.skipif(engine_art.folder() is None, reason="openpipe-art is not installed")

JOBS = 100
ROWS = 60
LEVELS = ("token", "sequence", "average", "geometric_average")


def random_job(source: random.Random) -> dict:
    groups = []
    for group in range(source.randint(1, 6)):
        prompt = [source.randrange(1, 9) for _ in range(source.randint(2, 12))]
        kind = source.choice(["plain", "plain", "equal", "binary"])
        trajectories = []
        for trajectory in range(source.randint(1, 6)):
            reward = {"plain": round(source.uniform(-2, 3), 2), "equal": 0.1, "binary": float(source.random() < 0.5)}[
                kind
            ]
            # Sequences are told apart by a token that no other one has.
            first = [10 + 10 * group + trajectory, *(source.randrange(1, 9) for _ in range(source.randint(0, 9)))]
            items = turn(source, prompt, first)
            if source.random() < 0.5:
                continued = prompt + first if source.random() < 0.7 else [*prompt, 3, *first]
                items += turn(source, [*continued, 5, 6], [source.randrange(1, 9) for _ in range(source.randint(1, 5))])
            trajectories.append({"reward": reward, "messages_and_choices": items})
        groups.append({"trajectories": trajectories, "exceptions": 0})
    config = {"advantage_balance": source.choice([0, 0, 0.4, -0.7]), "scale_rewards": source.random() < 0.7}
    return {"groups": groups, "config": config}


def turn(source: random.Random, prompt: list[int], completion: list[int]) -> list[dict]:
    content = [
        {"token": f"token_id:{token}", "logprob": -source.random(), "bytes": None, "top_logprobs": []}
        for token in completion
    ]
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": "answer"},
        "logprobs": {"content": content, "refusal": None},
        "prompt_token_ids": prompt,
        "token_ids": completion,
    }
    return [{"role": "user", "content": "question"}, choice]


def random_row(source: random.Random, loss: str, level: str) -> dict:
    config = {"loss_fn": loss, "importance_sampling_level": level}
    optional = {
        "epsilon": [0.1, 0.2, 0.6, 1.0],
        "epsilon_high": [0.28, 2.0, 5.0],
        "mask_prob_ratio": [True],
        "max_negative_advantage_importance_sampling_weight": [1.3, 2.0],
        "kimi_k2_tau": [0.1, 1.0],
    }
    config |= {name: source.choice(values) for name, values in optional.items() if source.random() < 0.35}
    recomputed = source.random() < 0.3
    if recomputed:
        config |= {"truncated_importance_sampling": source.choice([1.2, 2.0]), "precalculate_logprobs": True}
    if source.random() < 0.3:
        policy = source.choice(["sample", "current_learner"])
        config |= {"kl_penalty_coef": source.choice([0.05, 1.0]), "kl_penalty_source": policy}
    branches = [random_branch(source, recomputed) for _ in range(source.randint(1, 6))]
    if source.random() < 0.1:
        branches[0]["old"][0] = -9999.0
    return {"branches": branches, "config": config}


def random_branch(source: random.Random, recomputed: bool) -> dict:
    spread = source.choice([0.1, 1, 4])
    now = [-5 * source.random() for _ in range(source.randint(1, 12))]
    return {
        "advantage": source.gauss(0, 1.5),
        "weight": source.uniform(0.2, 3),
        "now": now,
        "old": [
            None if source.random() < 0.1 and not recomputed else logprob + source.gauss(0, spread) for logprob in now
        ],
        "sampler": [logprob + source.gauss(0, 1) for logprob in now] if recomputed else None,
        "reference": [logprob + source.gauss(0, 1) for logprob in now],
    }


@pytest.fixture(scope="module")
def art():
    return engine_art.load(engine_art.folder())


def test_advantages_and_weights(art, within):
    source = random.Random(7)
    jobs = [random_job(source) for _ in range(JOBS)]
    answers = run_program("losses", {"jobs": jobs, "rows": []})["jobs"]
    for job, answer in zip(jobs, answers, strict=True):
        found, expected = (
            sorted(sequences, key=lambda one: (one["tokens"], one["targets"]))
            for sequences in (answer, art.sequences(job))
        )
        for one, other in zip(found, expected, strict=True):
            assert (one["tokens"], one["targets"]) == (other["tokens"], other["targets"])
            for name in ("advantage", "weight"):
                scale = max(abs(other[name]), 1e-2)
                within(f"ART's {name}, relative", abs(one[name] - other[name]) / scale, 1e-5)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("loss", ["cispo", "ppo"])
def test_losses_and_gradients(art, loss, level, within):
    source = random.Random(f"{loss} {level}")
    rows = [random_row(source, loss, level) for _ in range(ROWS)]
    answers = run_program("losses", {"jobs": [], "rows": rows})["rows"]
    for row, found in zip(rows, answers, strict=True):
        expected = art.loss(row)
        scale = max(1, *map(abs, expected["gradient"]))
        gradients = zip(found["gradient"], expected["gradient"], strict=True)
        within("ART's gradient, relative", max(abs(one - other) for one, other in gradients) / scale, 1e-6)
        for name in ("loss", "ratio"):
            difference = abs(found[name] - expected[name]) / max(1, abs(expected[name]))
            within(f"ART's {name}, relative", difference, 1e-6)
        assert found["clipped"] == expected["clipped"]
        assert (found["meanKl"] is None) == (expected["meanKl"] is None)
        if expected["meanKl"] is not None:
            within("ART's KL divergence", abs(found["meanKl"] - expected["meanKl"]), 1e-6)
