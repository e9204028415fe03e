// Log probabilities of all tokens of some sequences after their first, as training's forward pass finds them. Sequences
// that come as one group share their common beginning.
import { readStart } from '../../../dist/libs/engine/src/embedded/adapter-start.js';
import { AdapterTrainer } from '../../../dist/libs/engine/src/embedded/adapter-trainer.js';
import { describeModel, loadModel } from '../../../dist/libs/engine/src/embedded/base-model.js';
import { RL_OPTIONS } from '../../../dist/libs/engine/src/jobs/rl-training.js';
import { TrainThreads } from '../../../dist/libs/engine/src/threads/train-threads.js';
import { shareByPrefix } from '../../../dist/libs/engine/src/training/row-packing.js';
import { answer, request } from './engine-request.mjs';

const { directory, adapter, groups } = request;
const described = await describeModel({ id: 'base', directory });
const base = await loadModel(described);
const threads = new TrainThreads(base.memory, 2);
const trainer = AdapterTrainer.open(base, threads, await readStart({ from: adapter, seed: 1 }, described), RL_OPTIONS);

// Targets may not lie in a shared beginning: a group is scored from `from` on.
const branch = ({ tokens, from }) => ({
  tokens: Int32Array.from(tokens),
  targets: Int32Array.from({ length: tokens.length - from }, (_, i) => from + i),
});
const trees = groups.map((group) => shareByPrefix(group.map(branch)));
const scores = [...(await trainer.score(trees, adapter ? 'adapter' : 'reference'))];
await threads.close();

answer(groups.map((group) => group.map(({ tokens, from }) => scores.splice(0, tokens.length - from))));
