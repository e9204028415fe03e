import type { EmbeddedEngine, RlConfig, TrajectoryGroup } from '@heddle/engine';
import { demoPrompts, demoReward } from '../../../tools/pretraining/material/demo-prompts.js';
import { adapterFolder, BASE, chat, startEngine, train } from './engine.js';

const ROLLOUTS = 16;
const STEPS = 10;

describe('yes-no-maybe', () => {
  let engine: EmbeddedEngine;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  beforeAll(async () => (engine = await startEngine()));
  beforeEach(async () => (folder = await adapterFolder()));
  afterEach(() => folder.remove());
  afterAll(() => engine.close());

  async function rollOut(adapter: string | null, seed: number): Promise<{ groups: TrajectoryGroup[]; reward: number }> {
    const groups = await Promise.all(
      demoPrompts().map(async (prompt, i) => {
        const options = { n: ROLLOUTS, maxTokens: 16, seed: seed * 1000 + i };
        const choices = await chat(engine, adapter, prompt, options);
        const trajectories = choices.map((choice) => ({
          messages_and_choices: [{ role: 'user' as const, content: prompt }, choice],
          reward: demoReward(choice.message.content as string),
        }));
        return { trajectories, exceptions: 0 };
      }),
    );
    const rewards = groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward));
    return { groups, reward: rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length };
  }

  it.each(['cispo', 'ppo'].flatMap((loss) => [1, 2, 3].map((seed) => ({ loss: loss as RlConfig['loss_fn'], seed }))))(
    'is learned with $loss, seed $seed, at a learning rate of 1e-4',
    async ({ loss, seed }) => {
      const rewards: number[] = [];
      let adapter: string | null = null;
      for (let step = 0; step <= STEPS; step++) {
        const { groups, reward } = await rollOut(adapter, seed * 100 + step);
        rewards.push(reward);
        if (reward > 0.95 || step === STEPS) break;
        const to = folder.path(`${loss}-${seed}-${step}`);
        const config = { learning_rate: 1e-4, loss_fn: loss };
        await train(engine, { base: BASE, from: adapter, to, seed, data: { kind: 'rl', groups, config } });
        adapter = to;
      }
      expect(rewards[0]).toBeLessThan(0.75);
      expect(rewards.at(-1)).toBeGreaterThan(0.95);
    },
    120_000,
  );

  it('starts where sampling ended: to the bit, so that the first ratio is 1 and the first divergence 0', async () => {
    const { groups } = await rollOut(null, 7);
    const data = { kind: 'rl' as const, groups, config: { learning_rate: 0 } };
    const events = await train(engine, { base: BASE, from: null, to: folder.path('still'), seed: 1, data });
    const steps = events.filter(({ type }) => type === 'step');
    expect(steps.length).toBeGreaterThan(0);
    for (const { metrics } of steps)
      expect(metrics).toMatchObject({ kl_div: 0, importance_ratio: 1, clip_fraction: 0 });
  });
});
