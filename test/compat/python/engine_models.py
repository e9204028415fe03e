"""Base models and adapters, made and computed by transformers and PEFT."""

import shutil
from pathlib import Path

import peft
import torch
import transformers

# The models are too small to gain from more, and tests share the machine with the engine's own threads.
torch.set_num_threads(1)
transformers.utils.logging.disable_progress_bar()

SHUTTLE = Path(__file__).parents[3] / "libs" / "engine" / "base-models" / "shuttle"
CONTEXT = 1024
END = 257

_SHAPES = {
    # Query heads share keys and values, the head is the embedding, the vocabulary is larger than the tokenizer's.
    "grouped": dict(
        vocab_size=272,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=8,
        num_key_value_heads=2,
        intermediate_size=172,
        rope_theta=500_000.0,
        rms_norm_eps=1e-5,
        tie_word_embeddings=True,
    ),
    # Heads are wider together than the model.
    "untied": dict(
        vocab_size=264,
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=3,
        num_key_value_heads=3,
        head_dim=24,
        intermediate_size=100,
        rope_theta=10_000.0,
        rms_norm_eps=1e-6,
        tie_word_embeddings=False,
    ),
}
RANDOM_MODELS = [f"{shape}{storage}" for shape in _SHAPES for storage in ("", "-bf16", "-sharded")]
MODELS = ["shuttle", *RANDOM_MODELS]


def make_models(folder: Path) -> dict[str, Path]:
    """Directories by the names of MODELS: the one that ships, and random ones as transformers saves them."""
    directories = {"shuttle": SHUTTLE}
    for seed, (name, shape) in enumerate(_SHAPES.items()):
        model = _random_model(shape, seed)
        # In this order: what was rounded to bfloat16 is no more what it was.
        for storage, options in (("", {}), ("-sharded", {"max_shard_size": "60KB"}), ("-bf16", {})):
            directory = directories[f"{name}{storage}"] = folder / f"{name}{storage}"
            saved = model.to(torch.bfloat16) if storage == "-bf16" else model
            saved.save_pretrained(directory, **options)
            for file in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
                shutil.copy(SHUTTLE / file, directory)
    return directories


def load_base(directory: Path) -> transformers.LlamaForCausalLM:
    return transformers.LlamaForCausalLM.from_pretrained(directory, dtype=torch.float32).eval()


def make_adapter(base: Path, directory: Path, *, seed: int = 5, spread: float = 0.05, **lora) -> Path:
    """A PEFT adapter that changes something: a fresh one has no B."""
    torch.manual_seed(seed)
    model = peft.get_peft_model(load_base(base), peft.LoraConfig(task_type="CAUSAL_LM", **lora))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_B" in name:
                parameter.normal_(0, spread)
    model.save_pretrained(directory)
    return directory


def load_adapter(base: Path, adapter: Path, trainable: bool = False) -> peft.PeftModel:
    return peft.PeftModel.from_pretrained(load_base(base), adapter, is_trainable=trainable)


def distributions(model, tokens: list[int]) -> torch.Tensor:
    """Log probabilities of the whole vocabulary, [tokens - 1, vocabulary]: row i is about token i + 1."""
    return model(input_ids=torch.tensor([tokens])).logits[0, :-1].log_softmax(-1)


def token_logprobs(model, tokens: list[int]) -> torch.Tensor:
    """Of every token but the first."""
    return distributions(model, tokens).gather(1, torch.tensor(tokens[1:])[:, None])[:, 0]


def _random_model(shape: dict, seed: int) -> transformers.LlamaForCausalLM:
    torch.manual_seed(seed)
    config = transformers.LlamaConfig(
        **shape, max_position_embeddings=CONTEXT, initializer_range=0.2, bos_token_id=None, eos_token_id=END
    )
    model = transformers.LlamaForCausalLM(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.uniform_(0.5, 1.5)
    return model
