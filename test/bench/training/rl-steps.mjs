import { demoPrompts, demoReward } from '../../../dist/libs/engine/src/pretraining/demo-prompts.js';
import { EmbeddedEngine } from '../../../dist/libs/engine/src/embedded/embedded-engine.js';
import { SHIPPED_MODELS } from '../../../dist/libs/engine/src/embedded/shipped-models.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROLLOUTS = 16;
/** The demonstration takes up to 12; the first ones also wait for V8 to compile. */
const STEPS = 8;
const BASE = 'heddle/shuttle-1m';

/** The best of some steps over HTTP, one request a rollout as ART sends them, and the same work of the engine alone. */
export async function measureSteps(service) {
  const model = await service.register('steps');
  const name = `wandb-artifact:///${model.entity}/${model.project}/${model.name}`;
  const whole = [];
  for (let step = 0; step < STEPS; step++) {
    const start = performance.now();
    const groups = await Promise.all(demoPrompts().map((prompt, i) => rollOut(service, name, prompt, step * 100 + i)));
    const sampled = performance.now();
    const job = await service.call('POST', 'preview/training-jobs', {
      model_id: model.id,
      trajectory_groups: groups,
      experimental_config: { learning_rate: 1e-4 },
    });
    await service.follow(job.id);
    const end = performance.now();
    whole.push({ all: end - start, sampling: sampled - start, training: end - sampled });
  }
  const best = quickest(whole);
  const engine = quickest(await engineAlone());
  return [
    ['over HTTP', best.all / 1000],
    ['the first, of processes just started', whole[0].all / 1000],
    ['of it rollouts', best.sampling / 1000],
    ['of it the job', best.training / 1000],
    ['the engine alone', engine.all / 1000],
    ['of it rollouts', engine.sampling / 1000],
    ['of it training', engine.training / 1000],
    ['share that is not the engine', 1 - engine.all / best.all],
  ];
}

const quickest = (steps) => steps.reduce((a, b) => (b.all < a.all ? b : a));

async function rollOut(service, model, prompt, seed) {
  const messages = [{ role: 'user', content: prompt }];
  const trajectories = await Promise.all(
    Array.from({ length: ROLLOUTS }, async (_, i) => {
      const request = { model, messages, max_tokens: 16, seed: seed * 100 + i, return_token_ids: true };
      const answer = await service.call('POST', 'chat/completions', request);
      const choice = { ...answer.choices[0], prompt_token_ids: answer.prompt_token_ids };
      return { messages_and_choices: [...messages, choice], reward: demoReward(choice.message.content) };
    }),
  );
  return { trajectories };
}

async function engineAlone() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const engine = await EmbeddedEngine.create({
    models: SHIPPED_MODELS,
    threads: 2,
    cacheBytes: 128 * 1024 ** 2,
    adapters: 16,
    memoryBytes: 1024 ** 3,
  });
  const steps = [];
  let from = null;
  for (let step = 0; step < STEPS; step++) {
    const start = performance.now();
    const groups = await Promise.all(demoPrompts().map((prompt, i) => sample(engine, from, prompt, step * 100 + i)));
    const sampled = performance.now();
    const to = join(folder, String(step));
    const data = { kind: 'rl', groups, config: { learning_rate: 1e-4 } };
    for await (const event of engine.train({ base: BASE, from, to, seed: 1, data })) void event;
    from = to;
    const end = performance.now();
    steps.push({ all: end - start, sampling: sampled - start, training: end - sampled });
  }
  await engine.close();
  rmSync(folder, { recursive: true });
  return steps;
}

async function sample(engine, adapter, content, seed) {
  const messages = [{ role: 'user', content }];
  const trajectories = await Promise.all(
    Array.from({ length: ROLLOUTS }, async (_, i) => {
      const choice = {
        index: 0,
        message: { role: 'assistant', content: '' },
        logprobs: { content: [] },
        token_ids: [],
      };
      const request = { base: BASE, adapter, prompt: { messages }, options: { maxTokens: 16, seed: seed * 100 + i } };
      for await (const event of engine.generate(request)) {
        if (event.type === 'prompt') choice.prompt_token_ids = event.tokenIds;
        if (event.type !== 'tokens') continue;
        choice.message.content += event.text;
        for (const { id, logprob } of event.tokens) {
          choice.token_ids.push(id);
          choice.logprobs.content.push({ token: `token_id:${id}`, logprob });
        }
      }
      return { messages_and_choices: [...messages, choice], reward: demoReward(choice.message.content) };
    }),
  );
  return { trajectories, exceptions: 0 };
}
