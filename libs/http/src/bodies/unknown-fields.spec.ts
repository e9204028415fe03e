import { ignoresUnknownFields, nearest, unknownField } from './unknown-fields.js';

describe('nearest', () => {
  const known = ['name', 'enabled', 'url_endpoint', 'secret_ref', 'access_token_ref', 'tag'];
  it.each([
    ['enabeld', 'enabled'],
    ['Enabled', 'enabled'],
    ['urlEndpoint', 'url_endpoint'],
    ['url', 'url_endpoint'],
    ['secret', 'secret_ref'],
    ['access_token', 'access_token_ref'],
    ['names', 'name'],
    ['colour', undefined],
    ['x', undefined],
    ['e'.repeat(100_000), undefined],
  ])('takes %.20s for %s', (name, meant) => {
    expect(nearest(name, known)).toBe(meant);
  });
});

describe('unknownField', () => {
  it('names the place, and the field that was meant', () => {
    expect(unknownField(['body'], 'enabeld', ['name', 'enabled'])).toEqual({
      loc: ['body', 'enabeld'],
      msg: 'There is no field enabeld: did you mean enabled?',
      type: 'unknown_field',
      ctx: { did_you_mean: 'enabled' },
    });
  });

  it('names all fields where none is near', () => {
    expect(unknownField(['body'], 'colour', ['name', 'tag']).msg).toBe('There is no field colour; there are name, tag');
  });
});

describe('ignoresUnknownFields', () => {
  it.each([
    ['/v1/preview/models', true],
    ['/v1/chat/completions', true],
    ['/call/upsert_batch', true],
    ['/obj/create', true],
    ['/graphql', true],
    ['/v1/automations', false],
    ['/v1/previews', false],
    ['/v1/teams/weavers/webhooks', false],
    ['/v1/projects/weavers/preview/runs', false],
  ])('of %s: %s', (path, ignores) => {
    expect(ignoresUnknownFields(path)).toBe(ignores);
  });
});
