"""Log probabilities and greedy completions of the embedded engine against transformers, for the base model that ships
and for models of each family that transformers saves as float32, bfloat16 and float16, and in shards."""

import json
import random
import shutil

import pytest
import torch
import transformers
from engine_models import CONTEXT, END, MODELS, distributions, load_base, token_logprobs
from engine_programs import generate, score
from transformers import AutoTokenizer

# Every whole context, the sizes around those of a forward pass, beginnings that are shared, and the least there can be.
LENGTHS = (CONTEXT, 513, 512, 511, 2)
QUESTIONS = ["Say hello.", "Which is it: yes, no or maybe?", "What is the capital of France?", "naïve 🪡", "7 + 5 ="]


def random_tokens(seed: int, count: int) -> list[int]:
    source = random.Random(seed)
    return [source.randrange(264) for _ in range(count)]


def groups_to_score() -> list[list[dict]]:
    prefix = random_tokens(1, 70)
    shared = [{"tokens": prefix + random_tokens(length, length), "from": len(prefix)} for length in (1, 30, 200)]
    return [shared, *([{"tokens": random_tokens(length, length), "from": 1}] for length in LENGTHS)]


def check_scores(base, adapter, model, within):
    """Of training's forward pass."""
    groups = groups_to_score()
    sequences = [sequence for group in groups for sequence in group]
    found = [scores for group in score(base, adapter, groups) for scores in group]
    for sequence, scores in zip(sequences, found, strict=True):
        expected = token_logprobs(model, sequence["tokens"])[sequence["from"] - 1 :]
        within("log probabilities in training", difference(scores, expected), 1e-4)


def check_samples(base, adapter, model, within):
    """Of tokens that were sampled, and of the likeliest ones in their places."""
    whole = {"maxTokens": CONTEXT - 1, "temperature": 1, "seed": 7, "ignoreEos": True, "topLogprobs": 20}
    requests = [
        {"prompt": {"tokenIds": random_tokens(1, 1)}, "options": whole},
        {"prompt": {"tokenIds": random_tokens(2, CONTEXT - 1)}, "options": {**whole, "maxTokens": 1}},
        {
            "prompt": {"tokenIds": random_tokens(3, 300)},
            "options": {**whole, "maxTokens": 20, "n": 3, "temperature": 1.5},
        },
    ]
    for request, result in zip(requests, generate(base, adapter, requests), strict=True):
        assert result["prompt"] == request["prompt"]["tokenIds"]
        assert len(result["choices"]) == request["options"].get("n", 1)
        for choice in result["choices"]:
            tokens = choice["tokens"]
            assert len(tokens) == request["options"]["maxTokens"]
            sequence = result["prompt"] + [token["id"] for token in tokens]
            expected = distributions(model, sequence)[-len(tokens) :]
            chosen = expected[torch.arange(len(tokens)), [token["id"] for token in tokens]]
            within("log probabilities in sampling", difference([token["logprob"] for token in tokens], chosen), 1e-4)
            top = [[one["logprob"] for one in token["top"]] for token in tokens]
            within("log probabilities of alternatives", difference(top, expected.topk(20).values), 1e-4)
            named = torch.tensor([[one["id"] for one in token["top"]] for token in tokens])
            within("log probabilities of alternatives", difference(top, expected.gather(1, named)), 1e-4)


def difference(found: list, expected: torch.Tensor) -> float:
    return (torch.tensor(found) - expected).abs().max().item()


@pytest.fixture(scope="module", params=MODELS)
def base(request, base_models):
    return base_models[request.param]


@pytest.fixture(scope="module")
def model(base):
    return load_base(base)


@torch.no_grad()
def test_training_scores_as_transformers_does(base, model, within):
    check_scores(base, None, model, within)


@torch.no_grad()
def test_samples_carry_the_log_probabilities_of_transformers(base, model, within):
    check_samples(base, None, model, within)


@pytest.mark.parametrize("name", ["shuttle", "grouped", "untied", "llama3", "biased", "qwen2", "qwen3"])
def test_greedy_completions_are_those_of_transformers(base_models, name):
    base = base_models[name]
    model, tokenizer = load_base(base), AutoTokenizer.from_pretrained(base)
    chats = [[{"role": "user", "content": question}] for question in QUESTIONS]
    options = {"temperature": 0, "seed": 11, "maxTokens": 60}
    results = generate(base, None, [{"prompt": {"messages": chat}, "options": options} for chat in chats])
    for chat, result in zip(chats, results, strict=True):
        prompt = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_tensors="pt", return_dict=True)
        whole = model.generate(**prompt, do_sample=False, max_new_tokens=60, eos_token_id=END)[0].tolist()
        expected = whole[prompt["input_ids"].shape[1] :]
        [choice] = result["choices"]
        assert result["prompt"] == prompt["input_ids"][0].tolist()
        assert [token["id"] for token in choice["tokens"]] == expected
        assert choice["reason"] == ("stop" if expected[-1] == END else "length")
        assert choice["text"] == tokenizer.decode(expected, skip_special_tokens=True)


@torch.no_grad()
def test_generation_config_gives_what_a_request_leaves_out(base_models, tmp_path):
    base = tmp_path / "base"
    shutil.copytree(base_models["grouped"], base)
    model, prompt = load_base(base), random_tokens(4, 12)

    def configure(**fields):
        (base / "generation_config.json").write_text(json.dumps(fields))

    def ask(**options):
        [choice] = generate(base, None, [{"prompt": {"tokenIds": prompt}, "options": options}])[0]["choices"]
        return [token["id"] for token in choice["tokens"]], choice["reason"]

    def expected(**options):
        config = transformers.GenerationConfig.from_pretrained(base, **options)
        whole = model.generate(torch.tensor([prompt]), generation_config=config)[0]
        return whole.tolist()[len(prompt) :]

    configure(temperature=0.7, top_k=1, repetition_penalty=1.3, max_new_tokens=40, eos_token_id=END)
    plain = ask(seed=1, maxTokens=60)[0]
    assert ask(seed=2) == (expected(do_sample=False), "length")
    # Several tokens end a completion: one of them is sampled midway.
    ending = next(token for at, token in enumerate(plain) if at > 2 and token not in plain[:at])
    configure(top_k=1, repetition_penalty=1.3, max_new_tokens=40, eos_token_id=[END, ending])
    found = ask(seed=3)
    assert found == (expected(do_sample=False), "stop")
    assert found[0] == plain[: plain.index(ending) + 1]
    assert len(ask(seed=3, maxTokens=2)[0]) == 2
    assert len({tuple(ask(seed=seed, topK=0, temperature=1.5)[0]) for seed in range(3)}) == 3
