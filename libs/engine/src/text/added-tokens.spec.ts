import { AddedTokenSplitter, type AddedToken } from './added-tokens.js';

const plain: AddedToken = {
  id: 1,
  content: '',
  special: true,
  normalized: false,
  singleWord: false,
  lstrip: false,
  rstrip: false,
};

/** Pieces of text as strings, tokens as ids. */
function split(tokens: Partial<AddedToken>[], text: string, special = true): (string | number)[] {
  const found: (string | number)[] = [];
  const splitter = new AddedTokenSplitter(tokens.map((token) => ({ ...plain, ...token })));
  splitter.split(
    text,
    special,
    (piece, at) => {
      expect(text.slice(at, at + piece.length)).toBe(piece);
      found.push(piece);
    },
    (id) => found.push(id),
  );
  return found;
}

describe('AddedTokenSplitter', () => {
  it('takes the longest of the tokens that begin at one place', () => {
    expect(split([{ id: 1, content: 'ab' }, { id: 2, content: 'abc' }], 'ababcab')).toEqual([1, 2, 1]); // prettier-ignore
  });

  it('takes the content literally', () => {
    expect(split([{ content: '<|.*|>' }], 'a<|.*|>b<|xx|>')).toEqual(['a', 1, 'b<|xx|>']);
  });

  it('leaves special tokens in the text where they are not asked for', () => {
    expect(split([{ id: 1, content: '<s>' }, { id: 2, content: '<t>', special: false }], '<s><t>', false)).toEqual(['<s>', 2]); // prettier-ignore
  });

  it('finds single words only between what is no word', () => {
    expect(split([{ content: 'it', singleWord: true }], 'it, bit ité it_ (it)')).toEqual([
      1,
      ', bit ité it_ (',
      1,
      ')',
    ]);
  });

  it('lets tokens swallow the white space beside them', () => {
    expect(split([{ content: '<l>', lstrip: true }], 'a \n<l> b')).toEqual(['a', 1, ' b']);
    expect(split([{ content: '<r>', rstrip: true }], 'a <r>\u00a0\n b')).toEqual(['a ', 1, 'b']);
  });

  it('gives white space between two tokens to the first that takes it', () => {
    expect(split([{ id: 1, content: '<r>', rstrip: true }, { id: 2, content: '<l>', lstrip: true }], '<r>  <l>')).toEqual([1, 2]); // prettier-ignore
  });

  it('finds nothing in an empty text', () => {
    expect(split([{ content: '<s>' }], '')).toEqual([]);
  });
});
