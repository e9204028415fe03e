"""Usage: python vllm_baseline.py MODEL THREADS   The sampling of measure-model.mjs in vLLM for the CPU, in float32 and without an adapter."""

import json
import os
import sys
import time

directory, threads = sys.argv[1:]
# What vLLM prints is no answer.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
os.environ.update(
    OMP_NUM_THREADS=threads, VLLM_CPU_KVCACHE_SPACE="1", VLLM_ENABLE_V1_MULTIPROCESSING="0", VLLM_LOGGING_LEVEL="WARNING"
)

from vllm import LLM, SamplingParams  # noqa: E402  It reads the environment.

model = LLM(directory, dtype="float32", max_model_len=2304, max_num_seqs=64, enable_prefix_caching=True, enforce_eager=True)


def generate(prompt: list[int], streams: int, tokens: int) -> float:
    params = SamplingParams(n=streams, temperature=1.0, max_tokens=tokens, ignore_eos=True)
    start = time.perf_counter()
    model.generate({"prompt_token_ids": prompt}, params, use_tqdm=False)
    return time.perf_counter() - start


rounds = 0


def sampling(streams: int, tokens: int) -> float:
    return streams * tokens / generate([97 + (i + rounds) % 26 for i in range(32)], streams, tokens)


def prefill(length: int) -> float:
    return length / generate([rounds] + [97 + i % 26 for i in range(1, length)], 1, 1)


WORKS = {"sampling": sampling, "prefill": prefill}
for line in sys.stdin:
    work = json.loads(line)
    rounds += 1
    before = time.process_time()
    act = WORKS.get(work.pop("kind"))
    value = act(**work) if act else None
    print(json.dumps({"value": value, "cpu": time.process_time() - before}), file=answers, flush=True)
