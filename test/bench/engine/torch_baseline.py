"""Usage: python torch_baseline.py MODEL THREADS   The work of measure-model.mjs in PyTorch: a line of JSON names it, a line answers."""

import json
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

directory, threads = sys.argv[1:]
torch.set_num_threads(int(threads))
base = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32)
model = get_peft_model(base, LoraConfig(r=8, lora_alpha=128, target_modules="all-linear", task_type="CAUSAL_LM"))


def training(batch: int, length: int, steps: int) -> float:
    model.train()
    optimizer = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad], lr=1e-4, betas=(0.9, 0.99), weight_decay=0.1
    )
    tokens = torch.randint(97, 123, (batch, length))
    old = torch.full((batch, length - 1), -1.0)
    advantages = torch.ones(batch, 1)
    advantages[::2] = -1
    best = 0.0
    for _ in range(steps):
        start = time.perf_counter()
        logits = model(tokens).logits[:, :-1]
        logprobs = torch.log_softmax(logits, -1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
        ratio = torch.exp(logprobs - old).detach().clamp(0, 5)
        loss = -(ratio * advantages * logprobs).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        optimizer.zero_grad()
        best = max(best, batch * length / (time.perf_counter() - start))
    return best


def sampling(streams: int, tokens: int) -> float:
    prompt = torch.arange(32).remainder(26).add(97).repeat(streams, 1)
    model.eval()
    with torch.inference_mode():
        start = time.perf_counter()
        model.generate(
            input_ids=prompt,
            attention_mask=torch.ones_like(prompt),
            do_sample=True,
            temperature=1.0,
            top_k=0,
            min_new_tokens=tokens,
            max_new_tokens=tokens,
            pad_token_id=0,
        )
        return streams * tokens / (time.perf_counter() - start)


def prefill(length: int) -> float:
    prompt = torch.arange(length).remainder(26).add(97)[None]
    model.eval()
    with torch.inference_mode():
        start = time.perf_counter()
        model(prompt, use_cache=True, logits_to_keep=1)
        return length / (time.perf_counter() - start)


WORKS = {"training": training, "sampling": sampling, "prefill": prefill}
for line in sys.stdin:
    work = json.loads(line)
    before = time.process_time()
    value = WORKS[work.pop("kind")](**work)
    print(json.dumps({"value": value, "cpu": time.process_time() - before}), flush=True)
