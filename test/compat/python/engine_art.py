"""The formulas of OpenPipe ART: only the files that hold them are loaded, since its packages' own `__init__` need all
that training on a GPU needs."""

import sys
from dataclasses import dataclass
from enum import IntFlag
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType, SimpleNamespace

import torch


def folder() -> Path | None:
    try:
        return Path(distribution("openpipe-art").locate_file("art"))
    except PackageNotFoundError:
        return None


@dataclass
class Art:
    loss_fn: object
    loss_inputs: type
    tokenize: object
    pack: object
    choice: type

    def sequences(self, job: dict) -> list[dict]:
        """Tokens, targets, advantage and weight of each sequence of a job."""

        def history(items):
            return [self.choice.model_validate(item) if "index" in item else item for item in items]

        groups = [
            [
                SimpleNamespace(
                    reward=one["reward"],
                    messages_and_choices=history(one["messages_and_choices"]),
                    exchanges=None,
                    tools=None,
                    additional_histories=[],
                )
                for one in group["trajectories"]
            ]
            for group in job["groups"]
        ]
        scale, balance = job["config"]["scale_rewards"], job["config"]["advantage_balance"]
        model = SimpleNamespace(name_or_path="")
        results = list(self.tokenize(model, groups, False, scale, shuffle_group_trajectories=False))
        if not results:
            return []
        # One sequence a row, so that each can be found again.
        options = dict(pad_token_id=0, truncate_long_results=False, advantage_balance=balance, pack_results=False)
        packed = self.pack(results, 4096, **options)
        found = []
        for row, tokens in enumerate(packed["tokens"]):
            targets = packed["assistant_mask"][row].nonzero()[:, 0].tolist()
            length = int((packed["group_ids"][row] >= 0).sum())
            found.append(
                {
                    "tokens": tokens[:length].tolist(),
                    "targets": targets,
                    "advantage": packed["advantages"][row][targets[0]].item(),
                    "weight": packed["weights"][row][targets[0]].item(),
                }
            )
        return found

    def loss(self, row: dict) -> dict:
        """Loss of a row and its gradient by each log probability."""
        branches = row["branches"]

        def flat(key):
            # What crosses the wire is float32.
            values = [float("nan") if value is None else value for branch in branches for value in branch[key]]
            return torch.tensor([values], dtype=torch.float32).double()

        def each(values):
            return torch.tensor(
                [[value for value, one in zip(values, branches, strict=True) for _ in one["now"]]], dtype=torch.float64
            )

        now = flat("now").requires_grad_()
        inputs = self.loss_inputs(
            assistant_mask=torch.ones_like(now, dtype=torch.bool),
            old_logprobs=flat("old"),
            advantages=each([branch["advantage"] for branch in branches]),
            weights=each([branch["weight"] for branch in branches]),
            group_ids=each(range(1, len(branches) + 1)).long(),
            original_logprobs=flat("sampler") if branches[0]["sampler"] else None,
        )
        config = {name: value for name, value in row["config"].items() if name != "loss_fn"}
        config["ppo"] = row["config"]["loss_fn"] == "ppo"
        reference = flat("reference") if "kl_penalty_coef" in config else None
        loss = self.loss_fn(inputs, now, reference, None, config)
        loss.policy_loss.backward()
        return {
            "loss": loss.policy_loss.item(),
            "gradient": now.grad[0].tolist(),
            "clipped": loss.offpolicy_diagnostics.clipped_count.item(),
            "ratio": loss.offpolicy_diagnostics.ratio_sum.item(),
            "meanKl": None if loss.kl_policy_ref is None else loss.kl_policy_ref.item(),
        }


def load(art: Path) -> Art:
    nothing = type("Nothing", (), {})

    def package(name: str, path: Path | None = None, **names) -> ModuleType:
        module = sys.modules[name] = ModuleType(name)
        module.__dict__.update(names)
        if path:
            module.__path__ = [str(path)]
        return module

    root = package("art", art)
    root.dev = package("art.dev", TrainConfig=dict)
    for name in ("preprocessing", "megatron", "utils"):
        package(f"art.{name}", art / name)
    package("art.openai", ART_MOE_ROUTING_METADATA_KEY="unused")
    exchanges = "ChatCompletionsExchange ChatCompletionsHistory ChatCompletionsMessageSource"
    unused = {name: nothing for name in (*exchanges.split(), "Trajectory", "TrajectoryGroup", "_FirstOccurrenceTrie")}
    flags = IntFlag("TokenFlag", "EXACT SAMPLED")
    package(
        "art.trajectories",
        art / "trajectories",
        TokenFlag=flags,
        get_messages=None,
        LegacyHistory=SimpleNamespace,
        **unused,
    )
    package("art.trajectories._selection", ModelSelector=nothing, resolve_training_model=None)
    package("art.types", MessagesAndChoices=nothing, Verbosity=int)
    template = (
        "TOOL_CALL_ARGUMENTS_AS_MAPPING_ATTR default_chat_template_kwargs_for_tokenizer merge_chat_template_kwargs "
        "normalize_tool_call_arguments_for_chat_template"
    )
    package("art.utils.chat_template", **dict.fromkeys(template.split()))

    from art.loss import AlignedLossInputs, loss_fn
    from art.preprocessing.pack import packed_tensors_from_tokenized_results
    from art.preprocessing.tokenize import tokenize_trajectory_groups
    from openai.types.chat.chat_completion import Choice

    return Art(loss_fn, AlignedLossInputs, tokenize_trajectory_groups, packed_tensors_from_tokenized_results, Choice)
