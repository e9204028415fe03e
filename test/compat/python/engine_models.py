"""Base models and adapters, made and computed by transformers and PEFT."""

import copy
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

_GROUPED = dict(
    vocab_size=272,
    hidden_size=64,
    num_hidden_layers=2,
    num_attention_heads=8,
    num_key_value_heads=2,
    intermediate_size=172,
    rms_norm_eps=1e-5,
    tie_word_embeddings=True,
)
_UNTIED = dict(
    vocab_size=264,
    hidden_size=48,
    num_hidden_layers=3,
    num_attention_heads=3,
    num_key_value_heads=3,
    intermediate_size=100,
    rms_norm_eps=1e-6,
    tie_word_embeddings=False,
)
# Its frequencies are of all three kinds: kept, lowered, and in between.
_LLAMA3 = dict(
    rope_type="llama3",
    rope_theta=500_000.0,
    factor=8.0,
    low_freq_factor=1.0,
    high_freq_factor=4.0,
    original_max_position_embeddings=256,
)
_SHAPES = {
    # Query heads share keys and values, the head is the embedding, the vocabulary is larger than the tokenizer's.
    "grouped": transformers.LlamaConfig(**_GROUPED, rope_theta=500_000.0),
    # Heads are wider together than the model.
    "untied": transformers.LlamaConfig(**_UNTIED, head_dim=24, rope_theta=10_000.0),
    "llama3": transformers.LlamaConfig(**_GROUPED, rope_parameters=_LLAMA3),
    "biased": transformers.LlamaConfig(
        **_UNTIED,
        attention_bias=True,
        mlp_bias=True,
        rope_parameters=dict(rope_type="linear", rope_theta=10_000.0, factor=2.5),
    ),
    # As the models of the family do, it names a window that it doesn't use.
    "qwen2": transformers.Qwen2Config(**_GROUPED, rope_theta=1e6, sliding_window=512, use_sliding_window=False),
    "qwen2-untied": transformers.Qwen2Config(**_UNTIED, rope_theta=1e6),
    "qwen3": transformers.Qwen3Config(**_UNTIED, head_dim=24, rope_theta=1e6),
    "qwen3-tied": transformers.Qwen3Config(**_GROUPED, head_dim=8, rope_theta=1e6),
}
_STORAGES = {"": {}, "-sharded": {"max_shard_size": "60KB"}, "-bf16": {}, "-f16": {}}
_DTYPES = {"-bf16": torch.bfloat16, "-f16": torch.float16}
# One of each family in every storage; what differs in little from those once.
_STORED_EVERY_WAY = ("grouped", "untied", "qwen2", "qwen3")
RANDOM_MODELS = [
    f"{shape}{storage}" for shape in _SHAPES for storage in (_STORAGES if shape in _STORED_EVERY_WAY else [""])
]
MODELS = ["shuttle", *RANDOM_MODELS]


def make_models(folder: Path) -> dict[str, Path]:
    """Directories by the names of MODELS: the one that ships, and random ones as transformers saves them."""
    directories = {"shuttle": SHUTTLE}
    for seed, (shape, config) in enumerate(_SHAPES.items()):
        model = _random_model(config, seed)
        for storage, options in _STORAGES.items():
            if (name := f"{shape}{storage}") not in RANDOM_MODELS:
                continue
            directory = directories[name] = folder / name
            saved = copy.deepcopy(model).to(_DTYPES.get(storage, torch.float32))
            saved.save_pretrained(directory, **options)
            for file in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
                shutil.copy(SHUTTLE / file, directory)
    return directories


def load_base(directory: Path) -> transformers.PreTrainedModel:
    return transformers.AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32).eval()


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


def _random_model(config: transformers.PretrainedConfig, seed: int) -> transformers.PreTrainedModel:
    torch.manual_seed(seed)
    config.update(dict(max_position_embeddings=CONTEXT, initializer_range=0.2, bos_token_id=None, eos_token_id=END))
    model = transformers.AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.uniform_(0.5, 1.5)
            elif name.endswith("bias"):
                parameter.normal_(0, 0.5)
    return model
