import type { HubFile } from './hub-client.js';
import { HubFailure } from './hub-failure.js';

const CONFIG = 'config.json';
const INDEX = 'model.safetensors.index.json';
const WHOLE = 'model.safetensors';
const SHARD = /^model-\d+-of-\d+\.safetensors$/;
const TEXT = [
  CONFIG,
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'tokenizer.model',
  'special_tokens_map.json',
  'added_tokens.json',
  'vocab.json',
  'merges.txt',
  'chat_template.jinja',
  'chat_template.json',
];

/**
 * What the engine reads of a model: no pickles, no GGUF, none of the copies that other programs want. A model is told from a
 * repository that holds something else. Small files come first, so that what can't be run is known early.
 */
export function neededFiles(id: string, files: readonly HubFile[]): HubFile[] {
  const names = new Set(files.map(({ name }) => name));
  if (!names.has(CONFIG)) throw new HubFailure(`${id} has no ${CONFIG}: it is no model in Hugging Face form`, 'never');
  const isWeight = names.has(INDEX)
    ? (name: string) => name === INDEX || SHARD.test(name)
    : (name: string) => name === WHOLE;
  const needed = files.filter(({ name }) => TEXT.includes(name) || isWeight(name));
  if (!needed.some(({ name }) => name.endsWith('.safetensors'))) {
    throw new HubFailure(`${id} has no weights as ${WHOLE} or its shards, and nothing else is read`, 'never');
  }
  return needed.sort((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1));
}
