import { describe, expect, it } from '@jest/globals';
import { indexJson, indexJsonSync } from './index-json.js';
import { JsonSyntaxError } from './json.errors.js';

const MB = 1_000_000;

describe('indexJson', () => {
  it('lets other work run inside one long string, one long number and one long item', async () => {
    for (const text of [`"${'a'.repeat(MB)}"`, '1'.repeat(MB), `[[${'1,'.repeat(MB / 2)}1]]`, ' '.repeat(MB) + '1']) {
      let turns = 0;
      const count = () => void (turns++, (immediate = setImmediate(count)));
      let immediate = setImmediate(count);
      const root = await indexJson(Buffer.from(text), { depth: 0, sliceBytes: 10_000 });
      clearImmediate(immediate);
      expect(root.text()).toBe(text.trim());
      expect(turns).toBeGreaterThanOrEqual(99);
    }
  });

  it('gives many bodies one slice a turn between them', async () => {
    const body = Buffer.from(`"${'a'.repeat(100_000)}"`);
    let turns = 0;
    const count = () => void (turns++, (immediate = setImmediate(count)));
    let immediate = setImmediate(count);
    await Promise.all(Array.from({ length: 5 }, () => indexJson(body, { sliceBytes: 10_000 })));
    clearImmediate(immediate);
    expect(turns).toBeGreaterThanOrEqual(5 * 11);
  });

  it('rejects with the syntax error, in a late slice too', async () => {
    const body = Buffer.from(`["${'a'.repeat(1000)}"`);
    await expect(indexJson(body, { sliceBytes: 100 })).rejects.toMatchObject({ name: 'JsonSyntaxError', offset: 1003 });
  });

  it('reads Python’s NaN and infinities as null, and only outside strings', async () => {
    const body = Buffer.from('{"a":[NaN,-1,-Infinity],"b":"NaN \\" Infinity","c":Infinity,"NaN":{"x":NaN}}');
    const expected = '{"a":[null,-1,null],"b":"NaN \\" Infinity","c":null,"NaN":{"x":null}}';
    for (let sliceBytes = 1; sliceBytes < body.length; sliceBytes++) {
      const root = await indexJson(body, { sliceBytes });
      expect(root.text()).toBe(expected);
      expect(root.get('c')!.kind).toBe('null');
      expect(root.get('a')!.text()).toBe('[null,-1,null]');
    }
    expect(indexJsonSync(Buffer.from('NaN')).value()).toBeNull();
  });

  it('checks UTF-8 in pieces, and cuts no character in two', async () => {
    // 4 MiB, after which other work has its turn, is no multiple of the bytes of a character.
    const text = `"${'€'.repeat(3 * MB)}"`;
    const body = Buffer.from(text);
    expect((await indexJson(body)).index.bytes).toBe(body);
    body[body.length - 3] = 0xff;
    const repaired = await indexJson(body);
    expect(repaired.index.bytes).not.toBe(body);
    expect(repaired.text()).toBe(body.toString('utf8'));
  });

  it('repairs invalid UTF-8 as decoding does, wherever a slice ends', async () => {
    const bad = [
      [0xff],
      [0xc3],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0xf0, 0x9f, 0x98],
      [0xc0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ];
    const body = Buffer.concat([
      Buffer.from('["€😀'),
      ...bad.flatMap((bytes) => [Buffer.from(bytes), Buffer.from('é')]),
      Buffer.from('"]'),
    ]);
    for (let sliceBytes = 1; sliceBytes < body.length; sliceBytes++) {
      expect((await indexJson(body, { sliceBytes })).value()).toEqual(JSON.parse(body.toString()));
    }
  });

  it('refuses invalid UTF-8 where it is told to, and names the place', async () => {
    const options = { refusesBadUtf8: true };
    for (const before of ['["', `["${'é€😀'.repeat(200)}`, `["${'€'.repeat(2 * MB)}`]) {
      const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from('é"]')]);
      const error = await indexJson(body, options).catch((thrown: unknown) => thrown);
      const { offset } = error as JsonSyntaxError;
      expect([error instanceof JsonSyntaxError, Buffer.byteLength(before) - offset < 5]).toEqual([true, true]);
    }
    expect((await indexJson(Buffer.from('["é"]'), options)).value()).toEqual(['é']);
  });

  it.each(['[NaN]', '{"a": Infinity}', '-Infinity'])('refuses %s where it is told to', (text) => {
    expect(() => indexJsonSync(Buffer.from(text), { nonFinite: 'refused' })).toThrow('neither NaN nor Infinity');
  });

  it('reads numbers that JSON lacks where it is told to, from the bytes as they came', () => {
    const body = Buffer.from('{"a": NaN, "b": [Infinity, -Infinity, "NaN", 1]}');
    const root = indexJsonSync(body, { nonFinite: 'number', depth: 2 });
    expect(root.get('a')).toMatchObject({ kind: 'number', start: 6, end: 9 });
    expect([root.get('a')!, ...root.get('b')!.items()].map((node) => node.number())).toEqual([
      NaN,
      Infinity,
      -Infinity,
      undefined,
      1,
    ]);
    expect(root.index.bytes).toBe(body);
  });

  it.each(['[NaNs]', '[Inf]', '[-Infinite]', '[nan]', '[+Infinity]'])('refuses %s, which nobody writes', (text) => {
    expect(() => indexJsonSync(Buffer.from(text), { nonFinite: 'number' })).toThrow(JsonSyntaxError);
  });

  it('skips a byte order mark, in a repaired body too', () => {
    expect(indexJsonSync(Buffer.from('\ufeff[1]')).text()).toBe('[1]');
    expect(indexJsonSync(Buffer.from([0xef, 0xbb, 0xbf, 0x22, 0xff, 0x22])).string()).toBe('\ufffd');
  });

  it('keeps no more than the index of a large batch', async () => {
    const item = `{"mode":"end","req":{"end":{"id":"x","output":"${'a'.repeat(200)}"}}}`;
    const root = await indexJson(Buffer.from(`{"batch":[${Array(5000).fill(item).join()}]}`), { depth: 5 });
    expect([...root.get('batch')!.items()]).toHaveLength(5000);
    expect(root.index.records.byteLength).toBeLessThan(1.2 * 24 * root.index.count);
  });
});
