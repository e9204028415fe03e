import { checkAlias, checkObjectId, checkTag } from './object-names.js';

type Check = (name: string, loc: string[]) => void;
const taken = (check: Check, name: string): boolean => {
  try {
    check(name, []);
    return true;
  } catch {
    return false;
  }
};

describe('Names of objects', () => {
  it.each(['a', 'a.b-c_1', 'Größe', '名前', 'x'.repeat(128)])('%s is one', (name) => {
    expect(taken(checkObjectId, name)).toBe(true);
  });
  it.each(['', 'a/b', 'a:b', 'a b', 'a*', '\u0000', '\ud800', 'x'.repeat(129)])('%j is none', (name) => {
    expect(taken(checkObjectId, name)).toBe(false);
  });
});

describe('Aliases', () => {
  it.each(['prod', 'v1.2', 'on call', 'vnext', 'x'.repeat(128)])('%s is one', (name) => {
    expect(taken(checkAlias, name)).toBe(true);
  });
  it.each(['', '  ', 'latest', 'v0', 'v12', 'a/b', 'a:b', 'x'.repeat(129)])('%j is none', (name) => {
    expect(taken(checkAlias, name)).toBe(false);
  });
});

describe('Tags', () => {
  it.each(['reviewed', 'two words', 'a-b_c', 'größe'])('%s is one', (name) => {
    expect(taken(checkTag, name)).toBe(true);
  });
  it.each(['', ' a', 'a  b', 'a:b', 'a/b', 'a\nb', 'x'.repeat(257)])('%j is none', (name) => {
    expect(taken(checkTag, name)).toBe(false);
  });
});
