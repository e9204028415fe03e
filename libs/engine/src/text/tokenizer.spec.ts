import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BYTE_CHARACTERS, fallbackToken } from './byte-alphabet.js';
import { Tokenizer } from './tokenizer.js';
import type { JsonObject } from './tokenizer-file.js';

type Merge = [string, string];

function withMerged(first: string[], merges: Merge[]): Record<string, number> {
  const tokens = [...new Set([...first, ...merges.map((pair) => pair.join(''))])];
  return Object.fromEntries(tokens.map((token, id) => [token, id]));
}

function added(id: number, content: string, special = true): JsonObject {
  return { id, content, special, normalized: false };
}

/** tokenizer.json with a token for each byte, these merges, and `<|im_start|>`, `<|im_end|>`, `<tool_call>` from id 1000 on. */
function byteLevelJson(merges: Merge[] = [], changes: JsonObject = {}): JsonObject {
  return {
    added_tokens: [added(1000, '<|im_start|>'), added(1001, '<|im_end|>'), added(1002, '<tool_call>', false)],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab: withMerged([...BYTE_CHARACTERS], merges), merges },
    ...changes,
  };
}

/** tokenizer.json as SentencePiece's are converted: `<unk>`, `<s>`, `</s>`, the bytes from id 3 on, then letters. */
function sentencePieceJson(merges: Merge[] = [], changes: JsonObject = {}): JsonObject {
  const bytes = BYTE_CHARACTERS.map((_, byte) => fallbackToken(byte));
  return {
    added_tokens: [added(0, '<unk>'), added(1, '<s>'), added(2, '</s>')],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      fuse_unk: true,
      byte_fallback: true,
      vocab: withMerged(['<unk>', '<s>', '</s>', ...bytes, '▁', ...'abcdefghijklmnopqrstuvwxyz'], merges),
      merges,
    },
    ...changes,
  };
}

/** What the tokens of a text are called. */
function tokensOf(tokenizer: Tokenizer, text: string, special = false): string[] {
  return Array.from(tokenizer.encode(text, { special }), (id) => tokenizer.tokenText(id));
}

const byteLevel = (merges?: Merge[], changes?: JsonObject) => new Tokenizer(byteLevelJson(merges, changes));
const sentencePiece = (merges?: Merge[], changes?: JsonObject) => new Tokenizer(sentencePieceJson(merges, changes));

describe('byte-level tokenizers', () => {
  it('write every byte as its own token where there are no merges', () => {
    const tokenizer = byteLevel();

    expect(Array.from(tokenizer.encode('hé\0'))).toEqual([104, 195, 169, 0]);
    expect(tokenizer.decode([104, 195, 169, 0])).toBe('hé\0');
  });

  it('merge the earliest pair in the list first, the leftmost of equals', () => {
    const merges: Merge[] = [
      ['b', 'c'],
      ['a', 'b'],
      ['a', 'a'],
    ];

    expect(tokensOf(byteLevel(merges), 'abc ab aaa')).toEqual(['a', 'bc', ' ', 'ab', ' ', 'aa', 'a']);
  });

  it('never merge across words', () => {
    const merges: Merge[] = [
      ['a', 'Ġ'],
      ['Ġ', 'b'],
    ];

    expect(tokensOf(byteLevel(merges), 'a b')).toEqual(['a', ' b']);
  });

  it('take white space as the original does: U+0085 is, a byte order mark is not', () => {
    const merges: Merge[] = [
      ['ï', '»'],
      ['ï»', '¿'],
      ['Â', 'ħ'],
      ['ï»¿', 'Âħ'],
    ];

    expect(tokensOf(byteLevel(merges), '\ufeff\u0085')).toEqual(['\ufeff', '\u0085']);
  });

  it('split off any numeric characters with Digits', () => {
    const digits = {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Digits', individual_digits: true },
        { type: 'ByteLevel', add_prefix_space: false, use_regex: false },
      ],
    };
    const merges: Merge[] = [
      ['1', '2'],
      ['Â', '²'],
      ['a', 'Â²'],
    ];

    expect(tokensOf(byteLevel(merges, { pre_tokenizer: digits }), '12a²')).toEqual(['1', '2', 'a', '²']);
  });

  it('put a space before a text where add_prefix_space says so', () => {
    const tokenizer = byteLevel([['Ġ', 'a']], { pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true } });

    expect(tokensOf(tokenizer, 'a')).toEqual([' a']);
    expect(tokensOf(tokenizer, ' a')).toEqual([' a']);
  });

  it('take a word that is a token as it is with ignore_merges', () => {
    const json = byteLevelJson();
    const vocab = { ...(json.model as { vocab: Record<string, number> }).vocab, word: 999 };

    expect(
      Array.from(byteLevel([], { model: { type: 'BPE', vocab, merges: [], ignore_merges: true } }).encode('word')),
    ).toEqual([999]);
  });

  it('replace halves of surrogate pairs, which UTF-8 has no bytes for', () => {
    const tokenizer = byteLevel();

    expect(tokenizer.decode(tokenizer.encode('a\ud83db'))).toBe('a\ufffdb');
  });

  it('decode bytes that are no character as U+FFFD', () => {
    expect(byteLevel().decode([0xe2, 0x82, 97, 0xff])).toBe('\ufffda\ufffd');
  });
});

describe('added tokens', () => {
  const tokenizer = byteLevel();

  it('are cut out of the text, special ones only where asked', () => {
    expect(Array.from(tokenizer.encode('a<|im_end|><tool_call>', { special: true }))).toEqual([97, 1001, 1002]);
    expect(tokenizer.encode('a<|im_end|><tool_call>')).toHaveLength(1 + '<|im_end|>'.length + 1);
  });

  it('decode to their text, special ones unless skipped', () => {
    expect(tokenizer.decode([1000, 97, 1001, 1002])).toBe('<|im_start|>a<|im_end|><tool_call>');
    expect(tokenizer.decode([1000, 97, 1001, 1002], { skipSpecial: true })).toBe('a<tool_call>');
  });

  it('are known by id and by name', () => {
    expect([tokenizer.idOf('<|im_end|>'), tokenizer.idOf('a'), tokenizer.idOf('<none>')]).toEqual([
      1001,
      97,
      undefined,
    ]);
    expect([tokenizer.isSpecial(1001), tokenizer.isSpecial(1002), tokenizer.isSpecial(97)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(tokenizer.vocabularySize).toBe(1003);
  });

  it('of the vocabulary are special where tokenizer_config.json names them', () => {
    const named = new Tokenizer(byteLevelJson([['e', 'd']]), { eos_token: { content: 'ed' }, pad_token: null });

    expect(named.isSpecial(named.idOf('ed')!)).toBe(true);
    expect(named.specialTokens).toEqual({ eos_token: 'ed' });
  });
});

describe('SentencePiece tokenizers', () => {
  const words: Merge[] = [
    ['h', 'i'],
    ['▁', 'hi'],
    ['▁', '▁'],
  ];

  it('mark spaces, and put one before each piece of text', () => {
    const tokenizer = sentencePiece(words);

    expect(tokensOf(tokenizer, 'hi hi')).toEqual([' hi', ' hi']);
    expect(tokensOf(tokenizer, 'hi</s>hi', true)).toEqual([' hi', '</s>', ' hi']);
  });

  it('take runs of spaces together', () => {
    expect(tokensOf(sentencePiece(words), 'hi   hi')).toEqual([' hi', '  ', ' hi']);
  });

  it('merge across spaces only where a merge does', () => {
    const crossing: Merge[] = [...words, ['i', '▁']];

    expect(tokensOf(sentencePiece(crossing), 'i i')).toEqual([' ', 'i ', 'i']);
  });

  it('fall back to bytes, which decode to the character again', () => {
    const tokenizer = sentencePiece(words);
    const ids = Array.from(tokenizer.encode('é'));

    expect(ids.slice(1)).toEqual([3 + 0xc3, 3 + 0xa9]);
    expect(Array.from(tokenizer.tokenBytes(3 + 0xc3))).toEqual([0xc3]);
    expect(tokenizer.decode(ids)).toBe('é');
  });

  it('decode a run of bytes that is no text as one U+FFFD for each', () => {
    expect(sentencePiece().decode([3 + 0xe2, 3 + 0x82])).toBe('\ufffd\ufffd');
  });

  it('write unknown characters as one unknown token where they are fused', () => {
    const json = sentencePieceJson();
    const model = { ...(json.model as JsonObject), byte_fallback: false };

    expect(tokensOf(sentencePiece([], { model }), 'aéßb')).toEqual([' ', 'a', '<unk>', 'b']);
    expect(tokensOf(sentencePiece([], { model: { ...model, fuse_unk: false } }), 'aéß')).toEqual([
      ' ',
      'a',
      '<unk>',
      '<unk>',
    ]);
  });

  it.each([
    ['always', [' a', '</s>', ' a']],
    ['first', [' a', '</s>', 'a']],
    ['never', ['a', '</s>', 'a']],
  ])('put the space where Metaspace says: %s', (prepend_scheme, expected) => {
    const pre_tokenizer = { type: 'Metaspace', replacement: '▁', prepend_scheme, split: true };

    expect(tokensOf(sentencePiece([['▁', 'a']], { normalizer: null, pre_tokenizer }), 'a</s>a', true)).toEqual(
      expected,
    );
  });
});

describe('a tokenizer that this one can not be sure to equal', () => {
  it.each<[string, JsonObject]>([
    ['model.type "Unigram"', { model: { type: 'Unigram', vocab: [] } }],
    ['model.dropout', { model: { type: 'BPE', vocab: {}, merges: [], dropout: 0.1 } }],
    ['normalizer of type "Lowercase"', { normalizer: { type: 'Lowercase' } }],
    ['pre_tokenizer of type "Punctuation"', { pre_tokenizer: { type: 'Punctuation' } }],
    [
      'behavior MergedWithNext',
      { pre_tokenizer: { type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithNext' } },
    ],
    ['decoder.decoders[0] of type "WordPiece"', { decoder: { type: 'WordPiece' } }],
    ['model.merges[0]', { model: { type: 'BPE', vocab: { a: 0 }, merges: ['a b'] } }],
    ['model.vocab["a"] is not a token id', { model: { type: 'BPE', vocab: { a: -1 }, merges: [] } }],
  ])('is refused by name: %s', (name, changes) => {
    expect(() => byteLevel([], changes)).toThrow(
      expect.objectContaining({ code: 'bad_model', message: expect.stringContaining(name) }),
    );
  });
});

describe('Tokenizer.load', () => {
  let directory: string;
  beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'tokenizer-'))));
  afterEach(() => rm(directory, { recursive: true }));

  it('reads both files of a directory', async () => {
    await writeFile(join(directory, 'tokenizer.json'), JSON.stringify(byteLevelJson()));
    await writeFile(join(directory, 'tokenizer_config.json'), JSON.stringify({ eos_token: '<|im_end|>' }));

    const tokenizer = await Tokenizer.load(directory);

    expect(tokenizer.specialTokens).toEqual({ eos_token: '<|im_end|>' });
  });

  it('says what is missing or broken, and no path', async () => {
    await expect(Tokenizer.load(directory)).rejects.toThrow(/^tokenizer.json is missing/);
    await writeFile(join(directory, 'tokenizer.json'), '{');
    await expect(Tokenizer.load(directory)).rejects.toThrow(/^tokenizer.json is not JSON$/);
  });
});
