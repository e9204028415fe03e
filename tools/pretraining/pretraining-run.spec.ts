import type { SequenceTree } from '../../libs/engine/src/training/sequence-tree.js';
import { heldOutLoss, learningRateAt, pretrain, SHUTTLE, type StepReport } from './pretraining-run.js';
import { SKILLS } from './corpus.js';

const plan = { seed: 5, steps: 3, batch: 4, learningRate: 1e-3, wholeTexts: 0 };

/** Takes the steps of a trainer, and keeps what it was given instead of learning it. */
function recorder(loss = 1) {
  const steps: { trees: SequenceTree[]; rate: number }[] = [];
  const step = async (trees: SequenceTree[], rate: number) => {
    steps.push({ trees, rate });
    const branches = trees.flatMap((tree) => tree.branches);
    return {
      loss,
      gradNorm: 0,
      tokens: branches.reduce((sum, { tokens }) => sum + tokens.length, 0),
      targets: branches.reduce((sum, { targets }) => sum + targets.length, 0),
    };
  };
  return { steps, step };
}

async function run(changes: Partial<typeof plan> = {}) {
  const trainer = recorder();
  const reports: StepReport[] = [];
  for await (const report of pretrain(trainer, { ...plan, ...changes })) reports.push(report);
  return { reports, steps: trainer.steps };
}

describe('a pretraining run', () => {
  it('feeds the same chats for the same plan', async () => {
    const { steps } = await run();
    expect(steps).toEqual((await run()).steps);
    expect(steps).not.toEqual((await run({ seed: 6 })).steps);
    expect(steps.map(({ trees }) => trees.length)).toEqual([4, 4, 4]);
  });

  it('counts tokens and targets over all steps', async () => {
    const { reports, steps } = await run();
    const branches = steps.flatMap(({ trees }) => trees.flatMap((tree) => tree.branches));
    expect(reports.at(-1)?.tokens).toBe(branches.reduce((sum, { tokens }) => sum + tokens.length, 0));
    expect(reports.at(-1)?.targets).toBe(branches.reduce((sum, { targets }) => sum + targets.length, 0));
  });

  it('learns whole texts in the share that the plan says', async () => {
    const wholes = ({ trees }: { trees: SequenceTree[] }) =>
      trees.filter(({ branches: [branch] }) => branch!.targets.length === branch!.tokens.length - 1).length;
    const { steps } = await run({ batch: 200, steps: 1, wholeTexts: 0.25 });
    expect(wholes(steps[0]!)).toBeGreaterThan(25);
    expect(wholes(steps[0]!)).toBeLessThan(75);
    expect(wholes((await run({ batch: 200, steps: 1 })).steps[0]!)).toBe(0);
  });

  it('stops at a loss that is no number', async () => {
    const running = pretrain(recorder(NaN), plan);
    await expect(running.next()).rejects.toThrow('The loss of step 0 is NaN.');
  });

  it('warms up, then cools down', () => {
    const rates = Array.from({ length: 1000 }, (_, step) => learningRateAt({ steps: 1000, learningRate: 1 }, step));
    expect(rates[0]).toBeCloseTo(0.01, 3);
    expect(Math.max(...rates)).toBeGreaterThan(0.95);
    expect(rates.indexOf(Math.max(...rates))).toBe(99);
    expect(rates.at(-1)).toBeCloseTo(0.01, 3);
  });
});

describe('the base model that ships', () => {
  it('is of 1.3 million parameters', () => {
    const { vocabularySize, hiddenSize: h, feedForwardSize: f, layers } = SHUTTLE;
    const parameters = vocabularySize * h + layers * (4 * h * h + 3 * h * f + 2 * h) + h;
    expect(parameters).toBe(1_313_408);
    expect(SHUTTLE.heads * SHUTTLE.headSize).toBe(h);
  });
});

describe('the loss on held-out chats', () => {
  it('is told for every skill, in both kinds of wordings', async () => {
    const sizes: number[] = [];
    const loss = await heldOutLoss({ evaluate: async (trees) => ({ loss: sizes.push(trees.length) }) }, 1, 2);
    expect(loss.skills.map(({ skill }) => skill)).toEqual(SKILLS.map(({ name }) => name));
    expect(sizes.slice(0, -1).every((size) => size === 2)).toBe(true);
    expect(loss.mix).toBe(sizes.length);
  });
});
