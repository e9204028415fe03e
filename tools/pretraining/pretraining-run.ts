import type { FullTrainer } from './full-trainer.js';
import type { ModelConfig } from '../../libs/engine/src/model/model-config.js';
import { chatsOfStep, SKILLS } from './corpus.js';
import { MARKERS, treeOf } from './material/encode-chat.js';
import { heldOutChats, heldOutMix } from './held-out.js';
import { Random } from './material/random.js';
import type { TrainingChat } from './material/skill.js';

/** The base model that ships: about 1.3 million parameters. */
export const SHUTTLE: ModelConfig = {
  family: 'llama',
  vocabularySize: 264,
  hiddenSize: 128,
  layers: 6,
  heads: 4,
  keyValueHeads: 4,
  headSize: 32,
  feedForwardSize: 384,
  contextLength: 1024,
  normEpsilon: 1e-5,
  ropeTheta: 10_000,
  ropeScaling: null,
  biases: [],
  tiedHead: true,
  endTokenIds: [MARKERS['<|im_end|>']],
};

export interface PretrainingPlan {
  seed: number;
  steps: number;
  /** Chats of a step: small ones, so that there are many steps. */
  batch: number;
  /** At the end of the warm-up. */
  learningRate: number;
  /** Share of chats of which every token is learned, not only the assistant's. */
  wholeTexts: number;
}

export interface StepReport {
  step: number;
  loss: number;
  gradNorm: number;
  learningRate: number;
  /** Since the start of the run. */
  tokens: number;
  targets: number;
}

const WARM_UP_STEPS = 100;
const FINAL_SHARE = 0.01;

/** Rises for the first steps, then falls along a cosine to a hundredth. `step` counts from 0. */
export function learningRateAt(plan: Pick<PretrainingPlan, 'steps' | 'learningRate'>, step: number): number {
  const warmUp = Math.min(1, (step + 1) / WARM_UP_STEPS);
  const cosine = 0.5 * (1 + Math.cos((Math.PI * step) / plan.steps));
  return plan.learningRate * warmUp * (FINAL_SHARE + (1 - FINAL_SHARE) * cosine);
}

/** Trains on the chats of one step after the other; the plan alone decides what the weights become. */
export async function* pretrain(trainer: Pick<FullTrainer, 'step'>, plan: PretrainingPlan): AsyncGenerator<StepReport> {
  let tokens = 0;
  let targets = 0;
  for (let step = 0; step < plan.steps; step++) {
    const random = new Random(plan.seed + 1, step);
    const trees = chatsOfStep(plan.seed, step, plan.batch).map((chat) => treeOf(chat, random.chance(plan.wholeTexts)));
    const learningRate = learningRateAt(plan, step);
    const result = await trainer.step(trees, learningRate);
    if (!Number.isFinite(result.loss)) throw new Error(`The loss of step ${step} is ${result.loss}.`);
    tokens += result.tokens;
    targets += result.targets;
    yield { step, loss: result.loss, gradNorm: result.gradNorm, learningRate, tokens, targets };
  }
}

export interface HeldOutLoss {
  /** Of chats in the proportions of the corpus, in nats for each token of an answer. */
  mix: number;
  skills: { skill: string; corpus: number; heldOut: number }[];
}

/** Cross-entropy on chats that training never saw, as the corpus words them and in wordings that it never uses. */
export async function heldOutLoss(
  trainer: Pick<FullTrainer, 'evaluate'>,
  seed: number,
  perSkill: number,
): Promise<HeldOutLoss> {
  const loss = async (chats: readonly TrainingChat[]) =>
    (await trainer.evaluate(chats.map((chat) => treeOf(chat)))).loss;
  const corpus = heldOutChats(seed, perSkill, 'corpus');
  const heldOut = heldOutChats(seed, perSkill, 'heldOut');
  const skills = [];
  for (const { name } of SKILLS) {
    const of = (chats: TrainingChat[]) => chats.filter(({ skill }) => skill === name);
    skills.push({ skill: name, corpus: await loss(of(corpus)), heldOut: await loss(of(heldOut)) });
  }
  return { mix: await loss(heldOutMix(seed, perSkill * SKILLS.length)), skills };
}
