"""Sections 4 and 5 of the training API's contract in torch, written from its formulas alone."""

from dataclasses import dataclass

import torch
from engine_trajectories import Sequence, Trajectory


@dataclass
class Trained(Sequence):
    """A sequence with the advantage and the weight of each of its targets."""

    advantage: float = 0.0
    weight: float = 0.0


def trained_sequences(groups: list[list[Trajectory]], config: dict) -> list[Trained]:
    """The sequences that a job learns from."""
    trained = []
    for group in groups:
        rewards = torch.tensor([trajectory.reward for trajectory in group], dtype=torch.float64)
        advantages = rewards - rewards.mean()
        if config.get("scale_rewards", True):
            advantages /= rewards.std(correction=0) + 1e-6
        for trajectory, advantage in zip(group, advantages.tolist(), strict=True):
            count = sum(len(sequence.targets) for sequence in trajectory.sequences)
            if abs(advantage) > 1e-9:
                trained += [Trained(**vars(one), advantage=advantage, weight=1 / count) for one in trajectory.sequences]

    lengths = torch.tensor([len(one.targets) for one in trained])
    advantages, weights = (
        torch.tensor([getattr(one, name) for one in trained], dtype=torch.float64).repeat_interleave(lengths)
        for name in ("advantage", "weight")
    )
    weights = weights / weights.mean()
    balance = config.get("advantage_balance", 0)
    if balance > 0:
        advantages = torch.where(advantages < 0, advantages * (1 - balance), advantages)
    if balance < 0:
        advantages = torch.where(advantages > 0, advantages * (1 + balance), advantages)
    advantages = advantages / (advantages.abs() * weights).mean()
    for one, last in zip(trained, lengths.cumsum(0) - 1, strict=True):
        one.advantage, one.weight = advantages[last].item(), weights[last].item()
    return trained


def rl_loss(row: list[Trained], logprobs: list[torch.Tensor], config: dict) -> torch.Tensor:
    """Loss of a row; `logprobs` are those of the targets of each of its sequences."""
    ppo = config.get("loss_fn") == "ppo" or config.get("ppo", False)
    epsilon = config.get("epsilon", 0.2 if ppo else 1.0)
    epsilon_high = config.get("epsilon_high", epsilon if ppo else 4.0)
    total, count = torch.zeros(()), 0
    for one, new in zip(row, logprobs, strict=True):
        known = torch.tensor([float("nan") if old is None else old for old in one.old])
        if config.get("precalculate_logprobs"):
            known = new.detach()
        # A ratio of 1 that follows the new log probability, as in ART.
        old = torch.where(known.isnan(), new.detach(), known)
        d = new - old
        ratio = _ratio(d, config.get("importance_sampling_level", "token"))
        bound = config.get("max_negative_advantage_importance_sampling_weight")
        if bound is not None:
            ratio = ratio.clamp(max=bound)
        if config.get("mask_prob_ratio"):
            ratio = torch.where((ratio > 1 - epsilon) & (ratio < 1 + epsilon_high), ratio, 0.0)
        advantage = one.advantage - config.get("kimi_k2_tau", 0) * d.detach()
        clipped = ratio.clamp(1 - epsilon, 1 + epsilon_high)
        if ppo:
            terms = torch.minimum(ratio * advantage, clipped * advantage)
        else:
            terms = clipped.detach() * advantage * new
        total = total - (one.weight * terms).sum()
        count += len(new)
    return total / count


def sft_loss(logprobs: list[torch.Tensor]) -> torch.Tensor:
    """Mean over all targets of a batch."""
    return -torch.cat(logprobs).mean()


def _ratio(d: torch.Tensor, level: str) -> torch.Tensor:
    sequence = d.mean().exp()
    return {
        "token": d.exp(),
        "sequence": sequence.expand_as(d),
        "average": (d.exp() + sequence) / 2,
        "geometric_average": (d.exp() * sequence).sqrt(),
    }[level]
