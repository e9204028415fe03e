import { jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import Schema from 'typebox/schema';
import type { OutputFormat } from '../protocol/generate.js';
import type { Tool } from '../protocol/chat.js';
import { STRING_FORMATS } from '../schema/string-formats.js';
import { GrammarCompiler, type Grammar, type TokenBytes } from './output-grammar.js';
import { RandomStream } from '../sampling/random-stream.js';

jest.setTimeout(60_000);

const END = 256;
const special: TokenBytes = { bytes: new Uint8Array(), special: true };
const text = (value: string): TokenBytes => ({ bytes: new TextEncoder().encode(value), special: false });
const bytes: TokenBytes[] = [
  ...Array.from({ length: 256 }, (_, byte) => ({ bytes: Uint8Array.of(byte), special: false })),
  ...Array.from({ length: 8 }, () => special),
];
const pieces: TokenBytes[] = [
  ...bytes,
  ...[
    '{"',
    '"}',
    '": ',
    '", "',
    '":',
    '"]',
    '}\n',
    'true',
    'null',
    'name',
    'é',
    '日本',
    '\u{1f600}',
    '\\u00',
    '<tool_call>',
    ' {',
  ].map(text),
  { bytes: new TextEncoder().encode('日本').slice(0, 4), special: false },
  { bytes: new TextEncoder().encode('日本').slice(4), special: false },
];

/** Samples uniformly among what the mask allows, but ends strings, lists and texts before long. */
function sample(grammar: Grammar, tokens: TokenBytes[], random: RandomStream): string {
  const state = grammar.start();
  const out: number[] = [];
  for (let step = 0; !state.finished; step++) {
    const mask = state.mask();
    const allowed = tokens.flatMap((_, id) => ((mask[id >> 5]! >>> (id & 31)) & 1 ? [id] : []));
    const closing = allowed.filter((id) => id === END || [...'"}]'].some((char) => char.charCodeAt(0) === id));
    const choices = closing.length > 0 && (step > 60 || random.next() < 0.2) ? closing : allowed;
    const id = choices[Math.floor(random.next() * choices.length)];
    if (id === undefined || step > 20_000)
      throw new Error(`Stuck after ${new TextDecoder().decode(Uint8Array.from(out))}`);
    if (!state.accept(id)) throw new Error(`Token ${id} was allowed, then refused.`);
    out.push(...tokens[id]!.bytes);
  }
  state.dispose();
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(out));
}

const schemas: Record<string, Record<string, unknown>> = {
  nested: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 6 },
      'an "odd" näme': { type: 'boolean' },
      tags: { type: 'array', items: { enum: ['é', 'a"b\\', 1, null, { a: [1] }] }, minItems: 1, maxItems: 3 },
      inner: {
        type: 'object',
        properties: { x: { type: 'number' }, y: { type: ['integer', 'null'] } },
        required: ['y'],
        additionalProperties: false,
      },
    },
    required: ['name', 'inner'],
    additionalProperties: false,
  },
  recursive: {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: { value: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
        required: ['value', 'next'],
      },
    },
  },
  tagged: {
    oneOf: ['circle', 'square'].map((kind) => ({
      type: 'object',
      properties: { kind: { const: kind }, size: { type: 'integer', minimum: 1, maximum: 365 } },
      required: ['kind', 'size'],
      additionalProperties: false,
    })),
  },
  map: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1, maxProperties: 4 },
  tuple: {
    type: 'array',
    prefixItems: [{ type: 'string' }, { const: 3 }],
    items: { type: 'boolean' },
    maxItems: 4,
    minItems: 2,
  },
  formats: {
    type: 'array',
    items: {
      anyOf: ['date', 'time', 'date-time', 'uuid', 'ipv4', 'email'].map((format) => ({ type: 'string', format })),
    },
  },
  anything: {},
};

describe('GrammarCompiler', () => {
  const compilers = { bytes: GrammarCompiler.create(bytes, [END]), pieces: GrammarCompiler.create(pieces, [END, 257]) };
  afterAll(() => Promise.all(Object.values(compilers).map((compiler) => compiler.dispose())));
  const random = new RandomStream(1, 0);
  const compile = (...of: Parameters<GrammarCompiler['compile']>): Promise<Grammar> => compilers.bytes.compile(...of);

  for (const [vocabulary, tokens] of [
    ['bytes', bytes],
    ['pieces', pieces],
  ] as const) {
    it.each(Object.entries(schemas))(`keeps random ${vocabulary} to the schema: %s`, async (_, schema) => {
      const grammar = await compilers[vocabulary].compile({ type: 'json_schema', schema });
      for (let i = 0; i < 40; i++) {
        const value: unknown = JSON.parse(sample(grammar, tokens, random));
        if (!Schema.Check(schema, value)) throw new Error(`Not valid: ${JSON.stringify(value)}`);
      }
    });
  }

  it.each([
    [{ type: 'integer', maximum: 100 }, ['100', '-5', '0', '-999'], ['101', '9098', '1.0']],
    [{ type: 'integer', minimum: -20, exclusiveMaximum: 1234 }, ['-20', '1233', '7'], ['-21', '1234', '05']],
    [{ type: 'number', minimum: 3, maximum: 7.5 }, ['3', '3.0', '7.5', '7.500', '7.49'], ['2.9', '7.51', '7x5', '8']],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 0.25 }, ['0.01', '0.25', '0.249'], ['0', '0.0', '-0.1', '0.3']],
    [{ type: 'number', minimum: -1.5 }, ['-1.5', '-0.25', '0', '12.5'], ['-1.51', '-2']],
    [{ enum: ['ab', 'ad', 'é', 'è'] }, ['"ab"', '"ad"', '"è"'], ['"ac"', '"a"', '"ê"']],
    [
      { anyOf: [{ enum: ['ab', 'cd'] }, { enum: ['ad', 'cb'] }, { type: 'boolean' }] },
      ['"cb"', 'true'],
      ['"ac"', '"bd"'],
    ],
    [
      { type: 'string', minLength: 2, maxLength: 3 },
      ['"日本"', '"\\u00e9\\n"', '"😀a\\""'],
      ['"a"', '"abcd"', '"\n\n"', '"\\ud800a"'],
    ],
  ])('takes what is valid and nothing else: %j', async (schema, valid, invalid) => {
    const grammar = await compile({ type: 'json_schema', schema });
    const accepts = (value: string): boolean => {
      const state = grammar.start();
      const accepted = [...new TextEncoder().encode(value), END].every((id) => state.accept(id));
      state.dispose();
      return accepted;
    };
    expect(valid.filter((value) => !accepts(value))).toEqual([]);
    expect(invalid.filter(accepts)).toEqual([]);
    for (let i = 0; i < 100; i++) {
      const value: unknown = JSON.parse(sample(grammar, bytes, random));
      if (!Schema.Check(schema, value)) throw new Error(`Not valid: ${JSON.stringify(value)}`);
    }
  });

  it.each(Object.keys(STRING_FORMATS))('gives strings of the format %s', async (format) => {
    const grammar = await compile({ type: 'json_schema', schema: { type: 'string', format } });
    const ajv = new Ajv2020({ strict: false, logger: false });
    (formats as unknown as (ajv: object) => void)(ajv);
    const valid = ajv.compile({ format });
    for (let i = 0; i < 20; i++) {
      const value: unknown = JSON.parse(sample(grammar, bytes, random));
      expect([value, valid(value)]).toEqual([value, true]);
    }
  });

  it('gives one of the choices, a match of the pattern, or a text of the grammar', async () => {
    const choice = await compile({ type: 'choice', choices: ['yes', 'no', 'näh', 'não'] });
    const pattern = await compile({ type: 'regex', pattern: '[a-z]{2}(?=é|-)[é-]\\d+' });
    const grammar = await compile({
      type: 'grammar',
      grammar: 'root ::= "<" word ">" # é\nword ::= "Zürich" | [0-9]{2}',
    });
    for (let i = 0; i < 20; i++) {
      expect(['yes', 'no', 'näh', 'não']).toContain(sample(choice, bytes, random));
      expect(sample(pattern, bytes, random)).toMatch(/^[a-z]{2}[é-]\d+$/);
      expect(sample(grammar, bytes, random)).toMatch(/^<(Zürich|\d\d)>$/);
    }
  });

  it.each([
    ['root ::= [é]', 'only ASCII is supported'],
    ['start ::= "a"', 'no rule named root'],
    ['root ::= nothing', "can't be enforced"],
  ])('refuses the grammar %s', async (grammar, message) => {
    await expect(compile({ type: 'grammar', grammar })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message),
    });
  });

  it('gives any object for json_object', async () => {
    const grammar = await compile({ type: 'json_object' });
    for (let i = 0; i < 40; i++) {
      const value: unknown = JSON.parse(sample(grammar, bytes, random));
      expect(Object.prototype.toString.call(value)).toBe('[object Object]');
    }
  });

  const tools: Tool[] = ['add', 'lo"ok'].map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: { q: { type: 'integer' } }, required: ['q'] } },
  }));

  it.each([undefined, 'lo"ok'])('writes a call of an offered tool: %s', async (name) => {
    const grammar = await compile({ type: 'tool_call', name }, tools);
    for (let i = 0; i < 20; i++) {
      const call = /^<tool_call>\n(.*)\n<\/tool_call>$/s.exec(sample(grammar, bytes, random))!;
      const value = JSON.parse(call[1]!) as { name: string; arguments: { q: number } };
      expect(name === undefined ? ['add', 'lo"ok'] : [name]).toContain(value.name);
      expect(Number.isInteger(value.arguments.q)).toBe(true);
    }
  });

  it('writes a bare call where the model writes such', async () => {
    const grammar = await compile({ type: 'tool_call' }, tools, 'bare');
    for (let i = 0; i < 20; i++) {
      const value = JSON.parse(sample(grammar, bytes, random)) as { name: string; parameters: { q: number } };
      expect(Object.keys(value)).toEqual(['name', 'parameters']);
      expect(tools.map((tool) => tool.function.name)).toContain(value.name);
      expect(Number.isInteger(value.parameters.q)).toBe(true);
    }
  });

  it.each([null, undefined])('writes {} for a tool whose parameters are %s', async (parameters) => {
    const plain: Tool[] = [{ type: 'function', function: { name: 'now', parameters: parameters as never } }];
    expect(sample(await compile({ type: 'tool_call' }, plain), bytes, random)).toBe(
      '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    );
  });

  it.each(['tagged', 'bare'] as const)('writes a call or an answer where both may come: %s', async (form) => {
    const schema = { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] };
    const grammar = await compile({ type: 'tool_call_or', format: { type: 'json_schema', schema } }, tools, form);
    const texts = Array.from({ length: 40 }, () => sample(grammar, bytes, random));
    const answers = texts.filter((text) => /^\{\s*"done":\s*(true|false)\s*\}$/.test(text));
    const calls = texts.filter((text) => /^(<tool_call>\n)?\{"name": /.test(text));
    expect(answers.length).toBeGreaterThan(0);
    expect(calls.length).toBeGreaterThan(0);
    expect(answers.length + calls.length).toBe(40);
  });

  it('refuses a token that may not come, and everything after the end', async () => {
    const state = (await compile({ type: 'json_schema', schema: { type: 'null' } })).start();
    expect(state.accept('x'.charCodeAt(0))).toBe(false);
    for (const char of 'null') expect(state.accept(char.charCodeAt(0))).toBe(true);
    expect(state.mask()[END >> 5]! & 0xff).toBe(1);
    expect(state.accept(END)).toBe(true);
    expect([state.finished, state.accept(END)]).toEqual([true, false]);
    state.dispose();
  });

  it('compiles a format once', async () => {
    const format: OutputFormat = { type: 'json_schema', schema: { type: 'array', items: { type: 'null' } } };
    const [first, second] = await Promise.all([compile(format), compile(structuredClone(format))]);
    expect(first).toBe(second);
  });

  it('forgets the formats not used for longest, not the completions under way', async () => {
    const format = (maximum: number): OutputFormat => ({
      type: 'json_schema',
      schema: { type: 'integer', minimum: 0, maximum },
    });
    const first = await compile(format(7));
    const state = first.start();
    for (let i = 10; i < 50; i++) await compile(format(i));
    expect(() => first.start()).toThrow('no longer there');
    expect([state.accept('8'.charCodeAt(0)), state.accept('7'.charCodeAt(0))]).toEqual([false, true]);
    state.dispose();
  });
});
