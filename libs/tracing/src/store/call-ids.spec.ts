import { expect, it } from '@jest/globals';
import { makeId, traceIdOf } from './call-ids.js';

it('makes UUIDs of version 7, later ones greater', async () => {
  const first = makeId();
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(makeId()).not.toBe(first);
  expect(parseInt(first.replaceAll('-', '').slice(0, 12), 16)).toBeCloseTo(Date.now(), -4);
});

it('makes the same trace of the same call, and another of another', () => {
  expect(traceIdOf('a/b', 'x')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(traceIdOf('a/b', 'x')).toBe(traceIdOf('a/b', 'x'));
  expect(new Set([traceIdOf('a/b', 'x'), traceIdOf('a/b', 'y'), traceIdOf('a/c', 'x')]).size).toBe(3);
});
