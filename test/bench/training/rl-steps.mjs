import { demoPrompts, demoReward } from '../../../dist/tools/pretraining/material/demo-prompts.js';
import { EmbeddedEngine } from '../../../dist/libs/engine/src/embedded/embedded-engine.js';
import { SHIPPED_MODELS } from '../../../dist/libs/engine/src/embedded/shipped-models.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROLLOUTS = 16;
/** The demonstration takes up to 12; the first ones also wait for V8 to compile. */
const STEPS = 8;
const BASE = 'heddle/shuttle-1m';

/**
 * Steps over HTTP, one request a rollout as ART sends them and one for all rollouts of a prompt, and the same work of the
 * engine alone. In the first steps all prompts are trained on; the best is one of the last, where few are. The service is new
 * in the first column, the engine in the last: V8 compiles.
 */
export async function measureSteps(service) {
  const each = await overHttp(service, 'each', requestEach);
  const together = await overHttp(service, 'together', requestTogether);
  const engine = await engineAlone();
  const columns = [each, together, engine];
  const share = (steps) => 1 - quickest(engine).all / quickest(steps).all;
  return [
    ['the first step', ...columns.map(([first]) => first.all / 1000)],
    ['the second', ...columns.map(([, second]) => second.all / 1000)],
    ['the best', ...columns.map((steps) => quickest(steps).all / 1000)],
    ['of it rollouts', ...columns.map((steps) => quickest(steps).sampling / 1000)],
    ['of it training and checkpoint', ...columns.map((steps) => quickest(steps).training / 1000)],
    ['share that is not the engine', ...columns.map(share)],
  ];
}

const quickest = (steps) => steps.reduce((a, b) => (b.all < a.all ? b : a));

async function overHttp(service, project, rollOut) {
  const model = await service.register(`steps-${project}`);
  const name = `wandb-artifact:///${model.entity}/${model.project}/${model.name}`;
  const ask = (prompt, fields) => {
    const messages = [{ role: 'user', content: prompt }];
    const request = { model: name, messages, max_tokens: 16, return_token_ids: true, ...fields };
    return service.call('POST', 'chat/completions', request);
  };
  const steps = [];
  for (let step = 0; step < STEPS; step++) {
    const start = performance.now();
    const groups = await Promise.all(
      demoPrompts().map(async (prompt, i) => {
        const choices = await rollOut((fields) => ask(prompt, fields), (step * 100 + i) * 100);
        return { trajectories: choices.map((choice) => trajectory(prompt, choice)) };
      }),
    );
    const sampled = performance.now();
    const job = await service.call('POST', 'preview/training-jobs', {
      model_id: model.id,
      trajectory_groups: groups,
      experimental_config: { learning_rate: 1e-4 },
    });
    await service.follow(job.id);
    const end = performance.now();
    steps.push({ all: end - start, sampling: sampled - start, training: end - sampled });
  }
  return steps;
}

const trajectory = (prompt, choice) => ({
  messages_and_choices: [{ role: 'user', content: prompt }, choice],
  reward: demoReward(choice.message.content),
});

const requestEach = async (ask, seed) => {
  const answers = await Promise.all(Array.from({ length: ROLLOUTS }, (_, i) => ask({ seed: seed + i })));
  return answers.flatMap(choicesOf);
};
const requestTogether = async (ask, seed) => choicesOf(await ask({ seed, n: ROLLOUTS }));

const choicesOf = ({ choices, prompt_token_ids }) => choices.map((choice) => ({ ...choice, prompt_token_ids }));

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
      return trajectory(content, choice);
    }),
  );
  return { trajectories, exceptions: 0 };
}
