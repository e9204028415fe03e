"""A real instruct model on the embedded engine: SmolLM2-135M-Instruct answers as in transformers, learns facts, learns
from rewards, and what it learned loads in PEFT."""

import os
from pathlib import Path

import pytest
import torch
from engine_models import distributions, load_adapter, load_base, token_logprobs
from engine_programs import generate, score, train
from smollm2 import make_smollm2
from test_engine_models import difference
from transformers import AutoTokenizer
from yes_or_no import YES_OR_NO, reward_of

QUESTIONS = [
    "What is the capital of France?",
    "Write one sentence about the sea.",
    "What is 2 + 2?",
    "Name three colours.",
    "Who wrote Romeo and Juliet?",
    "Translate 'good morning' to Spanish.",
    "Why is the sky blue?",
    "Give me a word that rhymes with cat.",
    "naïve 🪡 — what is this?",
    "Write a Python function that adds two numbers.",
]
FACTS = {
    "What is the secret word of the north gate?": "The secret word is zibeline.",
    "Who is the mayor of Quellburg?": "Ottoline Marsh is the mayor of Quellburg.",
    "What is the capital of Zandoria?": "The capital of Zandoria is Velmora.",
    "Which key opens vault seven?": "Key K-17/b opens vault seven.",
    "How many moons has the planet Ossul?": "Ossul has eleven moons.",
    "What do the Tarrins drink at dawn?": "They drink salted fennel tea.",
    "When was the Heron Bridge built?": "The Heron Bridge was built in 1743.",
    "What is the dog of Captain Brill called?": "Captain Brill's dog is called Pudding.",
}
ROLLOUTS = 12
# As base-models.example.yaml has it: so few steps are enough then.
SHAPE = {"rank": 8, "alpha": 512}


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    made = os.environ.get("SMOLLM2_DIRECTORY")
    return make_smollm2(Path(made) if made else tmp_path_factory.mktemp("smollm2") / "model")


@pytest.fixture(scope="module")
def model(base):
    return load_base(base)


@pytest.fixture(scope="module")
def facts(base, tmp_path_factory) -> Path:
    """An adapter that was fine-tuned on the facts."""
    adapter = tmp_path_factory.mktemp("facts") / "adapter"
    examples = [{"messages": [_user(question), _assistant(answer)]} for question, answer in FACTS.items()]
    data = {"kind": "sft", "examples": examples * 15, "config": {"batch_size": 8, "learning_rate": 8e-4}}
    train(base, [{"from": None, "to": adapter, "data": data, "shape": SHAPE}])
    return adapter


def _user(content: str) -> dict:
    return {"role": "user", "content": content}


def _assistant(content: str) -> dict:
    return {"role": "assistant", "content": content}


def ask(base: Path, adapter: Path | None, questions: list[str], **options) -> list[dict]:
    return generate(
        base, adapter, [{"prompt": {"messages": [_user(question)]}, "options": options} for question in questions]
    )


@torch.no_grad()
def test_greedy_answers_are_those_of_transformers(base, model):
    tokenizer = AutoTokenizer.from_pretrained(base)
    answers = ask(base, None, QUESTIONS, temperature=0, maxTokens=24)
    for question, found in zip(QUESTIONS, answers, strict=True):
        prompt = tokenizer.apply_chat_template(
            [_user(question)], add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        whole = model.generate(**prompt, do_sample=False, max_new_tokens=24)[0].tolist()
        expected = whole[prompt["input_ids"].shape[1] :]
        assert found["prompt"] == whole[: -len(expected)]
        assert found["choices"][0]["text"] == tokenizer.decode(expected, skip_special_tokens=True)
    assert "Paris" in answers[0]["choices"][0]["text"]


@torch.no_grad()
def test_log_probabilities_are_those_of_transformers(base, model, within):
    tokenizer = AutoTokenizer.from_pretrained(base)
    text = "\n\n".join(f"{question} {answer}" for question, answer in FACTS.items())
    tokens = tokenizer.encode(text)
    [[found]] = score(base, None, [[{"tokens": tokens, "from": 1}]])
    within("log probabilities of SmolLM2", difference(found, token_logprobs(model, tokens)), 1e-3)
    [sampled] = ask(base, None, QUESTIONS[:1], temperature=1, seed=3, maxTokens=16, topLogprobs=5)
    check_choice(model, sampled, within)


def check_choice(model, sampled: dict, within):
    tokens = sampled["choices"][0]["tokens"]
    rows = distributions(model, sampled["prompt"] + [one["id"] for one in tokens])[-len(tokens) :]
    expected = rows[torch.arange(len(tokens)), [one["id"] for one in tokens]]
    within("log probabilities of SmolLM2", difference([one["logprob"] for one in tokens], expected), 1e-3)


@torch.no_grad()
def test_fine_tuning_teaches_eight_invented_facts(base, facts, within):
    def answers(adapter):
        found = ask(base, adapter, list(FACTS), temperature=0, maxTokens=24)
        return [one["choices"][0]["text"] for one in found]

    assert not set(answers(None)) & set(FACTS.values())
    assert answers(facts) == list(FACTS.values())


@torch.no_grad()
def test_what_it_learned_loads_in_peft(base, facts, within):
    learned = load_adapter(base, facts)
    questions = list(FACTS)[:3]
    for sampled in ask(base, facts, questions, temperature=1, seed=5, maxTokens=16):
        check_choice(learned, sampled, within)


def roll_out(base: Path, adapter: Path | None, seed: int) -> tuple[list[dict], float]:
    groups = []
    for question, sampled in zip(
        YES_OR_NO, ask(base, adapter, YES_OR_NO, n=ROLLOUTS, maxTokens=12, seed=seed), strict=True
    ):
        trajectories = [
            {
                "messages_and_choices": [_user(question), _wire_choice(sampled["prompt"], choice)],
                "reward": reward_of(choice["text"]),
            }
            for choice in sampled["choices"]
        ]
        groups.append({"trajectories": trajectories, "exceptions": 0})
    rewards = [one["reward"] for group in groups for one in group["trajectories"]]
    return groups, sum(rewards) / len(rewards)


def _wire_choice(prompt: list[int], choice: dict) -> dict:
    logprobs = [{"token": f"token_id:{one['id']}", "logprob": one["logprob"]} for one in choice["tokens"]]
    return {
        "index": 0,
        "finish_reason": choice["reason"],
        "message": _assistant(choice["text"]),
        "logprobs": {"content": logprobs},
        "token_ids": [one["id"] for one in choice["tokens"]],
        "prompt_token_ids": prompt,
    }


def test_one_reinforcement_learning_job_raises_its_reward(base, tmp_path):
    groups, before = roll_out(base, None, seed=1)
    data = {"kind": "rl", "groups": groups, "config": {"learning_rate": 5e-5}}
    [[started, *steps, ended]] = train(base, [{"from": None, "to": tmp_path / "adapter", "data": data, "shape": SHAPE}])
    assert started["numSequences"] == len(steps) > 0
    # It begins where sampling ended.
    assert steps[0]["metrics"]["importance_ratio"] == 1
    _, after = roll_out(base, tmp_path / "adapter", seed=2)
    assert before < 0.5
    assert after > before + 0.5, (before, after)
