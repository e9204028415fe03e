import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { fieldLimit } from './field-limit.rule.js';

const schema = buildSchema('type Query { leaf: String, next: Query }');

describe('fieldLimit', () => {
  const errors = (query: string): string[] =>
    validate(schema, parse(query), [...specifiedRules, fieldLimit(4)]).map((error) => error.message);

  it('counts the fields of all levels', () => {
    expect(errors('{ next { next { leaf } } leaf }')).toEqual([]);
    expect(errors('{ next { next { leaf } leaf } leaf }')).toEqual(['The query selects more than 4 fields']);
  });

  it('counts a fragment wherever it is spread, without visiting it as often', () => {
    const doubling = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
    expect(errors(`{ ...F0 } ${doubling.join(' ')} fragment F60 on Query { leaf }`)).toHaveLength(1);
  });
});
