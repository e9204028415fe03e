import { readFileSync } from 'node:fs';
import { FullTrainer } from '../../../dist/tools/pretraining/full-trainer.js';
import { SHIPPED_MODELS } from '../../../dist/libs/engine/src/embedded/shipped-models.js';
import { writeModel } from '../../../dist/libs/engine/src/files/model-directory.js';

const shipped = SHIPPED_MODELS[0].directory;
const FILES = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja'];

const size = (hiddenSize, layers, heads, feedForwardSize) => ({
  family: 'llama',
  vocabularySize: 264,
  hiddenSize,
  layers,
  heads,
  keyValueHeads: heads,
  headSize: 32,
  feedForwardSize,
  contextLength: 1024,
  normEpsilon: 1e-5,
  ropeTheta: 10_000,
  ropeScaling: null,
  biases: [],
  tiedHead: true,
  endTokenIds: [257],
});

/** Speed does not depend on what the weights are, so they are random: the shipped size, and 10 million parameters. */
export const SIZES = { '1.3 M parameters': size(128, 6, 4, 384), '10.3 M parameters': size(256, 12, 8, 768) };

export async function writeSize(directory, config) {
  const trainer = FullTrainer.create(config, { threads: 1, seed: 1, beta1: 0.9, beta2: 0.99, weightDecay: 0, clip: 1 });
  const tensors = new Map([...trainer.tensors()].map(({ name, data }) => [name, Float32Array.from(data)]));
  await trainer.close();
  const files = Object.fromEntries(FILES.map((name) => [name, readFileSync(`${shipped}/${name}`)]));
  await writeModel(directory, config, tensors, { dtype: 'F32', files });
  return directory;
}
