import { outputRules } from './output-rules.js';

const compile = (schema: unknown): string =>
  outputRules({ type: 'json_schema', schema: schema as Record<string, unknown> }, []);

/** What is generated is tested in output-grammar.spec.ts. */
describe('SchemaGrammar', () => {
  it.each<[unknown, string]>([
    [{ properties: { a: { pattern: 'x' } } }, '#/properties/a: `pattern` is not supported'],
    [{ items: { multipleOf: 3 } }, '#/items: `multipleOf` is not supported'],
    [{ not: {} }, '#: `not` is not supported'],
    [{ uniqueItems: true }, '`uniqueItems` is not supported'],
    [{ type: 'text' }, '"text" is not a type'],
    [{ anyOf: [{ type: 'null' }, false] }, '#/anyOf/1: nothing is valid'],
    [{ anyOf: [] }, '`anyOf` must be a list that is not empty'],
    [{ enum: [1], minimum: 2 }, '`enum` beside `minimum`'],
    [{ enum: ['a'], type: 'integer' }, 'no value is of the type'],
    [{ allOf: [{ type: 'object' }, { type: 'object' }] }, '`allOf` of more than one schema'],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, '`oneOf` is supported only where'],
    [{ $ref: '#/$defs/none' }, 'leads nowhere'],
    [{ $ref: 'https://example.com/schema' }, 'is not inside the schema'],
    [{ type: 'integer', minimum: 3, exclusiveMaximum: 4, exclusiveMinimum: 3 }, 'no number is between its bounds'],
    [{ type: 'string', minLength: 3, maxLength: 2 }, '`maxLength` is less than `minLength`'],
    [{ type: 'array', maxItems: 1e9 }, '`maxItems` must be an integer from 0 to 10000'],
    [{ type: 'array', prefixItems: [{}], items: false, minItems: 2 }, '`minItems` is more than there can be'],
    [{ properties: { a: {} }, maxProperties: 0 }, '`minProperties` and `maxProperties` are not supported'],
    [{ properties: { a: 3 } }, '#/properties/a: it is not a schema'],
  ])('refuses what it would not keep: %j', (schema, message) => {
    expect(() => compile(schema)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'response_format',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('refuses schemas that nest without end or are too large', () => {
    const deep = Array.from({ length: 200 }).reduce((inner) => ({ type: 'array', items: inner }), {});
    expect(() => compile(deep)).toThrow('nested too deep');
    expect(() => compile({ enum: Array.from({ length: 20_000 }, (_, i) => `value ${i}`) })).toThrow('too large');
  });

  it('passes over notes and unknown keywords', () => {
    const notes = {
      title: 't',
      description: 'd',
      default: 1,
      examples: [2],
      $comment: 'c',
      format: 'uri',
      'x-mine': {},
    };
    expect(compile({ type: 'string', ...notes })).toBe(compile({ type: 'string' }));
  });

  it('names the tool whose parameters it refuses, and the tool that is not there', () => {
    const tools = [{ type: 'function' as const, function: { name: 'f', parameters: { not: {} } } }];
    expect(() => outputRules({ type: 'tool_call' }, tools)).toThrow(
      expect.objectContaining({ param: 'tools', message: expect.stringContaining('Tool "f"') }),
    );
    expect(() => outputRules({ type: 'tool_call', name: 'g' }, tools)).toThrow(
      expect.objectContaining({ param: 'tool_choice' }),
    );
    expect(() => outputRules({ type: 'tool_call' }, [])).toThrow(expect.objectContaining({ param: 'tools' }));
  });
});
