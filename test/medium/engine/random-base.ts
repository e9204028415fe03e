import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SHIPPED_MODELS } from '@heddle/engine';
import { writeModel } from '../../../libs/engine/src/files/model-directory.js';
import { elementsOf, modelTensors } from '../../../libs/engine/src/files/model-tensors.js';
import { noise, TINY_CONFIG } from '../../../libs/engine/src/model/tiny-model.fixture.js';
import type { ModelConfig } from '../../../libs/engine/src/model/model-config.js';

const FILES = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja'];

/** Writes a base model with random weights, whose tokenizer is that of the one that ships. */
export async function randomBase(directory: string, seed: number, change: Partial<ModelConfig>): Promise<string> {
  const config: ModelConfig = { ...TINY_CONFIG, vocabularySize: 264, endTokenIds: [257], ...change };
  const next = noise(seed);
  const tensors = new Map(
    [...modelTensors(config)].map(({ name, shape }) => {
      const values = new Float32Array(elementsOf(shape)).fill(1);
      if (!name.endsWith('norm.weight')) for (let i = 0; i < values.length; i++) values[i] = next() * 0.1;
      return [name, values];
    }),
  );
  const shipped = SHIPPED_MODELS[0]!.directory;
  const contents = FILES.map(async (name) => [name, await readFile(join(shipped, name))] as const);
  await writeModel(directory, config, tensors, {
    dtype: 'F32',
    files: Object.fromEntries(await Promise.all(contents)),
  });
  return directory;
}
