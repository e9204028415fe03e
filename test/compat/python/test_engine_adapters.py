"""Adapters that PEFT made, in the embedded engine, and adapters that the engine made, in PEFT."""

import pytest
import torch
from engine_models import distributions, load_adapter, load_base, make_adapter
from engine_programs import train
from test_engine_models import check_samples, check_scores, random_tokens

ADAPTERS = {
    "all-linear": dict(r=8, lora_alpha=16, target_modules="all-linear"),
    "rank-stabilised": dict(r=4, lora_alpha=6, target_modules=["q_proj", "v_proj"], use_rslora=True),
    "one layer": dict(r=3, lora_alpha=12, target_modules=["o_proj", "down_proj"], layers_to_transform=[1]),
}
FAMILIES = ("llama3", "biased", "qwen2", "qwen3")
CHATS = [
    [{"role": "user", "content": f"What is number {i}?"}, {"role": "assistant", "content": f"It is {word}."}]
    for i, word in enumerate(["red", "green", "blue", "grey"])
]


def change(model, other) -> float:
    """How much two models differ on some tokens."""
    tokens = random_tokens(9, 50)
    return (distributions(model, tokens) - distributions(other, tokens)).abs().max().item()


CASES = [
    *((name, kind) for name in ("shuttle", "grouped", "untied") for kind in ADAPTERS),
    *((name, "all-linear") for name in FAMILIES),
]


@pytest.mark.parametrize(("name", "kind"), CASES)
@torch.no_grad()
def test_an_adapter_of_peft(base_models, tmp_path, name, kind, within):
    base = base_models[name]
    adapter = make_adapter(base, tmp_path / "adapter", spread=0.2, **ADAPTERS[kind])
    model = load_adapter(base, adapter)
    assert change(model, load_base(base)) > 0.1
    check_scores(base, adapter, model, within)
    if kind == "all-linear":
        check_samples(base, adapter, model, within)


@pytest.mark.parametrize("name", ["shuttle", "grouped", "untied", *FAMILIES])
@torch.no_grad()
def test_an_adapter_of_the_engine(base_models, tmp_path, name, within):
    base, adapter = base_models[name], tmp_path / "trained"
    data = {
        "kind": "sft",
        "examples": [{"messages": chat} for chat in CHATS],
        "config": {"batch_size": 1, "learning_rate": 1e-3},
    }
    # So that what it learned shows.
    train(base, [{"from": None, "to": adapter, "data": data, "shape": {"alpha": 512}}])
    model = load_adapter(base, adapter)
    assert change(model, load_base(base)) > 0.1
    check_scores(base, adapter, model, within)
    check_samples(base, adapter, model, within)
    check_scores(base, adapter, model.merge_and_unload(), within)


@torch.no_grad()
def test_an_adapter_of_peft_that_the_engine_trained_on(base_models, tmp_path, within):
    """The layers that it left alone stay as they were."""
    base = base_models["grouped"]
    made = make_adapter(base, tmp_path / "made", **ADAPTERS["one layer"])
    data = {"kind": "sft", "examples": [{"messages": CHATS[0]}], "config": {"learning_rate": 1e-2}}
    train(base, [{"from": made, "to": tmp_path / "trained", "data": data}])
    before, after = load_adapter(base, made), load_adapter(base, tmp_path / "trained")
    assert change(before, after) > 0.1
    check_scores(base, tmp_path / "trained", after, within)
