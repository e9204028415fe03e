"""Small tokenizers of the kinds that models of the Llama family have, trained by the tokenizers library."""

import json
import random
from pathlib import Path

import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SPECIAL = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"]
_WORDS = (
    "the quick brown fox jumps over lazy dog Straße naïve café 東京 こんにちは привет мир 안녕하세요 😀 👩‍👩‍👧 don't I'll "
    'we\'ve 1234 56 7 3.14 hello world <tag> {json} "quoted" foo_bar snake CamelCase\n\n\t'
).split(" ")
_QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_LLAMA3 = _QWEN.replace(r"\p{N}|", r"\p{N}{1,3}|", 1)
_SENTENCEPIECE_NAMES = dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="</s>")


# As transformers' classes of the families write them, which don't keep all of the file that they read.
_SAVED = {
    "saved-llama": ("llama2", transformers.LlamaTokenizer),
    "saved-qwen2": ("qwen2", transformers.Qwen2Tokenizer),
    "saved-gpt2": ("smollm", transformers.GPT2Tokenizer),
}


def make_tokenizers(folder: Path) -> dict[str, Path]:
    """Their directories by name; what begins with `refused` is not for this engine."""
    corpus = _corpus()
    directories = {}
    for name, (tokenizer, names) in _all_kinds(corpus).items():
        directory = directories[name] = folder / name
        directory.mkdir()
        tokenizer.save(str(directory / "tokenizer.json"))
        config = dict(
            tokenizer_class="PreTrainedTokenizerFast",
            clean_up_tokenization_spaces=False,
            eos_token="<|im_end|>",
            pad_token="<|endoftext|>",
            chat_template="{% for message in messages %}{{ message.content }}{% endfor %}",
        )
        (directory / "tokenizer_config.json").write_text(json.dumps(config | names))
    for name, (kind, made) in _SAVED.items():
        directories[name] = folder / name
        made.from_pretrained(directories[kind]).save_pretrained(directories[name])
    return directories


def _all_kinds(corpus: list[str]) -> dict[str, tuple[Tokenizer, dict]]:
    gpt2 = pre_tokenizers.ByteLevel(add_prefix_space=False)
    metaspace = pre_tokenizers.Metaspace("▁", "first", split=True)
    whole = pre_tokenizers.Metaspace("▁", "always", split=False)
    mark_spaces = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    names = _SENTENCEPIECE_NAMES
    return {
        "gpt2": (_byte_level(corpus, gpt2), {}),
        "gpt2-prefix": (_byte_level(corpus, pre_tokenizers.ByteLevel(add_prefix_space=True)), {}),
        "qwen2": (_byte_level(corpus, _split(_QWEN), normalizers.NFC()), {}),
        "llama3": (_changed(_byte_level(corpus, _split(_LLAMA3)), model=dict(ignore_merges=True)), {}),
        "smollm": (_byte_level(corpus, pre_tokenizers.Sequence([pre_tokenizers.Digits(True), gpt2])), {}),
        "llama2": (_as_llama2(_sentencepiece(corpus, pre_tokenizers.Metaspace("▁", "always")), mark_spaces), names),
        "joining-words": (_sentencepiece(corpus, normalizer=mark_spaces), names),
        "metaspace": (_sentencepiece(corpus, metaspace), names),
        "metaspace-whole": (_sentencepiece(corpus, whole), names),
        "unknown": (_sentencepiece(corpus, normalizer=mark_spaces, byte_fallback=False), names),
        "added": (_with_added_tokens(_byte_level(corpus, _split(_QWEN), normalizers.NFC())), {}),
        "refused-unigram": (_unigram(corpus), dict(eos_token="<unk>", pad_token="<unk>")),
        "refused-lowercase": (_byte_level(corpus, gpt2, normalizers.Lowercase()), {}),
        "refused-punctuation": (_byte_level(corpus, pre_tokenizers.Sequence([pre_tokenizers.Punctuation(), gpt2])), {}),
    }


def _corpus() -> list[str]:
    source = random.Random(7)
    endings, breaks = ["", "", ",", ".", "!", "s", "ing", "ed"], ["", "\n", "  ", "\r\n\r\n"]
    return [
        " ".join(source.choice(_WORDS) + source.choice(endings) for _ in range(source.randint(1, 30)))
        + source.choice(breaks)
        for _ in range(1500)
    ]


def _split(pattern: str):
    return pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    )


def _byte_level(corpus, pre_tokenizer, normalizer=None) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizer, decoders.ByteLevel()
    if normalizer:
        tokenizer.normalizer = normalizer
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1500, show_progress=False, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(corpus, trainer)
    return _with_chat_tokens(tokenizer)


def _sentencepiece(corpus, pre_tokenizer=None, normalizer=None, byte_fallback=True) -> Tokenizer:
    """BPE as SentencePiece has it: spaces are ▁, and bytes stand for characters that are not known."""
    names = ["<unk>", "<s>", "</s>"]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=byte_fallback))
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    trained_as_special = names + ([f"<0x{byte:02X}>" for byte in range(256)] if byte_fallback else [])
    trainer = trainers.BpeTrainer(
        vocab_size=1800, show_progress=False, special_tokens=trained_as_special, limit_alphabet=60
    )
    tokenizer.train_from_iterator([line.replace("\n", " ") for line in corpus], trainer)
    description = json.loads(tokenizer.to_str())
    added = [token for token in description["added_tokens"] if token["content"] in names]
    tokenizer = _changed(tokenizer, added_tokens=added, model=dict(byte_fallback=byte_fallback))
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    return _with_chat_tokens(tokenizer)


def _as_llama2(tokenizer: Tokenizer, normalizer) -> Tokenizer:
    """Trained word by word, so that no piece joins words, but used without a pre-tokenizer."""
    return _changed(tokenizer, pre_tokenizer=None, normalizer=json.loads(normalizer.__getstate__()))


def _unigram(corpus) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    trainer = trainers.UnigramTrainer(vocab_size=400, show_progress=False, special_tokens=["<unk>"], unk_token="<unk>")
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    tokenizer.train_from_iterator(corpus[:300], trainer)
    return tokenizer


def _with_chat_tokens(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.add_special_tokens([AddedToken(name, normalized=False, special=True) for name in SPECIAL])
    tokenizer.add_tokens([AddedToken(name, normalized=False) for name in ("<tool_call>", "</tool_call>")])
    return tokenizer


def _with_added_tokens(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.add_tokens(
        [
            AddedToken("word", single_word=True, normalized=False),
            AddedToken("<l>", lstrip=True, normalized=False),
            AddedToken("<r>", rstrip=True, normalized=False),
            AddedToken("fox", normalized=True),
            AddedToken("foxes are", normalized=False),
            AddedToken("éx", normalized=True),
        ]
    )
    return tokenizer


def _changed(tokenizer: Tokenizer, model: dict | None = None, **fields) -> Tokenizer:
    """The same with other fields in its tokenizer.json."""
    description = json.loads(tokenizer.to_str()) | fields
    description["model"] |= model or {}
    return Tokenizer.from_str(json.dumps(description))
