import { Ajv2020 } from 'ajv/dist/2020.js';
import type { EmbeddedEngine, SamplingOptions } from '@heddle/engine';
import { z } from 'zod';
import { BASE, startEngine } from './engine.js';
import { ZOD_SCHEMAS } from './zod-schemas.js';

const SEEDS = 6;

describe('answers of the shipped base to a JSON schema', () => {
  let engine: EmbeddedEngine;

  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.close());

  /** The answers that ended by themselves: one that the limit cut off is not whole. */
  async function answers(schema: Record<string, unknown>, options: SamplingOptions = {}): Promise<string[]> {
    const texts: string[] = [];
    const ended: string[] = [];
    const prompt = { messages: [{ role: 'user' as const, content: 'Answer.' }] };
    const asked = { n: SEEDS, maxTokens: 600, format: { type: 'json_schema' as const, schema }, ...options };
    for await (const event of engine.generate({ base: BASE, adapter: null, prompt, options: asked })) {
      if (event.type === 'tokens') texts[event.choice] = (texts[event.choice] ?? '') + event.text;
      if (event.type === 'finished' && event.reason === 'stop') ended.push(texts[event.choice]!);
    }
    return ended;
  }

  it.each(Object.entries(ZOD_SCHEMAS))('are what zod parses: %s', async (_, type) => {
    const ended = await answers(z.toJSONSchema(type) as Record<string, unknown>, { seed: 11 });
    expect(ended.length).toBeGreaterThan(0);
    for (const text of ended) expect(type.safeParse(JSON.parse(text))).toMatchObject({ success: true });
  });

  it.each<[string, Record<string, unknown>]>([
    [
      'different items',
      {
        type: 'array',
        items: { type: 'integer', minimum: 0, maximum: 9 },
        minItems: 2,
        maxItems: 3,
        uniqueItems: true,
      },
    ],
    [
      'exactly one of two',
      {
        oneOf: [
          { type: 'integer', minimum: 0, maximum: 20 },
          { type: 'integer', multipleOf: 5, minimum: 0, maximum: 60 },
        ],
      },
    ],
    ['not a multiple', { type: 'integer', minimum: 0, maximum: 99, not: { multipleOf: 2 } }],
    [
      'a member that needs another',
      { properties: { a: { const: 1 }, b: { const: 2 } }, dependentRequired: { a: ['b'] } },
    ],
  ])('are sampled again until they are valid: %s', async (_, schema) => {
    const valid = new Ajv2020({ strict: false }).compile(schema);
    for (const temperature of [0, 1]) {
      const ended = await answers(schema, { seed: 5, temperature });
      expect(ended.length).toBeGreaterThan(0);
      expect(ended.filter((text) => !valid(JSON.parse(text)))).toEqual([]);
    }
  });

  it('are an error where none of 16 is valid', async () => {
    await expect(
      answers({ oneOf: [{ type: 'boolean' }, { enum: [true, false] }], type: 'boolean' }),
    ).rejects.toMatchObject({
      code: 'invalid_answer',
      param: 'response_format',
      message: expect.stringContaining('None of 16 sampled answers is valid against the schema; of the last one, '),
    });
  });

  it('are shown only once they are known to be valid', async () => {
    const schema = { type: 'integer', minimum: 0, maximum: 99, not: { multipleOf: 2 } };
    for (let seed = 1; seed <= 8; seed++) {
      const ended = await answers(schema, { seed, n: 1 });
      expect(ended.filter((text) => Number(text) % 2 === 0)).toEqual([]);
    }
  });

  it('do not hang on a pattern that backtracks', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$', maxLength: 30 };
    for (const text of await answers(schema)) expect(JSON.parse(text)).toMatch(/^a{1,30}$/);
  });
});
