import { readManifest } from './manifest.js';

const text = (fields: object): string =>
  JSON.stringify({ format: 1, createdAt: '', migrations: [], tables: [], ...fields });

describe('readManifest', () => {
  it('takes a backup of this schema, and of an older one', () => {
    expect(readManifest(text({ migrations: ['a'] }), ['a', 'b']).migrations).toEqual(['a']);
  });

  it('refuses a newer schema, and names what this program lacks', () => {
    expect(() => readManifest(text({ migrations: ['a', 'c'] }), ['a', 'b'])).toThrow(/newer Heddle.*lacks c\)/);
  });

  it('refuses a newer format', () => {
    expect(() => readManifest(text({ format: 2 }), [])).toThrow(/newer Heddle/);
  });
});
