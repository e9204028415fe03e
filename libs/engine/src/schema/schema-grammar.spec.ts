import { outputRules } from '../grammar/output-rules.js';

const compile = (schema: unknown): string =>
  outputRules({ type: 'json_schema', schema: schema as Record<string, unknown> }, []).rules;
const isChecked = (schema: object): boolean =>
  outputRules({ type: 'json_schema', schema: { ...schema } }, []).check !== null;

/** What is generated is tested in output-grammar.spec.ts. */
describe('SchemaGrammar', () => {
  it.each<[unknown, string]>([
    [
      { properties: { a: { pattern: '(a)\\1' } } },
      '#/properties/a: `pattern` "(a)\\\\1" is not supported: Backreferences',
    ],
    [{ patternProperties: { '\\bx': {} } }, '`patternProperties` with "\\\\bx" is not supported'],
    [{ not: {} }, '#: nothing is valid'],
    [{ type: ['string', 'null'], not: { type: ['null', 'string'] } }, '#: nothing is valid'],
    [{ anyOf: [{ $ref: '#' }] }, '#: nothing is valid'],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, '#: nothing is valid'],
    [{ properties: { a: { $ref: '#' } }, required: ['a'] }, '#: it has no value that ends'],
    [{ type: 'text' }, '"text" is not a type'],
    [{ anyOf: [] }, '`anyOf` must be a list that is not empty'],
    [{ enum: [1], minimum: 2 }, 'nothing is valid'],
    [{ enum: ['a'], type: 'integer' }, 'nothing is valid'],
    [{ allOf: [{ type: 'object' }, { type: 'array' }] }, 'nothing is valid'],
    [{ $ref: '#/$defs/none' }, 'leads nowhere'],
    [{ $ref: 'https://example.com/schema' }, 'is not inside the schema'],
    [{ $dynamicRef: '#node' }, '`$dynamicRef` is not supported'],
    [{ type: 'integer', minimum: 3, exclusiveMaximum: 4, exclusiveMinimum: 3 }, 'no number is between its bounds'],
    [{ type: 'integer', multipleOf: 7, minimum: 1, maximum: 6 }, 'no number is between its bounds'],
    [{ multipleOf: 0 }, '`multipleOf` must be above 0'],
    [{ type: 'string', minLength: 3, maxLength: 2 }, '`maxLength` is less than `minLength`'],
    [{ type: 'string', pattern: '^a', format: 'ipv4' }, 'no string is valid'],
    [{ type: 'array', maxItems: 1e9 }, '`maxItems` must be an integer from 0 to 10000'],
    [{ type: 'array', prefixItems: [{}], items: false, minItems: 2 }, '`minItems` is more than there can be'],
    [{ items: { enum: [1, 2] }, uniqueItems: true, minItems: 3 }, 'fewer different items than `minItems`'],
    [{ properties: { a: {} }, required: ['a'], maxProperties: 0 }, '`maxProperties` is less than there must be'],
    [{ properties: { a: {} }, minProperties: 2 }, "`minProperties` can't be kept"],
    [{ required: ['b'], propertyNames: { pattern: '^a' } }, 'nothing is valid for a member that is required'],
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

  it('leaves out what no value fulfils', () => {
    expect(compile({ anyOf: [{ type: 'null' }, false, { not: {} }] })).toBe(compile({ anyOf: [{ type: 'null' }] }));
    const closed = { type: 'object', additionalProperties: false };
    expect(() => compile({ ...closed, properties: { a: false, b: { $ref: '#' } } })).not.toThrow();
  });

  it.each([
    [{ type: 'string', pattern: '^a+$', minLength: 3 }],
    [{ type: 'integer', multipleOf: 12, minimum: -50 }],
    [{ allOf: [{ properties: { a: { type: 'string' } } }, { required: ['a'] }] }],
    [{ type: ['string', 'null'], not: { enum: ['', 'a'] } }],
    [{ type: 'array', uniqueItems: true, items: { enum: ['a', 'b', 'c'] } }],
    [{ patternProperties: { '^x-': { type: 'string' } } }],
    [{ propertyNames: { enum: ['a', 'b'] }, additionalProperties: { type: 'integer' } }],
    [{ type: 'array', contains: { const: 1 } }],
  ])('keeps to %j by its rules alone', (schema) => expect(isChecked(schema)).toBe(false));

  it.each([
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }],
    [{ type: 'number', multipleOf: 0.1 }],
    [{ type: 'array', uniqueItems: true }],
    [{ type: 'integer', not: { multipleOf: 3 } }],
    [{ type: 'string', pattern: '\\bfoo' }],
    [{ if: { type: 'string' }, then: { minLength: 2 } }],
    [{ dependentRequired: { a: ['b'] } }],
    [{ unevaluatedProperties: false }],
    [{ contains: {}, maxContains: 2 }],
    [{ additionalProperties: { type: 'string' }, minProperties: 2 }],
  ])('has answers to %j checked', (schema) => expect(isChecked(schema)).toBe(true));

  it('passes over notes and unknown keywords', () => {
    const notes = {
      title: 't',
      description: 'd',
      default: 1,
      examples: [2],
      $comment: 'c',
      format: 'colour',
      'x-mine': {},
    };
    expect(compile({ type: 'string', ...notes })).toBe(compile({ type: 'string' }));
  });

  it('names the tool whose parameters it refuses, and the tool that is not there', () => {
    const tools = [{ type: 'function' as const, function: { name: 'f', parameters: { $ref: '#/no' } } }];
    expect(() => outputRules({ type: 'tool_call' }, tools)).toThrow(
      expect.objectContaining({ param: 'tools', message: expect.stringContaining('Tool "f"') }),
    );
    expect(() => outputRules({ type: 'tool_call', name: 'g' }, tools)).toThrow(
      expect.objectContaining({ param: 'tool_choice' }),
    );
    expect(() => outputRules({ type: 'tool_call' }, [])).toThrow(expect.objectContaining({ param: 'tools' }));
  });
});
