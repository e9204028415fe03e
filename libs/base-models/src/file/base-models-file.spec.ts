import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidBaseModelsFileError } from './base-models-file.errors.js';
import { parseBaseModels, readBaseModels } from './base-models-file.js';

const FILE = '/etc/heddle/bases.yaml';
const variables: Record<string, string> = { MODELS: '/srv/models', TINKER_API_KEY: 'tml-x', VLLM_KEY: 'x' };
const parse = (text: string) => parseBaseModels(text, FILE, (name) => variables[name]);

const faultsOf = (read: () => unknown): readonly string[] => {
  try {
    read();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidBaseModelsFileError);
    return (error as InvalidBaseModelsFileError).lines;
  }
};

describe('the file of BASE_MODELS', () => {
  it('names models of the hub, by default their main branch', () => {
    expect(parse('- { id: Qwen/Qwen3-0.6B, source: hub }\n- { id: gpt2, source: hub, revision: refs/pr/1 }')).toEqual([
      { id: 'Qwen/Qwen3-0.6B', directory: null, revision: 'main', lora: {} },
      { id: 'gpt2', directory: null, revision: 'refs/pr/1', lora: {} },
    ]);
  });

  it('names directories, relative to itself', () => {
    expect(parse('- { id: a/b, source: models/b, engine: embedded }\n- { id: c, source: /c }')).toMatchObject([
      { id: 'a/b', directory: '/etc/heddle/models/b' },
      { id: 'c', directory: '/c' },
    ]);
  });

  it('gives new adapters their rank and alpha', () => {
    expect(parse('- { id: a, source: hub, lora: { rank: 16, alpha: 32 } }')).toMatchObject([
      { lora: { rank: 16, alpha: 32 } },
    ]);
  });

  it('takes values from the environment', () => {
    expect(parse('- { id: a, source: "${MODELS}/a" }')).toMatchObject([{ directory: '/srv/models/a' }]);
  });

  it('names servers that train', () => {
    const tinker = '{ url: "http://gpu-1:8000", api_key: "${MODELS}", model: q, normalization: sum, timeout: 60 }';
    expect(parse(`- { id: a, source: ./a, engine: { tinker: ${tinker} } }`)).toMatchObject([
      {
        trainer: {
          url: 'http://gpu-1:8000',
          apiKey: '/srv/models',
          model: 'q',
          normalization: 'sum',
          timeoutMs: 60_000,
        },
      },
    ]);
    expect(parse('- { id: a, source: ./a, engine: { tinker: { url: "https://t" } } }')).toMatchObject([
      { trainer: { url: 'https://t', timeoutMs: 900_000 } },
    ]);
  });

  it('names servers that sample', () => {
    const servers = '[{ openai: { url: "http://gpu-2:8001", adapters_path: /adapters, max_adapters: 8 } }]';
    expect(parse(`- { id: a, source: ./a, inference: ${servers} }`)).toMatchObject([
      { inference: [{ url: 'http://gpu-2:8001', adaptersPath: '/adapters', maxAdapters: 8, timeoutMs: 900_000 }] },
    ]);
  });

  it('may be an empty list, or not be given', () => {
    expect(parse('[]')).toEqual([]);
    expect(readBaseModels({})).toEqual([]);
  });

  it.each([
    ['- { id: a }', "entry 1 (a): source: is missing: 'hub', or a directory"],
    ['- { source: hub }', 'entry 1: id: is missing'],
    ['- { id: 7, source: hub }', 'entry 1: id: must be text'],
    [
      '- { id: "a b", source: hub }',
      'entry 1 (a b): id: must be the name of a model on the hub, as in Qwen/Qwen3-0.6B',
    ],
    ['- { id: a/b/c, source: hub }', /id: must be the name of a model on the hub/],
    ['- { id: ../up, source: hub }', /id: must be the name of a model on the hub/],
    ['- { id: "a b", source: ./b }', 'entry 1 (a b): id: must be letters, digits and -_.:@/, at most 128'],
    ['- { id: a, source: hub, revision: ../../up }', 'entry 1 (a): revision: must be a branch, tag or commit'],
    ['- { id: a, source: ./a, revision: main }', "entry 1 (a): revision: is only for 'source: hub'"],
    ['- { id: a, source: hub, engin: embedded }', /engin: is not a field; there are: id, source, /],
    ['- { id: a, source: hub, lora: { rang: 8 } }', 'entry 1 (a): lora.rang: is not a field; there are: rank, alpha'],
    ['- { id: a, source: hub, lora: { rank: 0 } }', 'entry 1 (a): lora.rank: must be a whole number from 1 on'],
    ['- { id: a, source: hub, lora: { alpha: "x" } }', 'entry 1 (a): lora.alpha: must be a number from 1 on'],
    ['- { id: a, source: hub, lora: 8 }', 'entry 1 (a): lora: must be a map of fields'],
    ['- { id: a, source: hub, engine: gpu }', 'entry 1 (a): engine: must be embedded, or a map with tinker'],
    ['- { id: a, source: hub, engine: { ray: x } }', /engine.ray: is not a field; there are: tinker/],
    ['- { id: a, source: hub, engine: { tinker: { url: x } } }', /engine.tinker.url: must be a URL, as in http:/],
    ['- { id: a, source: hub, engine: { tinker: {} } }', 'entry 1 (a): engine.tinker.url: is missing'],
    ['- { id: a, source: hub, engine: { tinker: { url: "http://u:p@h" } } }', /url: must hold no user/],
    [
      '- { id: a, source: hub, engine: { tinker: { url: "http://h", api_key: "${NO_KEY}" } } }',
      "entry 1 (a): engine.tinker.api_key: the environment has no variable 'NO_KEY'",
    ],
    [
      '- { id: a, source: hub, engine: { tinker: { url: "http://h", normalization: mean } } }',
      'entry 1 (a): engine.tinker.normalization: must be one of sequence, sum',
    ],
    ['- { id: a, source: hub, inference: [] }', 'entry 1 (a): inference: must be a list, and not empty'],
    ['- { id: a, source: hub, inference: [{ vllm: x }] }', /inference\[0\].vllm: is not a field; there are: openai/],
    [
      '- { id: a, source: hub, inference: [{ openai: { urls: x } }] }',
      'entry 1 (a): inference[0].openai.url: is missing',
    ],
    ['- { id: a, source: "${NOWHERE}/a" }', "entry 1 (a): source: the environment has no variable 'NOWHERE'"],
    ['- { id: heddle/shuttle-1m, source: ./s }', /id: ships with Heddle/],
    ['- { id: a, source: hub }\n- { id: a, source: ./a }', 'entry 2 (a): id: entry 1 has it too'],
    ['- text', 'entry 1: must be a map of fields'],
    ['id: a', 'must be a list of base models'],
    ['', 'must be a list of base models'],
    ['- { id: a, id: b, source: hub }', /is not YAML: Map keys must be unique at line 1/],
    ['- { id: a', /is not YAML: .* at line 1/],
  ])('refuses %j: %s', (text, fault) => {
    const lines = faultsOf(() => parse(text));
    const expected = typeof fault === 'string' ? `${FILE}: ${fault}` : expect.stringMatching(fault);
    expect(lines).toContainEqual(expected);
    expect(lines.every((line) => line.startsWith(FILE) && !line.includes('\n'))).toBe(true);
  });

  it('tells all faults at once', () => {
    expect(faultsOf(() => parse('- { id: a, sauce: x }\n- { id: a, source: hub, lora: { rank: 1.5 } }'))).toEqual([
      expect.stringContaining('entry 1 (a): sauce: is not a field'),
      expect.stringContaining('entry 1 (a): source: is missing'),
      expect.stringContaining('entry 2 (a): lora.rank: must be a whole number'),
      expect.stringContaining('entry 2 (a): id: entry 1 has it too'),
    ]);
  });

  it('is looked for where BASE_MODELS says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-bases-'));
    const file = join(folder, 'bases.yaml');
    expect(faultsOf(() => readBaseModels({ BASE_MODELS: file }))).toEqual([
      `${file} (BASE_MODELS): can't be read: there is no such file`,
    ]);
    writeFileSync(file, '- { id: a, source: b }');
    expect(readBaseModels({ BASE_MODELS: file })).toMatchObject([{ directory: join(folder, 'b') }]);
    rmSync(folder, { recursive: true });
  });

  it('has an example that can be used as it is', () => {
    const example = readFileSync('base-models.example.yaml', 'utf8');
    expect(parse(example)).toHaveLength(1);
    // What is commented out is right, too.
    expect(parse(example.replace(/^# ((- |  ).*:.*)$/gm, '$1'))).toHaveLength(3);
  });
});
