import { HubFailure } from './hub-failure.js';
import { neededFiles } from './needed-files.js';

const ID = 'weavers/loom';
const needed = (...names: string[]): string[] =>
  neededFiles(
    ID,
    names.map((name, index) => ({ name, size: index, oid: '0', sha256: null })),
  ).map(({ name }) => name);

describe('neededFiles', () => {
  it('takes configuration, tokenizer, template and weights, and leaves what is for other programs', () => {
    const wanted = ['config.json', 'tokenizer.json', 'merges.txt', 'chat_template.jinja', 'model.safetensors'];
    const others = ['pytorch_model.bin', 'model.gguf', 'consolidated.00.pth', 'README.md', '.gitattributes'];
    expect(needed(...wanted, ...others)).toEqual(wanted);
  });

  it('takes the shards where there is an index, and no second copy of the weights', () => {
    const shards = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
    const wanted = ['config.json', 'model.safetensors.index.json', ...shards];
    expect(needed(...wanted, 'consolidated.safetensors', 'model.safetensors')).toEqual(wanted);
  });

  it('begins with the small ones', () => {
    const files = [
      { name: 'model.safetensors', size: 9e9, oid: '1', sha256: '2' },
      { name: 'config.json', size: 900, oid: '3', sha256: null },
    ];
    expect(neededFiles(ID, files).map(({ name }) => name)).toEqual(['config.json', 'model.safetensors']);
  });

  it.each([
    [['model.safetensors'], `${ID} has no config.json: it is no model in Hugging Face form`],
    [
      ['config.json', 'pytorch_model.bin'],
      `${ID} has no weights as model.safetensors or its shards, and nothing else is read`,
    ],
    [['config.json', 'model.safetensors.index.json'], /has no weights/],
  ])('refuses %j', (names, message) => {
    expect(() => needed(...names)).toThrow(HubFailure);
    expect(() => needed(...names)).toThrow(message);
  });
});
