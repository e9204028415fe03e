"""Trajectories as clients send them, and what of them is trained on."""

import random
from dataclasses import dataclass, field


@dataclass
class Sequence:
    """Tokens, which of them were sampled, and with what log probability (None: not known)."""

    tokens: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    old: list[float | None] = field(default_factory=list)


@dataclass
class Trajectory:
    reward: float
    sequences: list[Sequence]


class RandomGroups:
    """Groups of trajectories with random tokens; `score` gives log probabilities, from which the old ones stray."""

    def __init__(self, score, seed: int, *, strays_by: float = 0.4, unknown: float = 0.1):
        self.score = score
        self.random = random.Random(seed)
        self.strays_by = strays_by
        self.unknown = unknown

    def several(self) -> list[list[Trajectory]]:
        """All that a job may hold: shared prompts, several turns and histories, and groups that teach nothing."""
        prompt = self.tokens(20)
        shared = [
            Trajectory(r, [self.sequence([(prompt, n)])])
            for r, n in ((0.0, 3), (1.0, 9), (0.5, 4), (0.4, 15), (0.6, 1))
        ]
        equal = [Trajectory(0.25, [self.sequence([(self.tokens(4), 5)])]) for _ in range(3)]
        start = self.tokens(6)
        turns = [
            Trajectory(2.0, [self.sequence([(start + self.tokens(3), 6), (self.tokens(4), 5), (self.tokens(1), 2)])]),
            Trajectory(-1.0, [self.sequence([(start, 4)]), self.sequence([(self.tokens(12), 7)])]),
            Trajectory(
                0.3, [self.sequence([(start + self.tokens(2), 8)]), self.sequence([(start, 3), (self.tokens(2), 3)])]
            ),
        ]
        alone = [Trajectory(1.0, [self.sequence([(self.tokens(5), 5)])])]
        return [shared, equal, turns, alone]

    def sequence(self, spans: list[tuple[list[int], int]]) -> Sequence:
        """Of (tokens that were given, number of tokens that were sampled after them)."""
        found = Sequence()
        for given, sampled in spans:
            found.tokens += given
            found.targets += range(len(found.tokens), len(found.tokens) + sampled)
            found.tokens += self.tokens(sampled)
        scores = self.score(found.tokens)
        found.old = [self.stray(scores[target - 1]) for target in found.targets]
        return found

    def stray(self, logprob: float) -> float | None:
        return None if self.random.random() < self.unknown else logprob + self.random.gauss(0, self.strays_by)

    def tokens(self, count: int) -> list[int]:
        return [self.random.randrange(256) for _ in range(count)]


def wire_groups(groups: list[list[Trajectory]]) -> list[dict]:
    return [{"trajectories": [_wire_trajectory(one) for one in group], "exceptions": 0} for group in groups]


def _wire_trajectory(trajectory: Trajectory) -> dict:
    first, *others = [_wire_history(sequence) for sequence in trajectory.sequences]
    return {"reward": trajectory.reward, **first, "additional_histories": others}


def _wire_history(sequence: Sequence) -> dict:
    """One choice for each run of sampled tokens; each one's prompt is all that came before."""
    items: list[dict] = []
    runs: list[list[int]] = []
    for target in sequence.targets:
        if runs and runs[-1][-1] == target - 1:
            runs[-1].append(target)
        else:
            runs.append([target])
    old = iter(sequence.old)
    for run in runs:
        tokens = [sequence.tokens[target] for target in run]
        content = [{"token": f"token_id:{token}", "logprob": next(old)} for token in tokens]
        items.append({"role": "user", "content": "what was asked"})
        items.append(
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "what was answered"},
                "logprobs": {"content": content},
                "prompt_token_ids": sequence.tokens[: run[0]],
                "token_ids": tokens,
            }
        )
    return {"messages_and_choices": items}
