import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeModel, loadModel } from './base-model.js';

const shuttle = fileURLToPath(new URL('../../base-models/shuttle', import.meta.url));
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'heddle-base-'));
  cpSync(shuttle, directory, { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true }));

const at = (name: string) => join(directory, name);
const read = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')) as Record<string, unknown>;
const change = (name: string, changes: object) =>
  writeFileSync(at(name), JSON.stringify({ ...read(name), ...changes }));
const remove = (name: string) => rmSync(at(name));
const describeIt = () => describeModel({ id: 'base', directory });

describe('a directory of a model', () => {
  it('is described without its weights, and loads', async () => {
    change('generation_config.json', { temperature: 0.7, eos_token_id: [257, 5] });
    const described = await describeIt();
    expect(described.info).toMatchObject({ id: 'base', family: 'llama', sampling: { temperature: 0.7 }, directory });
    const { memory, tokenizer } = await loadModel(described);
    expect(memory.config.endTokenIds).toEqual([257, 5]);
    expect(tokenizer.vocabularySize).toBe(264);
  });

  it.each<[string, () => void, string]>([
    ['without config.json', () => remove('config.json'), 'config.json is missing'],
    [
      'of another family',
      () => change('config.json', { architectures: ['GemmaForCausalLM'] }),
      'config.json: architectures',
    ],
    [
      'that is quantised',
      () => change('config.json', { quantization_config: { bits: 4 } }),
      'config.json: quantization_config',
    ],
    ['without weights', () => remove('model.safetensors'), 'model.safetensors is missing'],
    ['with a truncated file', () => truncateSync(at('model.safetensors'), 100_000), 'model.safetensors: '],
    [
      'of another shape',
      () => change('config.json', { hidden_size: 64, head_dim: 32 }),
      'shape [264, 128], expected [264, 64]',
    ],
    [
      'with end tokens that there are none of',
      () => change('generation_config.json', { eos_token_id: 999 }),
      'generation_config.json: eos_token_id',
    ],
    ['with odd defaults', () => change('generation_config.json', { top_p: 7 }), 'generation_config.json: top_p is 7'],
    ['without tokenizer', () => remove('tokenizer.json'), 'tokenizer.json is missing'],
    ['with a broken tokenizer', () => writeFileSync(at('tokenizer.json'), '{'), 'tokenizer.json is not JSON'],
    [
      'with a tokenizer of another kind',
      () => change('tokenizer.json', { model: { type: 'Unigram' } }),
      'tokenizer.json: model.type "Unigram"',
    ],
    [
      'with an unknown normalizer',
      () => change('tokenizer.json', { normalizer: { type: 'Lowercase' } }),
      'tokenizer.json: normalizer of type "Lowercase"',
    ],
    [
      'with more tokens than the model',
      () => change('tokenizer.json', { added_tokens: [{ id: 400, content: '<more>', special: true }] }),
      'tokenizer.json: 401 tokens, but vocab_size of config.json is 264',
    ],
    [
      'without chat template',
      () => (remove('chat_template.jinja'), change('tokenizer_config.json', { chat_template: undefined })),
      'chat_template of tokenizer_config.json is missing, and chat_template.jinja too',
    ],
    [
      'with a broken chat template',
      () => writeFileSync(at('chat_template.jinja'), '{% if %}'),
      "The chat template can't be read",
    ],
  ])('%s is refused before it is loaded, and says why', async (_, breakIt, message) => {
    breakIt();
    await expect(describeIt()).rejects.toMatchObject({
      code: 'bad_model',
      message: expect.stringContaining(message) as string,
    });
  });
});
