import { fileURLToPath } from 'node:url';
import { Detokenizer } from './detokenizer.js';
import { Tokenizer } from './tokenizer.js';

const tokenizer = await Tokenizer.load(fileURLToPath(new URL('../../base-models/shuttle', import.meta.url)));

function pushed(ids: Iterable<number>, skipSpecial = true): string[] {
  const detokenizer = new Detokenizer(tokenizer, { skipSpecial });
  return [...Array.from(ids, (id) => detokenizer.push(id)), detokenizer.flush()];
}

describe('Detokenizer', () => {
  it('says a character with the last of its bytes', () => {
    expect(pushed(tokenizer.encode('a€'))).toEqual(['a', '', '', '€', '']);
  });

  it('says U+FFFD once bytes are certain to be no character', () => {
    expect(pushed([0xe2, 0x82, 97])).toEqual(['', '', '\ufffda', '']);
    expect(pushed([0xe2, 0x82])).toEqual(['', '', '\ufffd']);
    expect(pushed([0xff])).toEqual(['\ufffd', '']);
  });

  it('leaves special tokens out, even inside of a character', () => {
    expect(pushed([256, 0xc3, 257, 0xa9])).toEqual(['', '', '', 'é', '']);
    expect(pushed([97, 257], false)).toEqual(['a', '<|im_end|>', '']);
  });

  it('keeps the special tokens that it is told to keep', () => {
    const detokenizer = new Detokenizer(tokenizer, { skipSpecial: true, keep: ['<|im_end|>', '<|not there|>'] });
    expect([97, 256, 257].map((id) => detokenizer.push(id))).toEqual(['a', '', '<|im_end|>']);
  });

  it('keeps byte order marks and the tags of tool calls', () => {
    expect(pushed(tokenizer.encode('\ufeff<tool_call>')).join('')).toBe('\ufeff<tool_call>');
  });

  it('says in all what decoding the whole says', () => {
    const ids = Array.from({ length: 2000 }, (_, i) => (i * 7919 + i * i) % 264);

    expect(pushed(ids).join('')).toBe(tokenizer.decode(ids, { skipSpecial: true }));
  });
});
