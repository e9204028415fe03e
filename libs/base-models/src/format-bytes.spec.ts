import { formatBytes } from './format-bytes.js';

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1.0 kB'],
    [2_632_744, '2.6 MB'],
    [269_060_552, '269 MB'],
    [999_600_000, '1.0 GB'],
    [8_040_000_000, '8.0 GB'],
    [5e15, '5000 TB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
