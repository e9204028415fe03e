// Starts SkyRL and vLLM for a test in another language, prints where they are, and stops them when its input ends.
// Usage: SKYRL_PYTHON=... VLLM_PYTHON=... node test/trainer/serve.mjs
import { VllmServer } from '../inference-server/vllm-server.mjs';
import { SkyRlServer } from './skyrl-server.mjs';

const [trainer, inference] = [new SkyRlServer(), new VllmServer()];
try {
  await Promise.all([trainer.start(process.env.SKYRL_PYTHON), inference.start(process.env.VLLM_PYTHON)]);
  const { url, base } = trainer;
  console.log(JSON.stringify({ trainer: url, base, inference: inference.url }));
  for await (const _ of process.stdin) void _;
} finally {
  await Promise.all([trainer.stop(), inference.stop()]);
}
