"""Losses, gradients and optimiser steps of the embedded engine against torch's, on PEFT's model of the same adapter."""

from dataclasses import dataclass
from pathlib import Path

import peft
import pytest
import torch
from engine_formulas import rl_loss, sft_loss, trained_sequences
from engine_models import load_adapter, make_adapter, token_logprobs
from engine_programs import train
from engine_training import (
    MAX_NORM,
    gradient,
    gradient_of_first_step,
    learn,
    read_learned,
    relative_difference,
    target_logprobs,
    trainable_weights,
)
from engine_trajectories import RandomGroups, Sequence, Trajectory, wire_groups
from transformers import AutoTokenizer

LEVELS = ("token", "sequence", "average", "geometric_average")
LOSSES = ("cispo", "ppo")
# Each beside what it changes most: narrow bounds that clip, ratios that are masked or capped.
CONFIGS = [
    *({"loss_fn": loss, "importance_sampling_level": level} for loss in LOSSES for level in LEVELS),
    {"epsilon": 0.15, "epsilon_high": 0.3},
    {"epsilon": 0.3, "epsilon_high": 0.25, "mask_prob_ratio": True, "importance_sampling_level": "average"},
    {"max_negative_advantage_importance_sampling_weight": 1.1, "kimi_k2_tau": 0.5},
    {"advantage_balance": 0.4, "scale_rewards": False},
    {"advantage_balance": -0.7, "importance_sampling_level": "sequence"},
    {"precalculate_logprobs": True},
    {"ppo": True, "epsilon": 0.5, "epsilon_high": 0.9, "importance_sampling_level": "geometric_average"},
    {"ppo": True, "mask_prob_ratio": True},
    {"ppo": True, "max_negative_advantage_importance_sampling_weight": 1.1, "importance_sampling_level": "sequence"},
    {"ppo": True, "kimi_k2_tau": 0.5, "importance_sampling_level": "average", "advantage_balance": 0.2},
    {"ppo": True, "precalculate_logprobs": True},
]
FAMILIES = ("biased", "qwen2", "qwen3")
CASES = [
    *(("grouped", config) for config in CONFIGS),
    *((name, config) for name in ("shuttle", "untied") for config in (CONFIGS[0], CONFIGS[7], CONFIGS[9])),
    *((name, CONFIGS[0]) for name in FAMILIES),
]
CHATS = [
    [{"role": "user", "content": "Which one: red or green?"}, {"role": "assistant", "content": "Green."}],
    [
        {"role": "system", "content": "Be brief. ünïcödé 🪡"},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "2+2"},
        {"role": "assistant", "content": "4"},
    ],
    [{"role": "user", "content": "Nothing to say"}, {"role": "assistant", "content": ""}],
]


def rl(groups, **config):
    return {"kind": "rl", "groups": wire_groups(groups), "config": config}


def sft(chats, **config):
    return {"kind": "sft", "examples": [{"messages": chat} for chat in chats], "config": config}


def sft_row(base: Path, chats, turns="all") -> list[Sequence]:
    """What the assistant would have to sample, found by the tokens of the template's headers."""
    tokenizer = AutoTokenizer.from_pretrained(base)
    header = tokenizer.encode("<|im_start|>assistant\n")
    row = []
    for chat in chats:
        tokens = tokenizer.apply_chat_template(chat, return_dict=True)["input_ids"]
        starts = [i + len(header) for i in range(len(tokens)) if tokens[i : i + len(header)] == header]
        spans = [range(start, tokens.index(tokenizer.eos_token_id, start) + 1) for start in starts]
        row.append(Sequence(tokens, [target for span in spans[-1 if turns == "last" else 0 :] for target in span]))
    return row


@dataclass
class Setting:
    """A base model, an adapter in a file and in torch, and random trajectories that it might have sampled."""

    base: Path
    folder: Path
    adapter: Path
    model: peft.PeftModel
    groups: list[list[Trajectory]]
    # Whether gradients are greater than the norm to which they are clipped.
    clips: bool = True


def make_setting(base: Path, folder: Path, alpha: float) -> Setting:
    adapter = make_adapter(base, folder / "made", r=8, lora_alpha=alpha, target_modules="all-linear")
    model = load_adapter(base, adapter, trainable=True)

    def score(tokens):
        with torch.no_grad():
            return token_logprobs(model, tokens).tolist()

    return Setting(base, folder, adapter, model, RandomGroups(score, seed=3).several())


@pytest.fixture(scope="module")
def settings(base_models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("training")
    names = ("grouped", "shuttle", "untied", *FAMILIES)
    return {name: make_setting(base_models[name], folder / name, alpha=16) for name in names}


@pytest.fixture(scope="module")
def computed(settings):
    """Files and metrics of a job of each of CASES; at a learning rate of 0 none of them learns anything."""
    found = {}
    for name, setting in settings.items():
        numbers = [number for number, (model, _) in enumerate(CASES) if model == name]
        jobs = [
            {
                "from": setting.adapter,
                "to": setting.folder / f"case-{number}",
                "data": rl(setting.groups, **CASES[number][1], learning_rate=0),
            }
            for number in numbers
        ]
        for number, job, events in zip(numbers, jobs, train(setting.base, jobs), strict=True):
            found[number] = (job["to"], events[1]["metrics"])
    return found


def name_of(case) -> str:
    name, config = case
    return " ".join([name, *(f"{key}={value}" for key, value in config.items())])


@pytest.mark.parametrize("number", range(len(CASES)), ids=map(name_of, CASES))
def test_rl_loss_and_gradient(settings, computed, number, within):
    name, config = CASES[number]
    model, groups = settings[name].model, settings[name].groups
    directory, metrics = computed[number]
    row = trained_sequences(groups, config)
    loss = rl_loss(row, target_logprobs(model, row), config)
    found = gradient_of_first_step(directory, metrics["grad_norm"], "rl")
    assert metrics["num_trainable_tokens"] == sum(len(one.targets) for one in row)
    # The mean size of a term is 1; they may cancel each other.
    scale = max(abs(loss.item()), 0.01)
    within("loss of RL, relative", abs(metrics["policy_loss"] - loss.item()) / scale, 1e-3)
    within("LoRA gradient of RL, relative", relative_difference(found, gradient(model, loss)), 1e-3)


@pytest.mark.parametrize("turns", ["all", "last"])
@pytest.mark.parametrize("name", ["grouped", "shuttle", "untied", *FAMILIES])
def test_sft_loss_and_gradient(settings, name, turns, within):
    setting = settings[name]
    to = setting.folder / f"sft-{turns}"
    data = sft(CHATS, batch_size=len(CHATS), learning_rate=0, assistant_turns=turns)
    [[_, step, _]] = train(setting.base, [{"from": setting.adapter, "to": to, "data": data}])
    metrics = step["metrics"]
    row = sft_row(setting.base, CHATS, turns)
    loss = sft_loss(target_logprobs(setting.model, row))
    found = gradient_of_first_step(to, metrics["grad_norm"], "sft")
    assert metrics["num_trainable_tokens"] == sum(len(one.targets) for one in row)
    within("loss of SFT, relative", abs(metrics["loss"] / loss.item() - 1), 1e-3)
    within("LoRA gradient of SFT, relative", relative_difference(found, gradient(setting.model, loss)), 1e-3)


@pytest.fixture(params=[True, False], ids=["clipped", "unclipped"])
def learner(request, base_models, tmp_path):
    """Little alpha makes little gradients."""
    setting = make_setting(base_models["grouped"], tmp_path, alpha=16 if request.param else 0.05)
    setting.clips = request.param
    return setting


def check_steps(learner: Setting, kind: str, losses: list, rates: list[float], steps: list[dict], saved: dict, within):
    """Each step's norm, and what is in the directories that were saved after some of the steps."""
    before = trainable_weights(learner.model)
    for i, (norm, expected) in enumerate(learn(learner.model, losses, rates, kind)):
        metrics = steps[i]["metrics"]
        assert (norm > MAX_NORM[kind]) == learner.clips
        assert metrics["learning_rate"] == rates[i]
        within("norm of the gradient, relative", abs(metrics["grad_norm"] / norm - 1), 1e-3)
        if i not in saved:
            continue
        found = read_learned(saved[i])
        assert found.steps == expected.steps
        within("AdamW: first moments, relative", relative_difference(found.first, expected.first), 1e-3)
        within("AdamW: second moments, relative", relative_difference(found.second, expected.second), 1e-3)
        moves = [{key: one.weights[key] - before[key] for key in before} for one in (found, expected)]
        within("AdamW: change of the weights, relative", relative_difference(*moves), 2e-3)


def test_rl_steps_over_two_jobs(learner, within):
    """The second goes on with the moments of the first."""
    configs = [{"loss_fn": "cispo"}, {"loss_fn": "ppo", "importance_sampling_level": "average"}]
    rates = [1e-3, 5e-4]
    places = [learner.adapter, learner.folder / "first", learner.folder / "second"]
    jobs = [
        {"from": places[i], "to": places[i + 1], "data": rl(learner.groups, **configs[i], learning_rate=rates[i])}
        for i in range(2)
    ]
    steps = [events[1] for events in train(learner.base, jobs)]

    def loss(config):
        row = trained_sequences(learner.groups, config)
        return rl_loss(row, target_logprobs(learner.model, row), config)

    losses = [lambda config=config: loss(config) for config in configs]
    check_steps(learner, "rl", losses, rates, steps, {0: places[1], 1: places[2]}, within)


def test_rl_steps_over_two_rows(learner, within):
    to = learner.folder / "learned"
    config = {"packed_sequence_length": 90, "learning_rate": 1e-3}
    [[_, *steps, _]] = train(learner.base, [{"from": learner.adapter, "to": to, "data": rl(learner.groups, **config)}])
    trained = trained_sequences(learner.groups, config)
    # The first group and the third fill a row each; of the first, one trajectory has the mean reward.
    rows = [trained[:4], trained[4:]]
    losses = [lambda row=row: rl_loss(row, target_logprobs(learner.model, row), config) for row in rows]
    check_steps(learner, "rl", losses, [1e-3, 1e-3], steps, {1: to}, within)


def test_sft_steps_over_two_batches(learner, within):
    to = learner.folder / "learned"
    rates = [1e-3, 5e-4]
    data = sft(CHATS, batch_size=2, learning_rate=rates)
    [[_, *steps, _]] = train(learner.base, [{"from": learner.adapter, "to": to, "data": data}])
    row = sft_row(learner.base, CHATS)
    losses = [lambda part=part: sft_loss(target_logprobs(learner.model, part)) for part in (row[:2], row[2:])]
    check_steps(learner, "sft", losses, rates, steps, {1: to}, within)
