"""A training job in torch, and what one leaves in the engine's files."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from engine_models import token_logprobs
from engine_trajectories import Sequence
from safetensors import safe_open
from safetensors.torch import load_file

Tensors = dict[str, torch.Tensor]

BETAS = (0.9, 0.99)
# Sections 4 and 5 of the training API's contract.
MAX_NORM = {"rl": 0.1, "sft": 1.0}
WEIGHT_DECAY = {"rl": 0.1, "sft": 0.0}


@dataclass
class Learned:
    """An adapter and the state of its optimiser, by the engine's names."""

    weights: Tensors
    first: Tensors
    second: Tensors
    steps: int


def read_learned(directory: Path) -> Learned:
    state = load_file(directory / "optimizer.safetensors")
    first, second = (
        {name.removesuffix(f".{which}"): tensor for name, tensor in state.items() if name.endswith(f".{which}")}
        for which in ("first", "second")
    )
    weights = load_file(directory / "adapter_model.safetensors")
    with safe_open(directory / "optimizer.safetensors", "pt") as file:
        steps = int(file.metadata()["step"])
    return Learned({_key(name): tensor for name, tensor in weights.items()}, first, second, steps)


def gradient_of_first_step(directory: Path, norm: float, kind: str) -> Tensors:
    """The gradient before it was clipped: the first step leaves a share of it as its first moment."""
    share = (1 - BETAS[0]) * min(1, MAX_NORM[kind] / (norm + 1e-6))
    return {key: moment / share for key, moment in read_learned(directory).first.items()}


def gradient(model, loss: torch.Tensor) -> Tensors:
    model.zero_grad()
    loss.backward()
    return {key: parameter.grad for key, parameter in _trainable(model).items()}


def learn(
    model, losses: list[Callable[[], torch.Tensor]], rates: list[float], kind: str
) -> Iterator[tuple[float, Learned]]:
    """Steps of torch's own AdamW: the norm before clipping, and what is learned after the step."""
    parameters = _trainable(model)
    optimizer = torch.optim.AdamW(parameters.values(), betas=BETAS, eps=1e-8, weight_decay=WEIGHT_DECAY[kind])
    for steps, (loss, rate) in enumerate(zip(losses, rates, strict=True), start=1):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss().backward()
        norm = torch.nn.utils.clip_grad_norm_(parameters.values(), MAX_NORM[kind]).item()
        optimizer.step()
        first, second = (
            {key: optimizer.state[parameter][name].clone() for key, parameter in parameters.items()}
            for name in ("exp_avg", "exp_avg_sq")
        )
        yield norm, Learned(trainable_weights(model), first, second, steps)


def trainable_weights(model) -> Tensors:
    return {key: parameter.detach().clone() for key, parameter in _trainable(model).items()}


def target_logprobs(model, row: list[Sequence]) -> list[torch.Tensor]:
    return [token_logprobs(model, one.tokens)[torch.tensor(one.targets) - 1] for one in row]


def relative_difference(found: Tensors, expected: Tensors) -> float:
    """The greatest over all tensors, each by its norm."""
    assert found.keys() == expected.keys()
    return max(((found[key] - expected[key]).norm() / expected[key].norm()).item() for key in expected)


def _trainable(model) -> dict[str, torch.nn.Parameter]:
    return {_key(name): parameter for name, parameter in model.named_parameters() if parameter.requires_grad}


def _key(name: str) -> str:
    """PEFT's name of a tensor, in a file or in a model, as optimizer.safetensors has it."""
    name = name.removeprefix("base_model.model.model.layers.").removesuffix(".weight").removesuffix(".default")
    return name.replace("lora_", "")
