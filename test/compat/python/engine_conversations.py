"""Random texts and conversations, and chat templates that use what templates use."""

import random
import unicodedata

MARKED = """{%- for message in messages %}
    {%- if message.role == 'assistant' %}
<|im_start|>assistant
{% generation %}
{{ message.content }}<|im_end|>
{% endgeneration %}
    {%- else %}
{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
<|im_start|>assistant
{% endif %}"""
CLOSE = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' }}{% if m['role'] == 'assistant' %}"
    "{%- generation -%}  {{ m['content'] + '<|im_end|>' }}  {%- endgeneration -%}{% else %}"
    "{{ m['content'] + '<|im_end|>' }}{% endif %}{{ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
ODD = """{{ bos_token }}{{ strftime_now('%Y') | length }}{% set ns = namespace(n=0) %}{% for m in messages %}
{%- set ns.n = ns.n + 1 %}[{{ ns.n }}|{{ m.role | upper }}] {{ m.content | trim }}{% if m.tool_calls is defined %}
{{- m.tool_calls | tojson }}{{ m.tool_calls | tojson(indent=2) }}{% endif %}{% if loop.last %}!{% endif %}
{% endfor %}{% if tools %}{% for t in tools %}{{ t | tojson(indent=4) }}{% endfor %}{% endif %}{{ eos_token }}
{%- for i in range(1, 7, 2) %}{{ i }}{% endfor %}"""

_CITY = {"city": {"type": "string", "enum": ["a", "b"]}, "n": {"type": "number", "default": 1.5}}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "The weather <now> & é",
            "parameters": {"type": "object", "properties": _CITY, "required": ["city"]},
        },
    },
    {"type": "function", "function": {"name": "f", "parameters": {}}},
]

_CONTENTS = [
    *("hi", "", "What is 2+2?", "naïve café 東京 😀", " leading", "trailing \n", "a\n\nb", "\n\nstarts"),
    *("<|im_end|> inside", "<tool_call>", '"quoted" \\ {{ x }} {% if %}', "<b>&amp;'</b>"),
]
_VALUES = [1, -5, 2.5, True, False, None, "x", "é\u2028\"\\\n<>&'", 12345678901, {}, []]
_PIECES = [
    *("the", "fox", "foxes are", " word", "word ", "don't", "I'LL", "we'Ve", "'ſ", "ing", "ed", "aaaaaaaaaaaaaaaa"),
    *("12", "345", "²½Ⅷ", "٣٤", "é", "e\u0301", "e\u0301x", "n\u0303", "Å", "ﬁ", "İ", "ß", "Σς"),
    *("東京", "안녕", "한", "नमस्ते", "مرحبا"),
    *("\u00a0", "\u0085", "\ufeff", "\u200b", "\u200d", "\u3000", "\u2028", "\x00", "\x7f", "😀", "👩‍👩‍👧", "🇩🇪"),
    *(" ", "  ", "   ", "\t", "\n", "\r\n", "\n\n", " \n "),
    *(".", "...", "?!", '{"a": 1}', "$&", "$1", "\\", "Ġ", "Ċ", "▁", "▁▁", "_"),
    *("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|im_", "end|>", "<tool_call>", "</tool_call>"),
    *("<s>", "</s>", "<unk>", "<0x0A>", "<l>", "<r>"),
]
# What has been assigned since Unicode 3.2: what is newer is no letter yet to some regular expressions.
_UNICODE = unicodedata.ucd_3_2_0
_CHARACTERS = [code for code in range(0x20, 0x30000) if _UNICODE.category(chr(code)) not in ("Cn", "Cs", "Co")]


def random_text(source: random.Random) -> str:
    parts = []
    for _ in range(source.randint(0, 12)):
        kind = source.random()
        if kind < 0.75:
            parts.append(source.choice(_PIECES))
        elif kind < 0.9:
            parts += [chr(source.choice(_CHARACTERS)) for _ in range(source.randint(1, 4))]
        else:
            parts += [" ", *source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(1, 12))]
    return "".join(parts)


def random_conversation(source: random.Random) -> list[dict]:
    messages = []
    if source.random() < 0.5:
        messages.append({"role": "system", "content": source.choice(_CONTENTS)})
    for _ in range(source.randint(1, 3)):
        messages.append({"role": "user", "content": source.choice(_CONTENTS)})
        if source.random() < 0.3:
            calls = [_call(source, i) for i in range(source.randint(1, 2))]
            messages.append({"role": "assistant", "content": source.choice(["", "Let me see."]), "tool_calls": calls})
            messages += [
                {"role": "tool", "tool_call_id": call["id"], "content": source.choice(_CONTENTS)} for call in calls
            ]
        messages.append({"role": "assistant", "content": source.choice(_CONTENTS)})
    return messages[: -1 if source.random() < 0.4 else None]


def _call(source: random.Random, index: int) -> dict:
    arguments = {"a": _value(source), "é": _value(source)}
    return {
        "type": "function",
        "id": f"c{index}",
        "function": {"name": source.choice(["f", "weather"]), "arguments": arguments},
    }


def _value(source: random.Random, depth: int = 0):
    if depth == 2 or source.random() < 0.8:
        return source.choice(_VALUES)
    inner = [_value(source, depth + 1) for _ in range(2)]
    return source.choice([inner, dict(zip(("k", "é"), inner, strict=True))])
