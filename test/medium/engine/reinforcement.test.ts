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

  it('is kept near a checkpoint by a KL penalty, whose mean is that of log p(policy) - log p(checkpoint)', async () => {
    const { groups } = await rollOut(null, 5);
    const step = async (name: string, from: string | null, config: RlConfig, klReference: string | null = null) => {
      const to = folder.path(name);
      const data = { kind: 'rl' as const, groups, config };
      const events = await train(engine, { base: BASE, from, to, seed: 1, klReference, data });
      return { to, first: events.find(({ type }) => type === 'step')!.metrics };
    };
    const one = await step('one', null, { learning_rate: 1e-3 });
    const two = await step('two', one.to, { learning_rate: 1e-3 });
    let names = 0;
    const meanKl = async (policy: string, reference: string | null): Promise<number> => {
      const penalty = { kl_penalty_coef: 0.1, kl_penalty_source: 'current_learner' as const, learning_rate: 0 };
      return (await step(`kl-${names++}`, policy, penalty, reference)).first['kl_policy_ref']!;
    };
    const [toBase, toOne] = [await meanKl(two.to, null), await meanKl(two.to, one.to)];
    expect(toOne).not.toBeCloseTo(toBase, 3);
    // Means of differences add up: (two - base) - (one - base) = two - one.
    expect(toBase - (await meanKl(one.to, null))).toBeCloseTo(toOne, 5);
    // To the bit, since the same weights score both.
    expect(await meanKl(two.to, two.to)).toBe(0);
    expect(await meanKl(one.to, two.to)).toBeCloseTo(-toOne, 5);
  });

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
