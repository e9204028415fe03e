/** An entry of `added_tokens`: a token that is cut out of the text before anything else. */
export interface AddedToken {
  id: number;
  content: string;
  /** Special tokens are control tokens: recognised only where asked, and left out of decoded text. */
  special: boolean;
  /** Whether it is looked for in the normalised text, not in the original. */
  normalized: boolean;
  /** Only between characters that are no part of a word. */
  singleWord: boolean;
  /** Swallows the white space before it. */
  lstrip: boolean;
  /** Swallows the white space after it. */
  rstrip: boolean;
}

const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const SPACE = /\p{White_Space}/u;

/** Cuts added tokens out of a text: leftmost first, and the longest of those that begin at one place. */
export class AddedTokenSplitter {
  private readonly byText = new Map<string, AddedToken>();
  private readonly all: RegExp | null;
  private readonly ordinary: RegExp | null;

  /** `textOf` says how a token looks in the text to split. */
  constructor(tokens: AddedToken[], textOf: (token: AddedToken) => string = (token) => token.content) {
    for (const token of tokens) {
      if (textOf(token) !== '') this.byText.set(textOf(token), token);
    }
    this.all = patternOf([...this.byText.keys()]);
    this.ordinary = patternOf([...this.byText].filter(([, token]) => !token.special).map(([text]) => text));
  }

  /** Pieces of text (with their place in it) and tokens, in order. Special tokens stay text unless `special`. */
  split(
    text: string,
    special: boolean,
    onText: (piece: string, at: number) => void,
    onToken: (id: number) => void,
  ): void {
    const pattern = special ? this.all : this.ordinary;
    let done = 0;
    if (pattern) {
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        const token = this.byText.get(match[0])!;
        let start = match.index;
        let end = start + match[0].length;
        if (token.singleWord && touchesWord(text, start, end)) continue;
        while (token.lstrip && start > done && SPACE.test(text.charAt(start - 1))) start--;
        while (token.rstrip && end < text.length && SPACE.test(text.charAt(end))) end++;
        if (start > done) onText(text.slice(done, start), done);
        onToken(token.id);
        done = end;
      }
    }
    if (done < text.length) onText(text.slice(done), done);
  }
}

function touchesWord(text: string, start: number, end: number): boolean {
  const before = Array.from(text.slice(Math.max(0, start - 2), start)).at(-1);
  const after = text.codePointAt(end);
  return WORD.test(before ?? '') || (after !== undefined && WORD.test(String.fromCodePoint(after)));
}

function patternOf(texts: string[]): RegExp | null {
  if (texts.length === 0) return null;
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'g');
}
