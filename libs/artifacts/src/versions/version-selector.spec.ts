import { isReservedAlias, parseSelector } from './version-selector.js';

const DIGEST = 'ab'.repeat(32);
const ID = '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11';

describe('parseSelector', () => {
  it.each([
    ['v0', { kind: 'index', index: 0 }],
    ['v12', { kind: 'index', index: 12 }],
    [ID, { kind: 'id', id: ID }],
    [DIGEST, { kind: 'digest', digest: DIGEST }],
    ['latest', { kind: 'alias', alias: 'latest' }],
    ['step12', { kind: 'alias', alias: 'step12' }],
    ['v', { kind: 'alias', alias: 'v' }],
    ['V1', { kind: 'alias', alias: 'V1' }],
  ])('reads %s as %j', (text, selector) => {
    expect(parseSelector(text)).toEqual(selector);
  });
});

describe('isReservedAlias', () => {
  it.each(['latest', 'v0', 'v12', 'v01', `v${'9'.repeat(30)}`, ID, ID.toUpperCase(), DIGEST])(
    'reserves %s',
    (alias) => {
      expect(isReservedAlias(alias)).toBe(true);
    },
  );

  it.each(['prod', 'step12', 'version1', 'v1.0', 'v-1', 'Latest'])('leaves %s free', (alias) => {
    expect(isReservedAlias(alias)).toBe(false);
  });
});
