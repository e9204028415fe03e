import { indexJsonSync } from '@heddle/json';
import { canonicalJson } from './canonical-json.js';
import { bytesDigest, jsonDigest, tableDigest } from './digest.js';

const node = (text: string) => indexJsonSync(Buffer.from(text), { depth: Infinity });
const canonical = (text: string) => [...canonicalJson(node(text))].join('');

describe('canonicalJson', () => {
  // Each pair was written by Python 3.12: json.dumps(json.loads(left), sort_keys=True).
  it.each([
    ['{"Z":1,"a":2,"aa":3,"é":4}', '{"Z": 1, "a": 2, "aa": 3, "\\u00e9": 4}'],
    ['[[], {}, [{}], null, true, "x"]', '[[], {}, [{}], null, true, "x"]'],
    ['{"a": 1, "b": 0, "a": 2}', '{"a": 2, "b": 0}'],
    ['[1.0, 1e5, -0, -0.0, 1e16, 1e-5, 0.0001]', '[1.0, 100000.0, 0, -0.0, 1e+16, 1e-05, 0.0001]'],
    [
      '[123456.789e3, 2.5E-3, 1e15, 123e13, 1e22]',
      '[123456789.0, 0.0025, 1000000000000000.0, 1230000000000000.0, 1e+22]',
    ],
    ['[5e-324, 1.7976931348623157e308, 1E400]', '[5e-324, 1.7976931348623157e+308, Infinity]'],
    ['[9007199254740993, 123456789012345678901234567890]', '[9007199254740993, 123456789012345678901234567890]'],
    [
      '"\\u0000 \\ud800 \\u007f é \\\\ \\" \\/ \\n\\t\\b\\f\\r"',
      '"\\u0000 \\ud800 \\u007f \\u00e9 \\\\ \\" / \\n\\t\\b\\f\\r"',
    ],
    [
      '{"\\ud83d\\ude00": 0, "\\uffff": 1, "\\ud800": 2, "z": 3, "": 4}',
      '{"": 4, "z": 3, "\\ud800": 2, "\\uffff": 1, "\\ud83d\\ude00": 0}',
    ],
  ])('writes %s as Python does', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('follows any depth', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(canonical(deep)).toBe(deep);
  });
});

describe('digests', () => {
  // Computed with weave 0.54's own compute_object_digest, compute_table_digest and compute_file_digest.
  it.each([
    ['{"a": 1, "a": 2}', '5anVsDAOD1DTcuWp3fokIIqsmpQM6aNvJHOHIhriBf4'],
    ['{}', 'RBNvo1WzZ4oRRq0W9XhknpT7T8If536DEMBg9hyqY4o'],
    ['[[],{},[{}]]', 'lB9Ptm4y0GNWHq3bXdhwYYwBrB94nMNa5oHUsk5E2VI'],
    ['  1e22', 'gUqX2utFQW4kvvwK6aZBSsL0Hyaany8Bn8ZaDQNyXzQ'],
  ])('gives %s the digest %s', async (text, digest) => {
    await expect(jsonDigest(node(text))).resolves.toBe(digest);
  });

  it('is the same for a value of many pieces as for its canonical text', async () => {
    const text = JSON.stringify(Array.from({ length: 30_000 }, (_, i) => `item ${i}`)).replaceAll(',', ', ');
    await expect(jsonDigest(node(text))).resolves.toBe(bytesDigest(Buffer.from(text)));
  });

  it('covers the bytes of a file and the order of a table', () => {
    expect(bytesDigest(Buffer.from('hello'))).toBe('LPJNulXwow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ');
    expect(tableDigest(['a', 'b'])).toBe('fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603');
    expect(tableDigest([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});
