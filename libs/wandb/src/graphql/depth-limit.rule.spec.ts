import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { depthLimit } from './depth-limit.rule.js';

const schema = buildSchema('type Query { leaf: String, next: Query }');

describe('depthLimit', () => {
  const errors = (query: string): string[] =>
    validate(schema, parse(query), [...specifiedRules, depthLimit(3)]).map((error) => error.message);

  it('takes what is as deep as the limit and refuses the next level', () => {
    expect(errors('{ next { next { leaf } } }')).toEqual([]);
    expect(errors('{ next { next { next { leaf } } } }')).toEqual(['The query is deeper than 3 levels']);
  });

  it('counts through fragments', () => {
    expect(errors('{ next { ...Two } } fragment Two on Query { next { leaf } }')).toEqual([]);
    expect(errors('{ next { next { ...Two } } } fragment Two on Query { ... { next { leaf } } }')).toHaveLength(1);
  });

  it('ends on a fragment that contains itself', () => {
    expect(errors('{ ...Loop } fragment Loop on Query { leaf next { ...Loop } }')).toEqual([
      'Cannot spread fragment "Loop" within itself.',
    ]);
  });

  it('measures a fragment once, however often it is spread', () => {
    const doubling = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
    expect(errors(`{ ...F0 } ${doubling.join(' ')} fragment F60 on Query { leaf }`)).toEqual([]);
  });

  it('leaves introspection to its own rule', () => {
    expect(errors('{ __schema { types { fields { type { ofType { name } } } } } }')).toEqual([]);
  });
});
