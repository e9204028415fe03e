import { indexJsonSync } from '@heddle/json';
import { readSplit } from './split.js';

const read = (json: string): string => readSplit(indexJsonSync(Buffer.from(json)));

describe('readSplit', () => {
  it.each(['train', 'val', 'held out/2', 'ü'.repeat(64)])('reads %j', (split) => {
    expect(read(JSON.stringify({ split }))).toBe(split);
  });

  it.each([
    ['{}', 'missing'],
    ['{"split": null}', 'missing'],
    ['{"split": 1}', 'string_type'],
    ['{"split": ""}', 'split'],
    ['{"split": "a\\nb"}', 'split'],
    ['{"split": "\\ud800"}', 'split'],
    [`{"split": "${'x'.repeat(65)}"}`, 'split'],
  ])('refuses %s, and names the place', (json, type) => {
    expect(() => read(json)).toThrow(
      expect.objectContaining({ detail: [expect.objectContaining({ loc: ['body', 'split'], type })] }),
    );
  });
});
