// The formulas of reinforcement learning by themselves: jobs to the advantage and weight of each sequence, rows of log
// probabilities to loss and gradient.
import { withKlPenalty } from '../../../dist/libs/engine/src/training/kl-penalty.js';
import { resolveRlConfig } from '../../../dist/libs/engine/src/training/rl-config.js';
import { prepareRlJob } from '../../../dist/libs/engine/src/training/rl-job.js';
import { rlLoss } from '../../../dist/libs/engine/src/training/rl-loss.js';
import { answer, request } from './engine-request.mjs';

const limits = { contextLength: 4096, vocabularySize: 1000, encodePrompt: () => [0] };
const floats = (values) => Float32Array.from(values, (value) => value ?? NaN);

async function sequencesOf({ groups, config }) {
  const { rows } = await prepareRlJob(groups, resolveRlConfig(config), limits);
  return rows.flat().flatMap(({ prefix, branches }) =>
    branches.map(({ tokens, targets, advantage, weight }) => ({
      tokens: [...prefix, ...tokens],
      targets: [...targets].map((target) => target + prefix.length),
      advantage,
      weight,
    })),
  );
}

function lossOf({ branches, config }) {
  const resolved = resolveRlConfig(config);
  const current = floats(branches.flatMap(({ now }) => now));
  const branch = ({ advantage, weight, old, sampler }) => ({
    tokens: new Int32Array(old.length),
    targets: Int32Array.from(old.keys()),
    advantage,
    weight,
    oldLogprobs: floats(old),
    ...(sampler ? { samplerLogprobs: floats(sampler) } : {}),
  });
  let trees = [{ prefix: Int32Array.of(0), branches: branches.map(branch) }];
  let meanKl = null;
  if (resolved.klPenalty) {
    const reference = floats(branches.flatMap(({ reference }) => reference));
    ({ trees, meanKl } = withKlPenalty(trees, current, reference, resolved.klPenalty));
  }
  const scores = { logprobs: current, entropies: new Float32Array(current.length) };
  const { gradient, sums } = rlLoss(trees, scores, resolved, current.length);
  return { loss: sums.loss, gradient: [...gradient], clipped: sums.clipped, ratio: sums.ratio, meanKl };
}

answer({ jobs: await Promise.all(request.jobs.map(sequencesOf)), rows: request.rows.map(lossOf) });
