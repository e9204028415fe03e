import { describe, expect, it } from '@jest/globals';
import { digestOf, generateApiKey, prefixOf } from './api-key.js';

describe('API keys', () => {
  it('are long enough for every official client, fit any header, and never repeat', () => {
    const keys = Array.from({ length: 100 }, generateApiKey);
    for (const key of keys) expect(key).toMatch(/^hd_[A-Za-z0-9]{43}$/);
    expect(new Set(keys).size).toBe(100);
  });

  it('are known by their SHA-256', () => {
    expect(digestOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('show 5 of their 43 random characters', () => {
    expect(prefixOf('hd_abcdefgh')).toBe('hd_abcde');
  });
});
