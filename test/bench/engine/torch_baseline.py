"""Usage: python torch_baseline.py MODEL THREADS   The work of measure-model.mjs in PyTorch, as tokens a second in JSON."""

import json
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

BATCH, LENGTH, STEPS, NEW_TOKENS, ROUNDS = 64, 64, 12, 64, 3

directory, threads = sys.argv[1:]
torch.set_num_threads(int(threads))
base = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32)
model = get_peft_model(base, LoraConfig(r=8, lora_alpha=128, target_modules="all-linear", task_type="CAUSAL_LM"))


def train() -> float:
    optimizer = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad], lr=1e-4, betas=(0.9, 0.99), weight_decay=0.1
    )
    tokens = torch.randint(97, 123, (BATCH, LENGTH))
    old = torch.full((BATCH, LENGTH - 1), -1.0)
    advantages = torch.ones(BATCH, 1)
    advantages[::2] = -1
    best = 0.0
    for _ in range(STEPS):
        start = time.perf_counter()
        logits = model(tokens).logits[:, :-1]
        logprobs = torch.log_softmax(logits, -1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
        ratio = torch.exp(logprobs - old).detach().clamp(0, 5)
        loss = -(ratio * advantages * logprobs).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        optimizer.zero_grad()
        best = max(best, BATCH * LENGTH / (time.perf_counter() - start))
    return best


def sample() -> float:
    best = 0.0
    prompt = torch.arange(32).remainder(26).add(97).repeat(BATCH, 1)
    model.eval()
    with torch.inference_mode():
        for _ in range(ROUNDS):
            start = time.perf_counter()
            model.generate(
                input_ids=prompt,
                attention_mask=torch.ones_like(prompt),
                do_sample=True,
                temperature=1.0,
                top_k=0,
                min_new_tokens=NEW_TOKENS,
                max_new_tokens=NEW_TOKENS,
                pad_token_id=263,
            )
            best = max(best, BATCH * NEW_TOKENS / (time.perf_counter() - start))
    return best


print(json.dumps({"training": train(), "sampling": sample()}))
