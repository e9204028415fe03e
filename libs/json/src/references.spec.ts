import { describe, expect, it } from '@jest/globals';
import { indexJsonSync } from './index-json.js';
import { findRefs } from './references.js';

const refsIn = (text: string, limit?: number) => findRefs(indexJsonSync(Buffer.from(text)), limit);

describe('findRefs', () => {
  it('finds each reference once, however deep, in order', () => {
    const value = {
      self: 'weave:///e/p/object/A:1',
      list: [['wandb-artifact:///x'], { b: 'weave-trace-internal:///1/op' }],
    };
    expect(refsIn(JSON.stringify([value, value]))).toEqual([
      'weave:///e/p/object/A:1',
      'wandb-artifact:///x',
      'weave-trace-internal:///1/op',
    ]);
    expect(refsIn('"weave:///top"')).toEqual(['weave:///top']);
  });

  it('leaves keys, the middle of strings and other schemes alone', () => {
    const value = {
      'weave:///key': 'see weave:///a',
      a: '"weave:///quoted"',
      b: 'weave://b',
      c: 'weave',
      d: 'wandb:///',
    };
    expect(refsIn(JSON.stringify(value))).toEqual([]);
  });

  it('reads escapes', () => {
    expect(refsIn('["weave:\\/\\/\\/a\\/\\"b\\u00e9\\\\"]')).toEqual(['weave:///a/"bé\\']);
  });

  it('looks at one node only', () => {
    const root = indexJsonSync(Buffer.from('{"inputs":["weave:///a"],"output":{"b":"weave:///b"},"c":"weave:///c"}'));
    expect(findRefs(root.get('output')!)).toEqual(['weave:///b']);
    expect(findRefs(root.get('output')!.get('b')!)).toEqual(['weave:///b']);
  });

  it('is bounded in number and length', () => {
    const many = Array.from({ length: 20 }, (_, i) => `weave:///${i}`);
    expect(refsIn(JSON.stringify(many), 5)).toEqual(many.slice(0, 5));
    const [longest, tooLong] = [4096, 4097].map((length) => 'weave:///'.padEnd(length, 'x'));
    expect(refsIn(JSON.stringify([tooLong, longest, 'weave:///z']))).toEqual([longest, 'weave:///z']);
  });
});
