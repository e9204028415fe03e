import { BytePairEncoder } from './byte-pair-encoder.js';

type Merge = [string, string];

function vocabularyOf(letters: string, merges: Merge[]): Map<string, number> {
  return new Map([...new Set([...letters, ...merges.map((pair) => pair.join(''))])].map((token, id) => [token, id]));
}

function encode(letters: string, merges: Merge[], word: string): string[] {
  const vocabulary = vocabularyOf(letters, merges);
  const names = [...vocabulary.keys()];
  const tokens = Int32Array.from(word, (letter) => vocabulary.get(letter)!);
  const count = new BytePairEncoder(vocabulary, merges).merge(tokens, tokens.length);
  return Array.from(tokens.subarray(0, count), (id) => names[id]!);
}

/** The definition, word for word: merge the best pair there is until there is none. */
function encodeNaively(merges: Merge[], word: string): string[] {
  const tokens = [...word];
  const rankAt = (i: number) => merges.findLastIndex(([left, right]) => left === tokens[i] && right === tokens[i + 1]);
  for (;;) {
    const places = tokens.map((_, i) => i).filter((i) => rankAt(i) >= 0);
    if (places.length === 0) return tokens;
    const best = places.reduce((a, b) => (rankAt(b) < rankAt(a) ? b : a));
    tokens.splice(best, 2, tokens[best]! + tokens[best + 1]!);
  }
}

/** Numbers from 0 to 1, the same each time. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 0x7fffffff) / 0x7fffffff;
}

describe('BytePairEncoder', () => {
  it('equals the definition on random words and merges', () => {
    const random = randomNumbers(1);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    for (let round = 0; round < 200; round++) {
      const tokens = [...'abcd'];
      const merges: Merge[] = [];
      for (let i = 0; i < 12; i++) {
        const merge: Merge = [pick(tokens), pick(tokens)];
        if (merges.some((other) => other[0] === merge[0] && other[1] === merge[1])) continue;
        merges.push(merge);
        if (!tokens.includes(merge.join(''))) tokens.push(merge.join(''));
      }
      const word = Array.from({ length: Math.floor(random() * 30) }, () => pick([...'abcd'])).join('');

      expect(encode('abcd', merges, word)).toEqual(encodeNaively(merges, word));
    }
  });

  it('merges a very long word without being quadratic', () => {
    const merges: Merge[] = [
      ['a', 'a'],
      ['aa', 'aa'],
      ['aaaa', 'aaaa'],
    ];
    const started = performance.now();

    expect(encode('a', merges, 'a'.repeat(2 ** 18))).toHaveLength(2 ** 15);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('refuses a merge of tokens that there are none of', () => {
    expect(() => new BytePairEncoder(new Map([['a', 0]]), [['a', 'b']])).toThrow('model.merges[0]');
  });
});
