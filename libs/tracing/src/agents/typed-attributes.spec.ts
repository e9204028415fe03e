import { typedAttributes } from './typed-attributes.js';

describe('typedAttributes', () => {
  it('has each attribute under its dotted key, by its type', () => {
    const attributes = { team: { name: 'x', size: 3 }, ratio: 0.5, ok: true, list: [1, 'a'], none: null };
    expect(typedAttributes(JSON.stringify(attributes))).toEqual({
      custom_attrs_string: { 'team.name': 'x', list: '[1,"a"]' },
      custom_attrs_int: { 'team.size': 3 },
      custom_attrs_float: { ratio: 0.5 },
      custom_attrs_bool: { ok: true },
    });
  });

  it('leaves out what the conventions name', () => {
    const attributes = {
      gen_ai: { request: { model: 'm' } },
      'gen_ai.usage.x': 1,
      model: 'm',
      agent: 'a',
      agents: 'b',
    };
    expect(typedAttributes(JSON.stringify(attributes)).custom_attrs_string).toEqual({ agents: 'b' });
  });

  it('is empty without attributes', () => {
    expect(Object.values(typedAttributes(null)).every((values) => Object.keys(values as object).length === 0)).toBe(
      true,
    );
  });
});
